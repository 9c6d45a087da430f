/** Writes the row of a memory and its words, and looks whether both are there. In the transaction of whoever calls. */

import { ContextdError } from '../../core/errors.ts'
import { memoryHasWords } from '../../platform/storage/memory-rows.ts'
import { putMemoryWords, removeMemoryWords } from '../../platform/storage/memory-words.ts'
import type { Values } from '../../platform/storage/rows.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'
import { matchExpression } from '../search/words.ts'
import { wordsOf, type KeptTexts } from './memory-row.ts'

export type MemoryColumns = Values<'memories'> & KeptTexts

export interface RowWriter {
  insert(id: string, columns: MemoryColumns): SqlRow
  /** Columns that are not named stay as they are. */
  update(id: string, columns: MemoryColumns): SqlRow
  remove(row: SqlRow): void
}

export function createRowWriter(store: Store, tenant: string): RowWriter {
  const rows = () => store.rows('memories', { tenant })

  /** What does not read back as it was written must not stay: the exception ends the transaction. */
  const confirmed = (id: string, columns: MemoryColumns): SqlRow => {
    const row = rows().first({ id })
    const isAsWritten =
      row !== undefined && Object.entries(columns).every(([name, value]) => row[name] === value)
    if (!isAsWritten) throw new ContextdError('MEMORY_NOT_KEPT')
    putMemoryWords(store, Number(row.seq), wordsOf(columns))
    const word = tellingWord(columns.title)
    if (word !== undefined && !memoryHasWords(store, Number(row.seq), word))
      throw new ContextdError('MEMORY_NOT_KEPT')
    return row
  }

  return {
    insert(id, columns) {
      rows().insert({ ...columns, id })
      return confirmed(id, columns)
    },
    update(id, columns) {
      rows().update(columns, { id })
      return confirmed(id, columns)
    },
    remove(row) {
      removeMemoryWords(store, Number(row.seq))
      rows().remove({ seq: Number(row.seq) })
    },
  }
}

/** The longest word of a text is in few others, so that to look for it costs little. */
function tellingWord(text: string): string | undefined {
  const terms = matchExpression(text)?.split(' OR ') ?? []
  return terms.reduce<string | undefined>(
    (best, term) => (term.length > (best?.length ?? 0) ? term : best),
    undefined,
  )
}
