/** Finds the parts of indexed folders that answer a question, limited to files the caller may read. */

import { join, relative } from 'node:path'

import { cutText } from '../../core/cut-text.ts'
import { findChunk, matchChunkWords, type FoundChunk } from '../../platform/storage/chunk-words.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Embedder } from '../search/embedder.ts'
import { createHybridSearch } from '../search/hybrid.ts'
import type { VectorIndex } from '../search/vector-index.ts'
import { textLines, decodedText, checkedSecrets, type ReadFile } from './file-words.ts'
import { maskSpans, type TextSpan } from './masked-text.ts'
import { matchingLines, queryWords, type ShownLine } from './matching-lines.ts'

export interface FindParts {
  readonly store: Store
  readonly tenant: string
  readonly secretsIn: (text: string) => readonly TextSpan[] | Promise<readonly TextSpan[]>
  readonly embedder?: Embedder | undefined
  readonly vectors?: VectorIndex | undefined
}

/** The caller's view of the machine. Paths are absolute. */
export interface RepositoryView {
  /** Paths in the answer are relative to it. */
  readonly workspace: string
  mayRead(path: string): boolean
  /** The file's current content; undefined if it is missing or not readable for the caller. */
  read(path: string): Promise<ReadFile | undefined>
}

export interface RepositoryQuery {
  readonly text: string
  readonly limit: number
  readonly view: RepositoryView
  /** Only files whose path relative to the workspace matches. */
  readonly only?: (path: string) => boolean
  readonly signal?: AbortSignal
}

export interface ChunkMatch {
  /** Relative to the workspace. */
  readonly path: string
  readonly name: string
  readonly firstLine: number
  readonly lastLine: number
  /** A selection of its lines; the rest can be read with other tools. */
  readonly lines: readonly ShownLine[]
  readonly score: number
}

export interface FoundMatches {
  readonly matches: readonly ChunkMatch[]
  /** Whether there are more beyond the limit. */
  readonly hasMore: boolean
  /** Files that changed since they were indexed, by folder. */
  readonly changed: ReadonlyMap<string, readonly string[]>
  /** What the caller should know about how they were found. */
  readonly note?: string
}

const semanticOnlyNote = 'No file shares a word with the question; these are the closest in meaning.'

/** Candidates per requested match. */
const candidatesPerMatch = 8
/** Per file: the caller can read on in it. */
const maxPerFile = 2
const maxLines = 12
const maxLineLength = 200

export async function findInFolders(
  parts: FindParts,
  folders: readonly string[],
  { text: query, limit, view, only, signal }: RepositoryQuery,
): Promise<FoundMatches> {
  // Like the files themselves: nothing unscrubbed reaches an embedder.
  const text = maskSpans(query, await checkedSecrets(query, parts), ' ')
  const isAboutTests = /\b(?:test|spec|fixture|sample|mock|example)/i.test(text)
  const visibleChunk = createChunkLookup(parts, new Set(folders), view, only)
  const search = createHybridSearch({
    lexical(expression, { limit: max }) {
      const hits: { row: number; score: number }[] = []
      for (const hit of matchChunkWords(parts.store, expression)) {
        if (visibleChunk(hit.row) === undefined) continue
        hits.push(hit)
        if (hits.length >= max) break
      }
      // Names and paths weigh so much here that normalizing by the theoretical maximum would be unfair to other
      // matches.
      return { hits, attainable: hits[0]?.score ?? 1 }
    },
    ...(parts.embedder !== undefined && { embedder: parts.embedder }),
    ...(parts.vectors !== undefined && { vectors: onlyVisible(parts.vectors, visibleChunk) }),
  })
  const found = await search.find({
    text,
    projects: folders,
    limit: limit * candidatesPerMatch,
    judge: (rows) =>
      new Map(
        rows.map((row) => [
          row,
          !isAboutTests && isTestFile(visibleChunk(row)?.path ?? '') ? testWeight : normalWeight,
        ]),
      ),
    ...(signal !== undefined && { signal }),
  })
  const words = queryWords(text)
  const files = new Map<string, Promise<readonly string[] | 'changed' | undefined>>()
  const perFile = new Map<string, number>()
  const matches: ChunkMatch[] = []
  const changed = new Map<string, string[]>()
  let hasMore = found.more > 0
  for (const { row, score } of found.rows) {
    const chunk = visibleChunk(row)
    if (chunk === undefined) continue
    if (matches.length >= limit) {
      hasMore = true
      break
    }
    const path = join(chunk.folder, chunk.path)
    const shown = perFile.get(path) ?? 0
    if (shown >= maxPerFile) continue
    perFile.set(path, shown + 1)
    const reading = files.get(path) ?? currentLines(parts, view, path, chunk)
    files.set(path, reading)
    const lines = await reading
    signal?.throwIfAborted()
    if (lines === 'changed') {
      changed.set(chunk.folder, [...new Set([...(changed.get(chunk.folder) ?? []), chunk.path])])
    } else if (lines !== undefined) matches.push(matchOf(chunk, score, lines, words, view))
  }
  const isGuess = matches.length > 0 && found.rows.every(({ lexical }) => lexical === undefined)
  const note = found.note ?? (isGuess ? semanticOnlyNote : undefined)
  return { matches, hasMore, changed, ...(note !== undefined && { note }) }
}

/** Ranking weight: a question about where something is usually means the implementation, not its tests. */
const normalWeight = 0.5
const testWeight = 0

function isTestFile(path: string): boolean {
  return (
    /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|samples?|__?mocks?__|testdata)\//i.test(path) ||
    /[._-](?:tests?|spec|samples?|fixtures?|mocks?)\../i.test(path.slice(path.lastIndexOf('/') + 1))
  )
}

type ChunkLookup = (row: number) => FoundChunk | undefined

/** Undefined for rows of other folders and of files the caller may not read, as if they did not exist. */
function createChunkLookup(
  { store, tenant }: FindParts,
  folders: ReadonlySet<string>,
  { workspace, mayRead }: RepositoryView,
  only: ((path: string) => boolean) | undefined,
): ChunkLookup {
  const chunks = new Map<number, FoundChunk | undefined>()
  const visible = new Map<string, boolean>()
  const isVisible = ({ folder, path: below }: FoundChunk): boolean => {
    const path = join(folder, below)
    let answer = visible.get(path)
    if (answer === undefined) {
      answer = mayRead(path) && (only === undefined || only(relative(workspace, path)))
      visible.set(path, answer)
    }
    return answer
  }
  return (row) => {
    if (!chunks.has(row)) {
      const chunk = findChunk(store, tenant, folders, row)
      chunks.set(row, chunk !== undefined && isVisible(chunk) ? chunk : undefined)
    }
    return chunks.get(row)
  }
}

/** Files the caller may not see must not take places among the nearest. */
function onlyVisible(vectors: VectorIndex, visibleChunk: ChunkLookup): VectorIndex {
  return {
    ...vectors,
    async nearest(query, options) {
      for (let max = options.limit; ; max *= 4) {
        const all = await vectors.nearest(query, { ...options, limit: max })
        const seen = all.filter(({ row }) => visibleChunk(row) !== undefined)
        if (seen.length >= options.limit || all.length < max) return seen.slice(0, options.limit)
      }
    },
  }
}

/** `changed` if the file is not as it was indexed. */
async function currentLines(
  parts: FindParts,
  view: RepositoryView,
  path: string,
  { size, changedMs }: FoundChunk,
): Promise<readonly string[] | 'changed' | undefined> {
  const file = await view.read(path)
  // Negative if it had just been written when indexed: see `update.ts`.
  if (file === undefined || file.size !== size || file.changedMs !== Math.abs(changedMs)) return 'changed'
  const text = decodedText(file.bytes)
  // A few lines may be an unrecognizable part of a secret, so the complete file is checked.
  if (text === undefined) return undefined
  return textLines(maskSpans(text, await checkedSecrets(text, parts), '[SECRET]'))
}

function matchOf(
  { folder, path, name, firstLine, lastLine }: FoundChunk,
  score: number,
  lines: readonly string[],
  words: ReadonlySet<string>,
  { workspace }: RepositoryView,
): ChunkMatch {
  const chunkLines = lines
    .slice(firstLine - 1, lastLine)
    .map((text, at) => ({ number: firstLine + at, text: cutText(text.trimEnd(), maxLineLength) }))
  return {
    path: relative(workspace, join(folder, path)),
    name,
    firstLine,
    lastLine,
    lines: matchingLines(chunkLines, words, maxLines),
    score,
  }
}
