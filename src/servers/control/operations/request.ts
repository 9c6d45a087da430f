/**
 * Reads fields of a request. Requests from other programs were validated against their message; these functions
 * check what a message cannot express.
 */

import { ContextdError } from '../../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'

export function textIn(request: JsonObject, field: string): string | undefined {
  const value = request[field]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw wrong(field, 'a string')
  return value
}

/** A required field. */
export function theText(request: JsonObject, field: string): string {
  const text = textIn(request, field)
  if (text === undefined || text === '') throw wrong(field, 'a non-empty string')
  return text
}

export function stringsField(request: JsonObject, field: string): string[] | undefined {
  const value = request[field]
  if (value === undefined || value === null) return undefined
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string')
  if (!isList) throw wrong(field, 'a list of strings')
  return [...value] as string[]
}

export function choiceIn<T extends string>(
  request: JsonObject,
  field: string,
  choices: readonly T[],
): T | undefined {
  const text = textIn(request, field)
  if (text === undefined) return undefined
  const chosen = choices.find((choice) => choice === text)
  if (chosen === undefined) throw wrong(field, `one of ${choices.join(', ')}`)
  return chosen
}

export function flagIn(request: JsonObject, field: string): boolean {
  const value = request[field] ?? false
  if (typeof value !== 'boolean') throw wrong(field, 'true or false')
  return value
}

export function countField(
  request: JsonObject,
  field: string,
  { min = 0, max = 2_147_483_647 }: { readonly min?: number; readonly max?: number } = {},
): number | undefined {
  const value = request[field]
  if (value === undefined || value === null) return undefined
  const isCount = Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max
  if (!isCount) throw wrong(field, `an integer from ${min} to ${max}`)
  return Number(value)
}

/** Epoch milliseconds. */
export function timeIn(request: JsonObject, field: string): number | undefined {
  const text = textIn(request, field)
  if (text === undefined) return undefined
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw wrong(field, 'a time such as 2026-11-15T10:00:00Z')
  return time
}

/** Names the field, without its value. */
export function wrong(field: string, expected: string): ContextdError {
  return new ContextdError('INVALID_ARGUMENTS', { fields: [{ field, expected }] })
}
