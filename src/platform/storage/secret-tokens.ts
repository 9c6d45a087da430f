/** Queries over the tokens of all sessions of a tenant; a single session's tokens are read with `Store.rows`. */

import type { Store } from './store.ts'

/** In how many sessions each secret has a token, by secret id. */
export function countTokenSessions(
  store: Pick<Store, 'prepare'>,
  tenant: string,
): ReadonlyMap<string, number> {
  const rows = store
    .prepare('SELECT secret, count(*) AS sessions FROM secret_tokens WHERE tenant = ? GROUP BY secret')
    .all(tenant)
  return new Map(rows.map(({ secret, sessions }) => [String(secret), Number(sessions)]))
}

/**
 * Removes the tokens of sessions that received none since that time (epoch milliseconds) and whose secrets are all
 * gone. Until then, tokens of forgotten secrets stay, so that their numbers are not reused.
 */
export function removeDeadTokens(store: Pick<Store, 'prepare'>, tenant: string, before: number): number {
  const statement = store.prepare(
    `DELETE FROM secret_tokens WHERE tenant = ? AND session IN (
       SELECT token.session FROM secret_tokens AS token
       LEFT JOIN secrets ON secrets.tenant = token.tenant AND secrets.id = token.secret
       WHERE token.tenant = ?
       GROUP BY token.session HAVING max(token.created_at) < ? AND count(secrets.id) = 0
     )`,
  )
  return Number(statement.run(tenant, tenant, before).changes)
}
