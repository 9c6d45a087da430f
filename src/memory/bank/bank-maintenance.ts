/** Operations on stored memories: reading, feedback, merging, removal. */

import { CodedError, ContextdError } from '../../core/errors/errors.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import { countMemories, memoriesWithout, memoryPage } from '../../platform/storage/memory-rows.ts'
import type { Bank } from './bank.ts'
import { vectorOf } from './bank-vectors.ts'
import type { BankParts } from './bank-write.ts'
import { addEvidence, confidenceOf, evidenceOf, type Evidence } from './confidence.ts'
import { projectsIn, refuseScope, scopeOfMemory } from '../memory-access.ts'
import { refuseUnfit, throwIssues } from './memory-fields.ts'
import { ownerIn, readMemory, rowTexts, textToEmbed } from './memory-row.ts'
import type { MemoryOutcome } from './memory.ts'
import type { MemoryReach } from '../memory-access.ts'

type Maintenance = Pick<Bank, 'get' | 'list' | 'remove' | 'merge' | 'feedback' | 'pending' | 'putVectors'>

/** Page size if none is requested, and its maximum. */
const defaultPageSize = 50
const maxPageSize = 1000

export function bankMaintenance({ store, tenant, clock, vectors, writer, rowOf }: BankParts): Maintenance {
  const rows = () => store.rows('memories', { tenant })
  const writableRow = (reach: MemoryReach, id: string): SqlRow => {
    const row = rowOf(reach, id)
    refuseScope(reach, 'write', scopeOfMemory(row, reach))
    return row
  }
  /** Reports which of several ids is missing. */
  const rowAmong = (reach: MemoryReach, id: string, place: number): SqlRow => {
    try {
      return rowOf(reach, id)
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
      const fields = [{ field: `ids[${place}]`, expected: 'the id of a memory' }]
      throw new ContextdError('MEMORY_NOT_FOUND', { fields })
    }
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
    get(user, ids, { isPeek = false } = {}) {
      const used = store.transaction(() =>
        ids.map((id, place) => {
          const row = ids.length === 1 ? rowOf(user.reach, id) : rowAmong(user.reach, id, place)
          if (isPeek) return row
          const used_at = clock()
          rows().update({ used_at }, { id })
          return { ...row, used_at }
        }),
      )
      return used.map((row) => readMemory(row, user.archiver))
    },

    list({ reach, archiver }, { scope, project, outcome, tag, merged, limit = defaultPageSize, after } = {}) {
      if (project !== undefined && project !== reach.project) refuseScope(reach, 'read', 'all')
      const projects = project === undefined ? projectsIn(reach, scope) : [project]
      const filter = { tenant, projects, outcome, tag, merged }
      const pageSize = Math.min(Math.max(1, limit), maxPageSize)
      const page = memoryPage(store, filter, { before: after, limit: pageSize + 1 })
      const shown = page.slice(0, pageSize)
      return {
        memories: shown.map((row) => readMemory(row, archiver)),
        total: countMemories(store, filter),
        ...(page.length > pageSize && { next: Number(shown.at(-1)?.seq) }),
      }
    },

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

    pending: ({ model, after = 0, limit }) =>
      memoriesWithout(store, { tenant, model, after, limit }).map((row) => ({
        row: Number(row.seq),
        text: textToEmbed(rowTexts(row)),
      })),

    async putVectors(newVectors, model) {
      const fitting = () =>
        newVectors.flatMap(({ row: seq, text, vector }) => {
          const row = rows().first({ seq })
          if (row === undefined || textToEmbed(rowTexts(row)) !== text) return []
          rows().update({ ...vectors.columns(vector, model) }, { seq })
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
