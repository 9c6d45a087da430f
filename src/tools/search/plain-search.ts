/**
 * Searches without ripgrep: every file is checked and opened like in `safe_read`, and the pattern runs on RE2, in time
 * linear in the text.
 */

import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'

import type { RE2JS } from 're2js'

import { walkFolder } from '@contextd/shared/files/walk'
import { CodedError } from '../../core/errors/errors.ts'
import { decodeText, fileKind } from '../../platform/files/file-kind.ts'
import { openForRead, type FileAccess } from '../files/confined-file.ts'
import { inTime } from '../in-time.ts'
import {
  maxLineBytes,
  patternRefused,
  type FoundLine,
  type SearchedFile,
  type SearchEngine,
  type SearchPlace,
  type SearchQuery,
} from './search.ts'

const maxFileBytes = 16 * 1_048_576
/** As in ripgrep, a NUL here means that the file is not text. */
const headBytes = 65_536
/** The thread is released after this time. */
const maxTurnMs = 20
/** Per piece of a file, which takes some milliseconds with any reasonable pattern. */
const patienceMs = 500
const linesPerPiece = 500
/** RE2 takes time in proportion to it, for every character. */
const maxProgramSize = 2000

/** Far more than an answer shows. */
const maxKeptLines = 10_000

export const plainSearch: SearchEngine = {
  async list(place) {
    const items: string[] = []
    for await (const name of readableNames(place)) items.push(name)
    return { items, notes: [] }
  },
  async grep(query, place) {
    const pattern = await compile(query.pattern)
    const items: SearchedFile[] = []
    let tooLarge = 0
    let linesLeft = maxKeptLines
    for await (const name of readableNames(place)) {
      const bytes = await readText(join(place.folder, name), place.access)
      if (bytes === 'too large') tooLarge++
      else if (bytes !== undefined) {
        const file = await searchText(name, bytes, pattern, query, place)
        if (file.count > 0) {
          items.push(linesLeft > 0 ? file : { ...file, lines: [] })
          linesLeft -= file.lines.length
        }
      }
    }
    const notes =
      tooLarge === 0
        ? []
        : [`Not searched: ${tooLarge} files over ${maxFileBytes >> 20} MB (ripgrep is missing).`]
    return { items, notes }
  },
}

/** Releases the thread and stops when the caller is gone. */
async function* readableNames({
  call,
  access,
  folder,
  file,
  isInWorkspace,
}: SearchPlace): AsyncGenerator<string> {
  if (file !== undefined) return yield file
  const walk = walkFolder({
    root: isInWorkspace ? access.workspace : folder,
    folder,
    ignoreFiles: ['.gitignore'],
    onIgnored: () => {},
    onSkip: () => {},
    onWarning: () => {},
  })
  const prefix = isInWorkspace && folder !== access.workspace ? folder.length - access.workspace.length : 0
  let began = performance.now()
  for (const { name: fromRoot } of walk) {
    if (performance.now() - began > maxTurnMs) {
      await nextTurn()
      call.signal.throwIfAborted()
      began = performance.now()
    }
    const name = fromRoot.slice(prefix)
    if (!name.includes('\n') && access.mayRead(join(folder, name))) yield name
  }
}

/** Undefined if it is not text, or may not be read. */
async function readText(path: string, access: FileAccess): Promise<Buffer | 'too large' | undefined> {
  try {
    const file = await openForRead(path, access)
    try {
      if (file.stat.size > maxFileBytes) return 'too large'
      const bytes = await file.read(0, file.stat.size)
      const kind = fileKind(bytes.subarray(0, headBytes), bytes.length <= headBytes)
      if (kind.kind === 'text' && kind.encoding.startsWith('utf-16'))
        return Buffer.from(decodeText(bytes, kind.encoding))
      const start = bytes.subarray(0, 3).toString() === '\uFEFF' ? 3 : 0
      const end = bytes.indexOf(0)
      return end !== -1 && end < headBytes ? undefined : bytes.subarray(start, end === -1 ? undefined : end)
    } finally {
      file.close()
    }
  } catch (error) {
    if (error instanceof CodedError) return undefined
    throw error
  }
}

async function searchText(
  name: string,
  bytes: Buffer,
  pattern: RE2JS,
  { mode, context }: SearchQuery,
  { call }: SearchPlace,
): Promise<SearchedFile> {
  const starts = lineStarts(bytes)
  const lineAt = (index: number): string =>
    bytes.toString('utf8', starts[index], starts[index + 1]).replace(/\r?\n$|\r$/, '')
  const matching: number[] = []
  for (let from = 0; from < starts.length; from += linesPerPiece) {
    const to = Math.min(from + linesPerPiece, starts.length)
    const found = inTime(() => {
      const hits: number[] = []
      for (let index = from; index < to; index++) if (pattern.test(lineAt(index))) hits.push(index)
      return hits
    }, patienceMs)
    if (found === undefined) throw patternRefused('one that is faster to match: ripgrep is missing')
    matching.push(...found)
    if (mode === 'files' && matching.length > 0) break
    if (to < starts.length) await nextTurn()
    call.signal.throwIfAborted()
  }
  if (mode !== 'content') return { name, count: matching.length, lines: [] }
  const kept = matching.slice(0, maxKeptLines)
  const matches = new Set(kept)
  const shown = new Set(
    kept.flatMap((index) => Array.from({ length: 2 * context + 1 }, (_, step) => index - context + step)),
  )
  const lines = [...shown]
    .filter((index) => index >= 0 && index < starts.length)
    .map((index): FoundLine => {
      const text = lineAt(index)
      return {
        number: index + 1,
        offset: starts[index]!,
        text: Buffer.byteLength(text) > maxLineBytes ? undefined : text,
        isMatch: matches.has(index),
      }
    })
  return { name, count: matching.length, lines }
}

/** A line end at the end of the file starts no line. */
function lineStarts(bytes: Buffer): number[] {
  const starts = bytes.length === 0 ? [] : [0]
  for (let at = bytes.indexOf(10); at !== -1 && at + 1 < bytes.length; at = bytes.indexOf(10, at + 1))
    starts.push(at + 1)
  return starts
}

async function compile(source: string): Promise<RE2JS> {
  const { RE2JS } = await import('re2js')
  let pattern: RE2JS
  try {
    pattern = RE2JS.compile(source)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw patternRefused(
      `a regular expression: ${reason.replace(/^error parsing regexp: /, '').split(': `')[0]}`,
    )
  }
  if (pattern.programSize() > maxProgramSize) throw patternRefused('a smaller one: ripgrep is missing')
  return pattern
}
