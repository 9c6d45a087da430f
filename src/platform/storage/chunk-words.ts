/** The repository index: files, their chunks, and the words of those. Every statement is limited to one owner. */

import type { SqlRow } from './sqlite.ts'
import type { Store } from './store.ts'

/** `project` is the indexed folder. */
export interface IndexOwner {
  readonly tenant: string
  readonly project: string
}

export interface IndexedFile {
  /** Relative to the folder; empty for the row of the folder itself. */
  readonly path: string
  readonly sha256: Uint8Array
  readonly size: number
  readonly changedMs: number
  /** Empty for a file without indexable content. */
  readonly language: string
  readonly indexedAt: number
}

export interface ChunkWords {
  readonly name: string
  readonly firstLine: number
  readonly lastLine: number
  /** In the form of `indexedWords`. */
  readonly words: { readonly path: string; readonly name: string; readonly body: string }
}

export interface FoundChunk {
  readonly row: number
  readonly folder: string
  readonly path: string
  readonly name: string
  readonly firstLine: number
  readonly lastLine: number
  readonly size: number
  readonly changedMs: number
}

type Statements = Pick<Store, 'prepare'>

/** Replaces a file's entry. Returns the rows of its chunks in order. */
export function putIndexedFile(
  store: Statements,
  { tenant, project }: IndexOwner,
  { path, sha256, size, changedMs, language, indexedAt }: IndexedFile,
  chunks: readonly ChunkWords[],
): number[] {
  const file = store
    .prepare(
      `INSERT INTO indexed_files (tenant, project, session, agent, path, sha256, size, changed_ms, language, indexed_at)
       VALUES (?, ?, '', '', ?, ?, ?, ?, ?, ?)
       ON CONFLICT (tenant, project, path) DO UPDATE SET sha256 = excluded.sha256, size = excluded.size,
         changed_ms = excluded.changed_ms, language = excluded.language, indexed_at = excluded.indexed_at
       RETURNING seq`,
    )
    .get(tenant, project, path, sha256, size, changedMs, language, indexedAt)!.seq!
  const addChunk = store.prepare(
    `INSERT INTO chunks (tenant, project, session, agent, file, name, first_line, last_line)
     VALUES (?, ?, '', '', ?, ?, ?, ?) RETURNING seq`,
  )
  const addWords = store.prepare('INSERT INTO chunk_words (rowid, path, name, body) VALUES (?, ?, ?, ?)')
  return chunks.map(({ name, firstLine, lastLine, words }) => {
    const row = Number(addChunk.get(tenant, project, file, name, firstLine, lastLine)!.seq)
    addWords.run(row, words.path, words.name, words.body)
    return row
  })
}

/** Size and date of a file when it was last indexed. */
export type KnownFile = Pick<IndexedFile, 'path' | 'size' | 'changedMs'>

/** The indexed files in a subfolder, or all. */
export function knownFiles(
  store: Statements,
  { tenant, project }: IndexOwner,
  below?: string,
): readonly KnownFile[] {
  const select =
    'SELECT path, size, changed_ms AS changedMs FROM indexed_files WHERE tenant = ? AND project = ?'
  const rows =
    below === undefined
      ? store.prepare(`${select} AND path <> ''`).all(tenant, project)
      : // All paths that start with the folder and a slash: `0` follows `/`.
        store.prepare(`${select} AND path > ? AND path < ?`).all(tenant, project, `${below}/`, `${below}0`)
  return rows as unknown as KnownFile[]
}

/** The fingerprint of a file when it was indexed; the row of the folder itself contains the format of all files. */
export function knownContent(
  store: Statements,
  { tenant, project }: IndexOwner,
  path: string,
): Buffer | undefined {
  const row = store
    .prepare('SELECT sha256 FROM indexed_files WHERE tenant = ? AND project = ? AND path = ?')
    .get(tenant, project, path)
  return row && Buffer.from(row.sha256 as Uint8Array)
}

/** Removes the chunks of a file and returns their rows. */
export function removeChunks(store: Statements, { tenant, project }: IndexOwner, path: string): number[] {
  const rows = store
    .prepare(
      `DELETE FROM chunks WHERE tenant = ? AND project = ?
       AND file = (SELECT seq FROM indexed_files WHERE tenant = ? AND project = ? AND path = ?) RETURNING seq`,
    )
    .all(tenant, project, tenant, project, path)
    .map(({ seq }) => Number(seq))
  const removeWords = store.prepare('DELETE FROM chunk_words WHERE rowid = ?')
  for (const row of rows) removeWords.run(row)
  return rows
}

/** The weights of path, name and body: a chunk named like the search term is almost always right. */
const weights = 'bm25(2.0, 4.0, 1.0)'

/** All rows that share words with the expression, best first, regardless of the owner: the caller must check each. */
export function* matchChunkWords(
  store: Pick<Store, 'iterate'>,
  expression: string,
): Generator<{ readonly row: number; readonly score: number }> {
  const found = store.iterate(
    'SELECT rowid, rank FROM chunk_words WHERE chunk_words MATCH ? AND rank MATCH ? ORDER BY rank',
    expression,
    weights,
  )
  for (const { rowid, rank } of found) yield { row: Number(rowid), score: -Number(rank) }
}

/** Undefined if the row does not or no longer belong to these folders. */
export function findChunk(
  store: Statements,
  tenant: string,
  folders: ReadonlySet<string>,
  row: number,
): FoundChunk | undefined {
  const found = store
    .prepare(
      `SELECT chunks.project, name, first_line, last_line, path, size, changed_ms
       FROM chunks JOIN indexed_files ON indexed_files.seq = chunks.file
       WHERE chunks.seq = ? AND chunks.tenant = ? AND indexed_files.tenant = ?`,
    )
    .get(row, tenant, tenant)
  if (found === undefined || !folders.has(String(found.project))) return undefined
  return {
    row,
    folder: String(found.project),
    path: String(found.path),
    name: String(found.name),
    firstLine: Number(found.first_line),
    lastLine: Number(found.last_line),
    size: Number(found.size),
    changedMs: Number(found.changed_ms),
  }
}

export interface IndexSize {
  readonly files: number
  readonly chunks: number
  /** When the last full update finished; 0 for never. */
  readonly indexedAt: number
}

/** Undefined if the folder is not indexed. */
export function indexSize(store: Statements, { tenant, project }: IndexOwner): IndexSize | undefined {
  const folder = store
    .prepare("SELECT indexed_at FROM indexed_files WHERE tenant = ? AND project = ? AND path = ''")
    .get(tenant, project)
  if (folder === undefined) return undefined
  const sizes = store
    .prepare(
      `SELECT count(*) AS files, total((SELECT count(*) FROM chunks WHERE file = indexed_files.seq)) AS chunks
       FROM indexed_files WHERE tenant = ? AND project = ? AND language <> ''`,
    )
    .get(tenant, project)!
  return {
    files: Number(sizes.files),
    chunks: Number(sizes.chunks),
    indexedAt: Number(folder.indexed_at),
  }
}

/** Folders with at least one finished full update: the others may be being indexed right now. */
export function finishedFolders(store: Statements, tenant: string): string[] {
  return store
    .prepare(
      "SELECT project FROM indexed_files WHERE tenant = ? AND path = '' AND indexed_at > 0 ORDER BY project",
    )
    .all(tenant)
    .map(({ project }) => String(project))
}

/** All indexed folders, or only those inside `folder`. */
export function indexedFolders(store: Statements, tenant: string, folder?: string): string[] {
  const rows: SqlRow[] =
    folder === undefined
      ? store.prepare("SELECT project FROM indexed_files WHERE tenant = ? AND path = ''").all(tenant)
      : store
          .prepare(
            "SELECT project FROM indexed_files WHERE tenant = ? AND project > ? AND project < ? AND path = ''",
          )
          .all(tenant, `${folder}/`, `${folder}0`)
  return rows.map(({ project }) => String(project)).sort()
}
