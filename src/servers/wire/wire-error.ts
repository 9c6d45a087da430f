/** Outgoing errors, for every wire format. */

import { describeError, errorCatalogue, type ErrorObject } from '../../core/errors/errors.ts'
import { isJsonObject, mapStrings, type JsonObject } from '@contextd/shared/json/value'
import type { Answer } from '../../core/result.ts'

/** The error in a failed answer, for methods whose results cannot contain one. */
export function errorIn(answer: Answer): ErrorObject {
  return ourErrorIn(answer) ?? describeError('INTERNAL')
}

/** Undefined if the failure has its own error, or none. */
export function ourErrorIn({ isOurError, structured }: Answer): ErrorObject | undefined {
  const error = isOurError === true && isJsonObject(structured) ? structured.error : undefined
  const known =
    isJsonObject(error) && typeof error.code === 'string' && Object.hasOwn(errorCatalogue, error.code)
  return known ? (error as ErrorObject) : undefined
}

/** An error whose texts were scrubbed. */
export function scrubbed(error: ErrorObject, scrub: (text: string) => string): ErrorObject {
  try {
    // The code is ours and must not change.
    return { ...(mapStrings(error as JsonObject, scrub) as ErrorObject), code: error.code }
  } catch {
    return describeError('SCRUB_FAILED')
  }
}
