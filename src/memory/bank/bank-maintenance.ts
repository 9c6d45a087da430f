/** Changes stored memories: removal, merging, feedback. */

import type { SqlRow } from '../../platform/storage/sqlite.ts'
import { refuseScope, scopeOfMemory, type MemoryReach } from '../memory-access.ts'
import type { Bank } from './bank.ts'
import type { BankParts } from './bank-write.ts'
import { addEvidence, confidenceOf, evidenceOf, type Evidence } from './confidence.ts'
import { refuseUnfit, throwIssues } from './memory-fields.ts'
import { readMemory } from './memory-row.ts'
import type { MemoryOutcome } from './memory.ts'

export function bankMaintenance({
  store,
  tenant,
  clock,
  vectors,
  writer,
  rowOf,
}: BankParts): Pick<Bank, 'remove' | 'merge' | 'feedback'> {
  const rows = () => store.rows('memories', { tenant })
  const writableRow = (reach: MemoryReach, id: string): SqlRow => {
    const row = rowOf(reach, id)
    refuseScope(reach, 'write', scopeOfMemory(row, reach))
    return row
  }
  /** Includes feedback on memories merged into it. Repeated feedback counts once. */
  const verdictsOn = (memory: string): Evidence[] => {
    const feedbackRows = store.rows('memory_feedback', { tenant }).all({ memory })
    const verdicts = new Map(
      feedbackRows.map(({ session, agent, helpful, outcome }) => [
        JSON.stringify([session, agent, helpful, outcome]),
        evidenceOf({ helpful: helpful === 1, outcome: (outcome as MemoryOutcome | null) ?? undefined }),
      ]),
    )
    const merged = rows().all({ merged_into: memory })
    return [...verdicts.values(), ...merged.flatMap(({ id }) => verdictsOn(id as string))]
  }

  return {
    async remove({ reach }, ids) {
      const { restored, finish } = store.transaction(() => {
        const removed = [...new Set(ids)].map((id) => writableRow(reach, id))
        for (const row of removed) {
          writer.remove(Number(row.seq))
          store.rows('memory_feedback', { tenant }).remove({ memory: row.id as string })
        }
        const restored = removed.flatMap(({ id }) => {
          const hidden = rows().all({ merged_into: id as string }, { orderBy: 'seq' })
          rows().update({ merged_into: null }, { merged_into: id as string })
          return hidden.map((row) => row.id as string)
        })
        return { restored, finish: vectors.remove(removed.map(({ seq }) => Number(seq))) }
      })
      const note = await finish()
      return { restored, ...(note !== undefined && { note }) }
    },

    merge({ reach, archiver }, into, ids) {
      const row = store.transaction(() => {
        const target = writableRow(reach, into)
        const others = [...new Set(ids)].map((id) => writableRow(reach, id))
        const isFree = (one: SqlRow): boolean => one.merged_into === null
        throwIssues([
          ...(isFree(target) ? [] : [{ field: 'into', expected: 'a memory that is not merged itself' }]),
          ...(others.some(({ id }) => id === into) ? [{ field: 'ids', expected: 'other memories' }] : []),
          ...(others.every(isFree) ? [] : [{ field: 'ids', expected: 'memories that are not merged yet' }]),
        ])
        const { helped, misled } = addEvidence(
          { helped: Number(target.helped), misled: Number(target.misled) },
          ...others.flatMap(({ id }) => verdictsOn(id as string)),
        )
        for (const { id } of others) rows().update({ merged_into: into }, { id: id as string })
        rows().update({ helped, misled }, { id: into })
        return rowOf(reach, into)
      })
      return readMemory(row, archiver)
    },

    feedback({ reach, archiver }, id, { helpful, outcome, comment = '' }) {
      refuseUnfit({ outcome, comment })
      const archivedComment = archiver.archive(comment)
      const { project, session, agent } = reach
      return store.transaction(() => {
        const row = writableRow(reach, id)
        const before = { helped: Number(row.helped), misled: Number(row.misled) }
        const verdicts = store.rows('memory_feedback', { tenant })
        const verdict = { memory: id, session, agent, helpful: helpful ? 1 : 0, outcome: outcome ?? null }
        // Repeating the same feedback is not new evidence.
        const isRepeated = verdicts.first(verdict) !== undefined
        const after = isRepeated ? before : addEvidence(before, evidenceOf({ helpful, outcome }))
        verdicts.insert({
          ...verdict,
          project,
          comment: archivedComment,
          created_at: clock(),
        })
        rows().update({ ...after }, { id })
        return { before: confidenceOf(before), after: confidenceOf(after) }
      })
    },
  }
}
