/** The branches of one project in the store. */

import type { Clock } from '../../core/ports.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'
import { toBranch, type Branch } from './branch.ts'

export interface BranchRows {
  read(id: string): Branch | undefined
  /** In the order of opening. Expired branches are closed when they are read. */
  openIn(session: string): Branch[]
  /** Newest first. */
  newest(limit: number): Branch[]
  /** Whether this caller has a branch open directly inside that one. */
  hasOpenChild(parent: string, opener: string): boolean
  insert(session: string, row: Omit<SqlRow, 'session'>): void
  update(id: string, row: SqlRow): void
  close(branch: Branch, state: 'timeout' | 'closed', at: number): void
  closeExpired(): void
  /** Deletes branches opened before that time (epoch milliseconds). */
  prune(before: number): number
}

export interface BranchRowsOptions {
  readonly store: Store
  readonly tenant: string
  readonly project: string
  readonly clock: Clock
}

export function createBranchRows(
  { store, tenant, project, clock }: BranchRowsOptions,
  onClosed: (id: string) => void,
): BranchRows {
  const rows = store.rows('branches', { tenant, project })
  const close: BranchRows['close'] = ({ id }, state, at) => {
    rows.update({ state, ended_at: at }, { id, ended_at: null })
    onClosed(id)
  }
  return {
    close,
    read(id) {
      const row = rows.first({ id })
      return row && toBranch(row)
    },
    openIn(session) {
      const found = rows.all({ session, ended_at: null }, { orderBy: 'seq' })
      if (found.length === 0) return []
      const now = clock()
      return found.map(toBranch).filter((branch) => {
        if (branch.ends > now) return true
        close(branch, 'timeout', branch.ends)
        return false
      })
    },
    newest: (limit) => rows.all({}, { orderBy: 'seq', descending: true, limit }).map(toBranch),
    hasOpenChild: (parent, opener) => rows.first({ parent, opener, ended_at: null }) !== undefined,
    insert(session, row) {
      store.rows('branches', { tenant, project, session }).insert(row)
    },
    update(id, row) {
      rows.update(row, { id })
    },
    closeExpired() {
      const expired = rows.all({ ended_at: null, ends_at: { atMost: clock() } }).map(toBranch)
      for (const branch of expired) close(branch, 'timeout', branch.ends)
    },
    prune: (before) => rows.remove({ created_at: { atMost: before - 1 } }),
  }
}
