/** Memories that have no vector of the current model yet, and the vectors computed for them. */

import { ContextdError } from '../../core/errors/errors.ts'
import { memoriesWithout } from '../../platform/storage/memory-rows.ts'
import type { Bank } from './bank.ts'
import { vectorOf } from './bank-vectors.ts'
import type { BankParts } from './bank-write.ts'
import { ownerIn, rowTexts, textToEmbed } from './memory-row.ts'

export function bankBackfill({ store, tenant, vectors }: BankParts): Pick<Bank, 'pending' | 'putVectors'> {
  return {
    pending: ({ model, after = 0, limit }) =>
      memoriesWithout(store, { tenant, model, after, limit }).map((row) => ({
        row: Number(row.seq),
        text: textToEmbed(rowTexts(row)),
      })),

    async putVectors(newVectors, model) {
      const rows = store.rows('memories', { tenant })
      const fitting = () =>
        newVectors.flatMap(({ row: seq, text, vector }) => {
          const row = rows.first({ seq })
          if (row === undefined || textToEmbed(rowTexts(row)) !== text) return []
          rows.update({ ...vectors.columns(vector, model) }, { seq })
          return vectorOf(seq, ownerIn(row), vector)
        })
      const { placed, finish } = store.transaction(() => {
        const placed = fitting()
        return { placed, finish: vectors.place(placed, model) }
      })
      const problem = await finish()
      if (problem !== undefined) throw new ContextdError('VECTORS_UNAVAILABLE', { problem })
      return placed.length
    },
  }
}
