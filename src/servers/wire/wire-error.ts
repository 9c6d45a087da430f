/** Errors on their way out, whatever the wire. */

import { describeError, errorCatalogue, type ErrorObject } from '../../core/errors/errors.ts'
import { isJsonObject, mapStrings, type JsonObject } from '@contextd/shared/json/value'
import type { Answer } from '../../core/result.ts'

/** The error inside a failed answer, for methods whose results have no room for one. */
export function errorIn(answer: Answer): ErrorObject {
  return ourErrorIn(answer) ?? describeError('INTERNAL')
}

/** Undefined where whoever failed has an error of its own, or none. */
export function ourErrorIn({ isOurError, structured }: Answer): ErrorObject | undefined {
  const error = isOurError === true && isJsonObject(structured) ? structured.error : undefined
  const known =
    isJsonObject(error) && typeof error.code === 'string' && Object.hasOwn(errorCatalogue, error.code)
  return known ? (error as ErrorObject) : undefined
}

/** An error that may leave. */
export function scrubbed(error: ErrorObject, scrub: (text: string) => string): ErrorObject {
  try {
    // The code is ours and must stay what it is.
    return { ...(mapStrings(error as JsonObject, scrub) as ErrorObject), code: error.code }
  } catch {
    return describeError('SCRUB_FAILED')
  }
}
