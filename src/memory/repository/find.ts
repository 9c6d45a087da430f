/** Finds the parts of indexed folders that answer a question, and of those only what the asker may read. */

import { join, relative } from 'node:path'

import { cutText } from '../../core/cut-text.ts'
import { findChunk, matchChunkWords, type FoundChunk } from '../../platform/storage/chunk-words.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Embedder } from '../search/embedder.ts'
import { createHybridSearch } from '../search/hybrid.ts'
import type { VectorIndex } from '../search/vector-index.ts'
import { textLines, decodedText, vouchedSecrets, type ReadFile } from './file-words.ts'
import { maskSpans, type TextSpan } from './masked-text.ts'
import { matchingLines, soughtWords, type ShownLine } from './matching-lines.ts'

export interface FindParts {
  readonly store: Store
  readonly tenant: string
  readonly secretsIn: (text: string) => readonly TextSpan[] | Promise<readonly TextSpan[]>
  readonly embedder?: Embedder | undefined
  readonly vectors?: VectorIndex | undefined
}

/** Who asks, and what of the machine they may see. Paths are absolute. */
export interface RepositoryView {
  /** Where paths of the answer begin. */
  readonly workspace: string
  mayRead(path: string): boolean
  /** The file as it is now; undefined where it is gone, or not theirs to read. */
  read(path: string): Promise<ReadFile | undefined>
}

export interface RepositoryQuery {
  readonly text: string
  readonly limit: number
  readonly view: RepositoryView
  /** Only files whose path from the workspace passes. */
  readonly only?: (path: string) => boolean
  readonly signal?: AbortSignal
}

export interface ChunkMatch {
  /** From the workspace. */
  readonly path: string
  readonly name: string
  readonly firstLine: number
  readonly lastLine: number
  /** Some of its lines; the rest is read with other means. */
  readonly lines: readonly ShownLine[]
  readonly score: number
}

export interface FoundMatches {
  readonly matches: readonly ChunkMatch[]
  /** Whether there are others beyond the limit. */
  readonly hasMore: boolean
  /** Files that changed since they were indexed, by folder. */
  readonly changed: ReadonlyMap<string, readonly string[]>
  /** What the asker should know of how they were found. */
  readonly note?: string
}

const onlyMeaning = 'No file shares a word with the question; these are the closest in meaning.'

/** Candidates for each one that is asked for. */
const candidates = 8
/** Of one file: who found it there can read on in it. */
const maxPerFile = 2
const maxLines = 12
const maxLineLength = 200

export async function findInFolders(
  parts: FindParts,
  folders: readonly string[],
  { text: asked, limit, view, only, signal }: RepositoryQuery,
): Promise<FoundMatches> {
  // As the files themselves: nothing unscrubbed goes to an embedder.
  const text = maskSpans(asked, await vouchedSecrets(asked, parts), ' ')
  const aboutTests = /\b(?:test|spec|fixture|sample|mock|example)/i.test(text)
  const look = lookUp(parts, new Set(folders), view, only)
  const search = createHybridSearch({
    lexical(expression, { limit: most }) {
      const hits: { row: number; score: number }[] = []
      for (const hit of matchChunkWords(parts.store, expression)) {
        if (look(hit.row) === undefined) continue
        hits.push(hit)
        if (hits.length >= most) break
      }
      // Names and paths weigh so much here that no other measure is fair to the rest.
      return { hits, attainable: hits[0]?.score ?? 1 }
    },
    ...(parts.embedder !== undefined && { embedder: parts.embedder }),
    ...(parts.vectors !== undefined && { vectors: onlyVisible(parts.vectors, look) }),
  })
  const found = await search.find({
    text,
    projects: folders,
    limit: limit * candidates,
    judge: (rows) =>
      new Map(rows.map((row) => [row, !aboutTests && isAside(look(row)?.path ?? '') ? aside : usual])),
    ...(signal !== undefined && { signal }),
  })
  const sought = soughtWords(text)
  const files = new Map<string, Promise<readonly string[] | 'changed' | undefined>>()
  const perFile = new Map<string, number>()
  const matches: ChunkMatch[] = []
  const changed = new Map<string, string[]>()
  let hasMore = found.more > 0
  for (const { row, score } of found.rows) {
    const chunk = look(row)
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
    } else if (lines !== undefined) matches.push(matchOf(chunk, score, lines, sought, view))
  }
  const isGuess = matches.length > 0 && found.rows.every(({ lexical }) => lexical === undefined)
  const note = found.note ?? (isGuess ? onlyMeaning : undefined)
  return { matches, hasMore, changed, ...(note !== undefined && { note }) }
}

/** How much a part counts: who asks where something is means what does it, and rather not what tries it out. */
const usual = 0.5
const aside = 0

function isAside(path: string): boolean {
  return (
    /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|samples?|__?mocks?__|testdata)\//i.test(path) ||
    /[._-](?:tests?|spec|samples?|fixtures?|mocks?)\../i.test(path.slice(path.lastIndexOf('/') + 1))
  )
}

type Look = (row: number) => FoundChunk | undefined

/** Undefined for rows of others, and for those of files that the asker may not read: for them there are none. */
function lookUp(
  { store, tenant }: FindParts,
  folders: ReadonlySet<string>,
  { workspace, mayRead }: RepositoryView,
  only: ((path: string) => boolean) | undefined,
): Look {
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

/** What the asker may not see takes no place among the nearest. */
function onlyVisible(vectors: VectorIndex, look: Look): VectorIndex {
  return {
    ...vectors,
    async nearest(query, options) {
      for (let most = options.limit; ; most *= 4) {
        const all = await vectors.nearest(query, { ...options, limit: most })
        const seen = all.filter(({ row }) => look(row) !== undefined)
        if (seen.length >= options.limit || all.length < most) return seen.slice(0, options.limit)
      }
    },
  }
}

/** `changed` where they are not those that were indexed. */
async function currentLines(
  parts: FindParts,
  view: RepositoryView,
  path: string,
  { size, changedMs }: FoundChunk,
): Promise<readonly string[] | 'changed' | undefined> {
  const file = await view.read(path)
  // Negative where it had only just been written: see `update.ts`.
  if (file === undefined || file.size !== size || file.changedMs !== Math.abs(changedMs)) return 'changed'
  const text = decodedText(file.bytes)
  // A few lines may be a part of a secret that nobody would recognise: it is looked for in the whole file.
  if (text === undefined) return undefined
  return textLines(maskSpans(text, await vouchedSecrets(text, parts), '[SECRET]'))
}

function matchOf(
  { folder, path, name, firstLine, lastLine }: FoundChunk,
  score: number,
  lines: readonly string[],
  sought: ReadonlySet<string>,
  { workspace }: RepositoryView,
): ChunkMatch {
  const own = lines
    .slice(firstLine - 1, lastLine)
    .map((text, at) => ({ number: firstLine + at, text: cutText(text.trimEnd(), maxLineLength) }))
  return {
    path: relative(workspace, join(folder, path)),
    name,
    firstLine,
    lastLine,
    lines: matchingLines(own, sought, maxLines),
    score,
  }
}
