/** Files read from a client, and problems with them. */

import type { JsonObject } from '@contextd/shared/json/value'
import type { JsonDocument } from '@contextd/shared/json/json-source'
import type { Place, Severity } from '../findings/finding.ts'

export interface TextFile {
  readonly file: string
  readonly text: string
}

/** A pseudo file name for an environment variable that a client reads like a file. */
export const variablePlace = (name: string): string => `$${name}`

export const isVariable = (file: string): boolean => file.startsWith('$')

export interface JsonFile extends TextFile {
  readonly document: JsonDocument
  readonly value: JsonObject
}

export interface FileProblem extends Place {
  readonly kind: 'unreadable' | 'malformed' | 'comments' | 'duplicate-key' | 'wrong-shape' | 'unread'
  /** The problem and its consequence in the client, in one sentence. */
  readonly message: string
  readonly fix: string
  /** Overrides the severity of the rule for its kind. */
  readonly severity?: Severity
}

/** For a file that exists but cannot be read. */
export function unreadableFile(file: string, message: string): FileProblem {
  return {
    file,
    line: 1,
    column: 1,
    kind: 'unreadable',
    message,
    fix: 'Replace it with a readable file, or remove it.',
  }
}

/** A problem that is always an error. */
export type FileError = FileProblem & { readonly severity: 'error' }

/** For files skipped because a limit is exceeded. `why`: a sentence that ends with the skipped files. */
export function notChecked(file: string, why: string): FileError {
  return {
    file,
    line: 1,
    column: 1,
    kind: 'unreadable',
    severity: 'error',
    message: `${why} were not checked.`,
    fix: 'Remove unneeded files: the client still applies the skipped ones.',
  }
}

/** For a key repeated further down in the same object. */
export function voidedKey(
  file: string,
  { key, line, column }: { readonly key: string } & Omit<Place, 'file'>,
): FileProblem {
  return {
    file,
    line,
    column,
    kind: 'duplicate-key',
    message: `${JSON.stringify(key)} is repeated further down, and only the last one applies: this one has no effect.`,
    fix: 'Merge them into one.',
  }
}
