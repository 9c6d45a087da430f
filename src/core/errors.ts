import type { CatalogueEntry } from './catalogue-entry.ts'
import { errorCatalogue, type ErrorCode } from './error-catalogue.ts'
import { isJsonObject, type Json } from './json.ts'

export { errorCatalogue, type ErrorCode } from './error-catalogue.ts'

/** Fills the template and rides along to whoever wants to act on it. */
export type ErrorDetails = { [key: string]: Json | undefined }

/** How an error looks on every wire. */
export interface ErrorObject {
  readonly code: ErrorCode
  readonly message: string
  readonly rule?: string
  readonly file?: string
  readonly line?: number
  readonly column?: number
  readonly hint?: string
  readonly [detail: string]: Json | undefined
}

/** Builds the error object: message from the template, hint from the catalogue unless the details bring a better one. */
export function describeError(code: ErrorCode, details: ErrorDetails = {}): ErrorObject {
  const entry: CatalogueEntry = errorCatalogue[code]
  const message = entry.message.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = details[name]
    return typeof value === 'string' ? value : value === undefined ? `(${name})` : JSON.stringify(value)
  })
  const given = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined))
  return { hint: entry.hint, ...given, code, message }
}

/** The whole error in words: clients show a model this and nothing else. */
export function errorText(error: ErrorObject): string {
  const where = error.rule === undefined ? '' : ` [${error.rule}]`
  const lines = [`${error.code}: ${error.message}${where}`, ...fieldLines(error.fields), error.hint]
  return lines.filter((line) => line !== undefined).join('\n')
}

function fieldLines(fields: Json | undefined): string[] {
  if (!Array.isArray(fields)) return []
  return fields
    .filter(isJsonObject)
    .map(({ field, expected }) => `- ${field as string}: ${expected as string}`)
}

/** For failures at the edges (files, sockets, stores), where a caller several levels up decides what to do. */
export class ContextdError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, details: ErrorDetails = {}, options?: { cause?: unknown }) {
    super(describeError(code, details).message, options)
    this.name = 'ContextdError'
    this.code = code
    this.details = details
  }

  toObject(): ErrorObject {
    return describeError(this.code, this.details)
  }
}
