/** Writes the row of a memory and its words, and verifies both. Runs in the caller's transaction. */

import { ContextdError } from '../../core/errors/errors.ts'
import { insertMemory, isMemory, memoryHasWords } from '../../platform/storage/memory-rows.ts'
import { putMemoryWords, removeMemoryWords } from '../../platform/storage/memory-words.ts'
import type { Values } from '../../platform/storage/row-sql.ts'
import type { Store } from '../../platform/storage/store.ts'
import { memoryWordsOf, type ArchivedTexts } from './memory-row.ts'

export type MemoryColumns = Values<'memories'> & ArchivedTexts

/**
 * Both throw MEMORY_NOT_KEPT if the row does not read back as written, or its words are missing: the transaction must
 * then be rolled back.
 */
export interface RowWriter {
  /** Returns its sequence number. */
  insert(id: string, columns: MemoryColumns): number
  /** Columns that are not given stay unchanged. */
  update(seq: number, columns: MemoryColumns): void
  remove(seq: number): void
}

export function createRowWriter(store: Store, tenant: string): RowWriter {
  const rows = () => store.rows('memories', { tenant })

  /** Indexes a row's words and verifies that the row reads back as written. */
  const indexAndVerify = (seq: number, columns: MemoryColumns): void => {
    putMemoryWords(store, seq, memoryWordsOf(columns))
    if (!memoryHasWords(store, seq) || !isMemory(store, tenant, seq, columns))
      throw new ContextdError('MEMORY_NOT_KEPT')
  }

  return {
    insert(id, columns) {
      const seq = insertMemory(store, tenant, { ...columns, id })
      indexAndVerify(seq, columns)
      return seq
    },
    update(seq, columns) {
      rows().update(columns, { seq })
      indexAndVerify(seq, columns)
    },
    remove(seq) {
      removeMemoryWords(store, seq)
      rows().remove({ seq })
    },
  }
}
