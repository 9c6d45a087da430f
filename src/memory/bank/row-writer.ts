/** Writes the row of a memory and its words, and looks whether both are there. In the transaction of whoever calls. */

import { ContextdError } from '../../core/errors/errors.ts'
import { insertMemory, isMemory, memoryHasWords } from '../../platform/storage/memory-rows.ts'
import { putMemoryWords, removeMemoryWords } from '../../platform/storage/memory-words.ts'
import type { Values } from '../../platform/storage/rows.ts'
import type { Store } from '../../platform/storage/store.ts'
import { memoryWordsOf, type KeptTexts } from './memory-row.ts'

export type MemoryColumns = Values<'memories'> & KeptTexts

/** Both throw MEMORY_NOT_KEPT where the row is not as it was written, or its words are not there: nothing of the transaction stays. */
export interface RowWriter {
  /** Answers its place. */
  insert(id: string, columns: MemoryColumns): number
  /** Columns that are not named stay as they are. */
  update(seq: number, columns: MemoryColumns): void
  remove(seq: number): void
}

export function createRowWriter(store: Store, tenant: string): RowWriter {
  const rows = () => store.rows('memories', { tenant })

  /** Makes a row findable, and looks whether it is there as it was written: what is not must not stay. */
  const settle = (seq: number, columns: MemoryColumns): void => {
    putMemoryWords(store, seq, memoryWordsOf(columns))
    if (!memoryHasWords(store, seq) || !isMemory(store, tenant, seq, columns))
      throw new ContextdError('MEMORY_NOT_KEPT')
  }

  return {
    insert(id, columns) {
      const seq = insertMemory(store, tenant, { ...columns, id })
      settle(seq, columns)
      return seq
    },
    update(seq, columns) {
      rows().update(columns, { seq })
      settle(seq, columns)
    },
    remove(seq) {
      removeMemoryWords(store, seq)
      rows().remove({ seq })
    },
  }
}
