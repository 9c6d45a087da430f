/** Files of a client, as they were read. */

import type { JsonObject } from '@contextd/shared/json/value'
import type { JsonDocument } from '@contextd/shared/json/json-source'
import type { Place, Severity } from '../findings/finding.ts'

export interface TextFile {
  readonly file: string
  readonly text: string
}

/** In the place of a file: a variable of the environment that a client reads like one. */
export const variablePlace = (name: string): string => `$${name}`

export const isVariable = (file: string): boolean => file.startsWith('$')

export interface JsonFile extends TextFile {
  readonly document: JsonDocument
  readonly value: JsonObject
}

export interface FileProblem extends Place {
  readonly kind: 'unreadable' | 'malformed' | 'comments' | 'duplicate-key' | 'wrong-shape' | 'unread'
  /** What the client makes of it, in one sentence. */
  readonly message: string
  readonly fix: string
  /** Where it is not that of the rule for its kind. */
  readonly severity?: Severity
}

/** Of a file that is there and cannot be read. */
export function unreadableFile(file: string, message: string): FileProblem {
  return {
    file,
    line: 1,
    column: 1,
    kind: 'unreadable',
    message,
    fix: 'Put a readable file there, or remove what stands in its place.',
  }
}

/** One that nobody may pass over. */
export type FileError = FileProblem & { readonly severity: 'error' }

/** Of what is left out because there is too much of it. `why`: a sentence that ends with what is not looked at. */
export function notLookedAt(file: string, why: string): FileError {
  return {
    file,
    line: 1,
    column: 1,
    kind: 'unreadable',
    severity: 'error',
    message: `${why} were not looked at.`,
    fix: 'Remove what nobody needs: what stands there counts for the client all the same.',
  }
}

/** Of a key that is given again further down in the same object. */
export function voidedKey(
  file: string,
  { key, line, column }: { readonly key: string } & Omit<Place, 'file'>,
): FileProblem {
  return {
    file,
    line,
    column,
    kind: 'duplicate-key',
    message: `${JSON.stringify(key)} is given again further down, and only the last one counts: what stands here has no effect.`,
    fix: 'Put both into one.',
  }
}
