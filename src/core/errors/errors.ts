import {
  CodedError,
  describeEntry,
  fieldLines,
  type ErrorDetails,
  type CodedErrorObject,
} from '@contextd/shared/errors/coded-error'
import { errorCatalogue, type ErrorCode } from './error-catalogue.ts'

export { errorCatalogue, type ErrorCode } from './error-catalogue.ts'

export { CodedError, isCodedError, type ErrorDetails } from '@contextd/shared/errors/coded-error'
export { missingThing, shortName } from '@contextd/shared/errors/common-error'

/**
 * An error as every transport and every `--json` shows it.
 *
 * @example
 * import { ContextdError, type ErrorObject } from 'contextd'
 *
 * const error = new ContextdError('NOT_FOUND', { what: 'page guide', name: 'guide' })
 * const { code, hint }: ErrorObject = error.toObject()
 * console.log(`${code}: ${hint}`)
 * // → NOT_FOUND: Check the spelling of guide.
 */
export type ErrorObject = CodedErrorObject<ErrorCode>

/**
 * Builds the error object: message from the template, hint from the catalogue unless the details contain a more
 * specific one.
 */
export function describeError(code: ErrorCode, details?: ErrorDetails): ErrorObject {
  return describeEntry(code, errorCatalogue[code], details)
}

/** The complete error as text: clients show a model only this. */
export function errorText(error: ErrorObject): string {
  const where = error.rule === undefined ? '' : ` [${error.rule}]`
  const lines = [`${error.code}: ${error.message}${where}`, ...fieldLines(error.fields), error.hint]
  return lines.filter((line) => line !== undefined).join('\n')
}

/**
 * An error from contextd's catalogue. The packages that contextd includes throw other kinds of `CodedError`.
 *
 * @example
 * import { ContextdError } from 'contextd'
 *
 * const error = new ContextdError('NOT_FOUND', { what: 'page 7' })
 * console.log(`${error.code}: ${error.message}`)
 * // → NOT_FOUND: There is no page 7
 */
export class ContextdError extends CodedError<ErrorCode> {
  constructor(code: ErrorCode, details?: ErrorDetails, options?: { cause?: unknown }) {
    super(code, errorCatalogue[code], details, options)
  }
}
