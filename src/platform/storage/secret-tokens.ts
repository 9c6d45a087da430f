import type { Store } from './store.ts'

/**
 * Removes the tokens of sessions that got none since that time (epoch milliseconds) and of whose secrets nothing is
 * left. Until then the token of a forgotten secret stays, so that its number is not given to another one.
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
