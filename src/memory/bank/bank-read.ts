/** Reads stored memories: by id, and in pages. */

import { CodedError, ContextdError } from '../../core/errors/errors.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import { countMemories, memoryPage } from '../../platform/storage/memory-rows.ts'
import { projectsIn, refuseScope, type MemoryReach } from '../memory-access.ts'
import type { Bank } from './bank.ts'
import type { BankParts } from './bank-write.ts'
import { readMemory } from './memory-row.ts'

/** Page size if none is requested, and its maximum. */
const defaultPageSize = 50
const maxPageSize = 1000

export function bankRead({ store, tenant, clock, rowOf }: BankParts): Pick<Bank, 'get' | 'list'> {
  /** Reports which of several ids is missing. */
  const rowAmong = (reach: MemoryReach, id: string, place: number): SqlRow => {
    try {
      return rowOf(reach, id)
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
      const fields = [{ field: `ids[${place}]`, expected: 'the id of a memory' }]
      throw new ContextdError('MEMORY_NOT_FOUND', { ...error.details, fields })
    }
  }

  return {
    get(user, ids, { isPeek = false } = {}) {
      const used = store.transaction(() =>
        ids.map((id, place) => {
          const row = ids.length === 1 ? rowOf(user.reach, id) : rowAmong(user.reach, id, place)
          if (isPeek) return row
          const used_at = clock()
          store.rows('memories', { tenant }).update({ used_at }, { id })
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
  }
}
