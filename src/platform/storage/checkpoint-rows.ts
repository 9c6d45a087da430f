/** Reads checkpoints and refs without their bodies, which can be long. */

import type { Scope } from '../../core/call.ts'
import type { SqlRow } from './sqlite.ts'
import type { Store } from './store.ts'

type Project = Pick<Scope, 'tenant' | 'project'>

const lightColumns =
  'seq, id, branch, name, summary, tokens, automatic, agent, session, created_at, offered_at'

/** Newest first, starting before `before` if given. */
export function checkpointLines(
  store: Pick<Store, 'prepare'>,
  { tenant, project }: Project,
  { limit, before }: { limit: number; before?: number },
): SqlRow[] {
  return store
    .prepare(
      `SELECT ${lightColumns} FROM checkpoints WHERE tenant = ? AND project = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
    )
    .all(tenant, project, before ?? Number.MAX_SAFE_INTEGER, limit)
}

export function countCheckpoints(store: Pick<Store, 'prepare'>, { tenant, project }: Project): number {
  const row = store
    .prepare('SELECT count(*) AS many FROM checkpoints WHERE tenant = ? AND project = ?')
    .get(tenant, project)
  return Number(row?.many)
}

/** The newest that was not created inside a branch: of that session, or of any other. */
export function newestCheckpoint(
  store: Pick<Store, 'prepare'>,
  { tenant, project, session }: Project & Pick<Scope, 'session'>,
  whose: 'own' | 'others',
): SqlRow | undefined {
  return store
    .prepare(
      `SELECT ${lightColumns} FROM checkpoints
       WHERE tenant = ? AND project = ? AND branch IS NULL AND session ${whose === 'own' ? '=' : '<>'} ?
       ORDER BY seq DESC LIMIT 1`,
    )
    .get(tenant, project, session)
}

/** An owner's refs that are readable in that branch (`''`: outside of any), newest first. */
export function refLines(
  store: Pick<Store, 'prepare'>,
  { tenant, project, session, agent }: Scope,
  { branch, now, limit }: { branch: string; now: number; limit: number },
): SqlRow[] {
  return store
    .prepare(
      `SELECT id, length(body) AS bytes FROM refs
       WHERE tenant = ? AND project = ? AND session = ? AND agent = ? AND branch = ? AND expires_at > ?
       ORDER BY rowid DESC LIMIT ?`,
    )
    .all(tenant, project, session, agent, branch, now, limit)
}

/** Deletes old automatic checkpoints in all projects. */
export function pruneAutomatic(store: Pick<Store, 'prepare'>, tenant: string, before: number): number {
  const sql = 'DELETE FROM checkpoints WHERE tenant = ? AND automatic = 1 AND created_at < ?'
  return Number(store.prepare(sql).run(tenant, before).changes)
}
