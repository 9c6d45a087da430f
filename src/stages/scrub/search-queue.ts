/** The stored secrets that this process has not searched for yet, in the order in which it will. */

import type { Rows } from '../../platform/storage/rows.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { FoundSecret } from '@contextd/scrub/internal/session-tokens'
import { storedLength } from './secret-cipher.ts'

export interface SearchQueueOptions {
  readonly rows: Rows<'secrets'>
  readonly isAlive: (row: SqlRow) => boolean
  readonly open: (rows: readonly SqlRow[]) => FoundSecret[]
}

export interface SearchQueue {
  /** The next batch of values to search for, or with `all`, every remaining one. Reads the store. */
  next(all: boolean): readonly FoundSecret[]
  /** Whether `next` would return some without anything new in the store. */
  hasMore(all: boolean): boolean
  /** Searches for a stored secret with the next batch. */
  add(row: SqlRow): void
  /** Leaves out a secret that this process stored itself. */
  skip(id: string): void
}

/** Max number and total length of past secrets to search for: each is searched in many forms. */
const maxSearchedValues = 2000
const maxSearchedChars = 400_000
/** Max values per batch: preparing one for searching costs more than reading it. */
const batchSize = 250

export function createSearchQueue({ rows, isAlive, open }: SearchQueueOptions): SearchQueue {
  /** The newest secret in the store when it was last read. */
  let lastSeq: number | undefined
  /** Ids of secrets that this process already searches for. */
  const searched = new Set<string>()
  /** Values still to be searched for: by id, and decrypted. */
  let waiting: string[] = []
  let pending: FoundSecret[] = []

  const add = (found: readonly SqlRow[]): void => {
    const newRows = found.filter((row) => !searched.has(String(row.id)) && isAlive(row))
    pending.push(...open(newRows))
    for (const { id } of newRows) searched.add(String(id))
  }

  const queueNewRows = (): void => {
    const newest = Number(rows.first({}, { orderBy: 'seq', descending: true })?.seq ?? 0)
    if (lastSeq === undefined) waiting = newest === 0 ? [] : firstIds(rows)
    else if (newest > lastSeq) {
      const since = rows.all({ seq: { atLeast: lastSeq + 1, atMost: newest } }, { orderBy: 'seq' })
      waiting = [...since.map(({ id }) => String(id)), ...waiting]
    }
    lastSeq = newest
  }

  return {
    next(all) {
      queueNewRows()
      const count = all ? waiting.length : batchSize
      // Read again, because waiting secrets may have been forgotten.
      const batch = waiting.slice(0, count).map((id) => rows.first({ id }))
      add(batch.filter((row) => row !== undefined))
      waiting = waiting.slice(count)
      const found = pending
      pending = []
      return found
    },
    hasMore: (all) => pending.length > 0 || (all && waiting.length > 0),
    add: (row) => add([row]),
    skip: (id) => void searched.add(id),
  }
}

/** The user's values first, then the most recently seen ones, up to the limits. */
function firstIds(rows: Rows<'secrets'>): string[] {
  const chosen = rows.all({ kind: 'set' })
  let room = maxSearchedChars
  const latest = { orderBy: 'seen_at', descending: true, limit: maxSearchedValues } as const
  for (const row of rows.iterate({ kind: 'found' }, latest)) {
    if (storedLength(row) > room) continue
    room -= storedLength(row)
    chosen.push(row)
  }
  return chosen.map(({ id }) => String(id))
}
