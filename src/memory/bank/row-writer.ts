/** Writes the row of a memory and its words, and looks whether both are there. In the transaction of whoever calls. */

import { ContextdError } from '../../core/errors.ts'
import { isMemory, memoryHasWords, memorySeq } from '../../platform/storage/memory-rows.ts'
import { putMemoryWords, removeMemoryWords } from '../../platform/storage/memory-words.ts'
import type { Values } from '../../platform/storage/rows.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'
import { wordsOf, type KeptTexts } from './memory-row.ts'

export type MemoryColumns = Values<'memories'> & KeptTexts

export interface RowWriter {
  /** Answers its place; `settle` follows. */
  insert(id: string, columns: MemoryColumns): number
  /** Columns that are not named stay as they are; `settle` follows. */
  update(id: string, columns: MemoryColumns): void
  /** Makes a row findable. MEMORY_NOT_KEPT where it is not there as it was written, or not found: nothing of the transaction stays. */
  settle(seq: number, columns: MemoryColumns): void
  remove(row: SqlRow): void
}

export function createRowWriter(store: Store, tenant: string): RowWriter {
  const rows = () => store.rows('memories', { tenant })
  return {
    insert(id, columns) {
      rows().insert({ ...columns, id })
      const seq = memorySeq(store, tenant, id)
      if (seq === undefined) throw new ContextdError('MEMORY_NOT_KEPT')
      return seq
    },
    update(id, columns) {
      rows().update(columns, { id })
    },
    settle(seq, columns) {
      const words = wordsOf(columns)
      putMemoryWords(store, seq, words)
      const word = longestOf(words.title)
      const isFound = word === '' || memoryHasWords(store, seq, `"${word}"`)
      if (!isFound || !isMemory(store, tenant, seq, columns)) throw new ContextdError('MEMORY_NOT_KEPT')
    },
    remove(row) {
      removeMemoryWords(store, Number(row.seq))
      rows().remove({ seq: Number(row.seq) })
    },
  }
}

/** The longest word of a title is in few others, so that to look for it costs little. */
function longestOf(words: string): string {
  return words.split(' ').reduce((longest, word) => (word.length > longest.length ? word : longest), '')
}
