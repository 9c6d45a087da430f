/** What a search is, whichever engine runs it. */

import { join, relative } from 'node:path'

import type { Call } from '../../core/call.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { FileAccess } from '../files/confined-file.ts'

/** Where one call searches. Absolute, links resolved. */
export interface SearchPlace {
  readonly call: Call
  readonly access: FileAccess
  readonly folder: string
  /** The only file to search, ignored or not: a name in the folder. */
  readonly file?: string
  /** Whether the ignore files of the folders around it apply, up to the workspace. */
  readonly isInWorkspace: boolean
}

export interface SearchQuery {
  readonly pattern: string
  /** Lines around each match. */
  readonly context: number
  readonly mode: SearchMode
  /** Files whose name does not match may be skipped. */
  readonly namePattern?: string
}

export const searchModes = ['content', 'files', 'count'] as const
export type SearchMode = (typeof searchModes)[number]

export interface FoundLine {
  readonly number: number
  /** Of its first byte in the file. */
  readonly offset: number
  /** Undefined if it is longer than `maxLineBytes`. */
  readonly text: string | undefined
  /** Otherwise it is context. */
  readonly isMatch: boolean
}

export interface SearchedFile {
  /** Relative to the folder. */
  readonly name: string
  /** The number of lines that match; at least 1. */
  readonly count: number
  /** In mode `content`. */
  readonly lines: readonly FoundLine[]
}

export interface SearchFound<Item> {
  readonly items: readonly Item[]
  /** What was not searched, or why there may be more. */
  readonly notes: readonly string[]
}

/**
 * Skips what git ignores, folders named `.git`, links, binary files, and names with line breaks. May return files that
 * the caller may not read.
 */
export interface SearchEngine {
  /** The names of files. */
  list(place: SearchPlace, namePattern?: string): Promise<SearchFound<string>>
  /** Throws INVALID_ARGUMENTS for a pattern that the engine does not accept. */
  grep(query: SearchQuery, place: SearchPlace): Promise<SearchFound<SearchedFile>>
}

/** A longer line is reported, but not shown. */
export const maxLineBytes = 1000

/** `expected`: with the reason of the engine. */
export function patternRefused(expected: string): ContextdError {
  return new ContextdError('INVALID_ARGUMENTS', { fields: [{ field: 'pattern', expected }] })
}

/** `1 file`, `2 files`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Relative to the workspace, as other tools accept it; absolute for a file outside. */
export function shownName(name: string, { access, folder, isInWorkspace }: SearchPlace): string {
  const path = join(folder, name)
  return isInWorkspace ? relative(access.workspace, path) : path
}
