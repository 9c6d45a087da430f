/**
 * Converts zod issues to messages for users who edit a file: what was expected, what was found, what was probably
 * meant.
 */

import * as z from 'zod'

import { nearest } from '@contextd/shared/text/nearest'
import type { SchemaIssue } from './json-problem.ts'

/** All issues of the value, in the order of the schema. Empty if the value is valid. */
export function schemaIssues(schema: z.ZodType, value: unknown): SchemaIssue[] {
  const { error } = schema.safeParse(value)
  return (error?.issues ?? []).flatMap((issue) => {
    const path = issue.path as (string | number)[]
    if (issue.code !== 'unrecognized_keys') {
      const part = issue.code === 'invalid_key' ? 'key' : 'value'
      return { path, part, message: sentence(issue, valueAt(value, path)) }
    }
    const valid = keysAt(schema, path)
    return issue.keys.map((key) => ({
      path: [...path, key],
      part: 'key',
      message: `unknown key ${JSON.stringify(key)}${suggestion(key, valid)}`,
    }))
  })
}

function sentence(issue: z.core.$ZodIssue, found: unknown): string {
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message
  if (issue.code === 'invalid_type') {
    return `expected ${nouns[issue.expected] ?? issue.expected}, found ${typeName(found)}`
  }
  if (issue.code === 'invalid_value') return `not a valid value${suggestion(found, issue.values.map(String))}`
  if (issue.code === 'too_small' && issue.origin !== 'array') return `expected at least ${issue.minimum}`
  if (issue.code === 'too_big' && issue.origin !== 'array') return `expected at most ${issue.maximum}`
  return issue.message
}

const nouns: Readonly<Record<string, string>> = {
  object: 'an object',
  record: 'an object',
  array: 'a list',
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
}

function suggestion(word: unknown, valid: readonly string[]): string {
  const near = typeof word === 'string' ? nearest(word, valid) : undefined
  return near === undefined ? `; valid are ${valid.join(', ')}` : `; did you mean ${JSON.stringify(near)}?`
}

function typeName(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'number') return Number.isInteger(value) ? 'a number' : 'a fraction'
  return nouns[typeof value] ?? typeof value
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let found = value
  for (const step of path) found = (found as Record<string | number, unknown> | undefined)?.[step]
  return found
}

/** The keys that the schema defines for the object at `path`. */
function keysAt(schema: z.ZodType, path: readonly (string | number)[]): string[] {
  let at: unknown = schema
  for (const step of [...path, undefined]) {
    while (at instanceof z.ZodOptional) at = at.unwrap()
    if (step === undefined) break
    if (at instanceof z.ZodObject) at = at.shape[String(step)]
    else if (at instanceof z.ZodRecord) at = at.valueType
    else if (at instanceof z.ZodArray) at = at.element
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape) : []
}
