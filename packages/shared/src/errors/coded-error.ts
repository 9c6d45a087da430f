import { isJsonObject, type Json } from '../json/value.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'

/** Values for the message template, also passed to callers that handle the error. */
export type ErrorDetails = { [key: string]: Json | undefined }

/** The form of an error on every transport and with `--json`. */
export interface CodedErrorObject<Code extends string = string> {
  readonly code: Code
  readonly message: string
  readonly rule?: string
  readonly file?: string
  readonly line?: number
  readonly column?: number
  readonly hint?: string
  readonly [detail: string]: Json | undefined
}

/**
 * Message and hint come from the templates of the catalogue, unless the details contain a better hint. A hint that names
 * something the details lack is left out.
 */
export function describeEntry<Code extends string>(
  code: Code,
  entry: CatalogueEntry,
  details: ErrorDetails = {},
): CodedErrorObject<Code> {
  const message = fillTemplate(entry.message, details, (name) => `(${name})`)
  const missing: string[] = []
  const hint = fillTemplate(entry.hint, details, (name) => String(missing.push(name)))
  const given = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined))
  // A hint about a thing that it cannot name helps nobody.
  const isUsable = missing.length === 0 || given.hint !== undefined
  return { ...(isUsable && { hint }), ...given, code, message }
}

function fillTemplate(template: string, details: ErrorDetails, missing: (name: string) => string): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = details[name]
    return typeof value === 'string' ? value : value === undefined ? missing(name) : JSON.stringify(value)
  })
}

/** For failures at the edges (files, sockets, stores), where a caller several levels up decides what to do. */
export class CodedError<Code extends string = string> extends Error {
  readonly code: Code
  readonly details: ErrorDetails
  readonly entry: CatalogueEntry

  constructor(code: Code, entry: CatalogueEntry, details: ErrorDetails = {}, options?: { cause?: unknown }) {
    super(describeEntry(code, entry, details).message, options)
    this.name = new.target.name
    this.code = code
    this.details = details
    this.entry = entry
  }

  toObject(): CodedErrorObject<Code> {
    return describeEntry(this.code, this.entry, this.details)
  }
}

/** Not by class: a bundle that is loaded lazily has its own copy of it. */
export function isCodedError(error: unknown): error is CodedError {
  return error instanceof Error && 'code' in error && 'entry' in error && 'toObject' in error
}

/** The `fields` of an error: what is wrong with each argument. */
export function fieldLines(fields: Json | undefined): string[] {
  if (!Array.isArray(fields)) return []
  return fields.filter(isJsonObject).map(({ field, expected }) => `- ${textOf(field)}: ${textOf(expected)}`)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}
