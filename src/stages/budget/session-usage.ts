import type { Scope } from '../../core/call.ts'
import type { Store } from '../../platform/storage/store.ts'

/** Tokens each agent got in each session, shared by every process. */
export interface SessionUsage {
  used(scope: Scope): number
  /** Alone while it works: what `spend` reads is still true when what it returns is added. */
  charge<T extends { readonly tokens: number }>(scope: Scope, spend: (used: number) => T): T
}

export function createSessionUsage(store: Store): SessionUsage {
  const used = (scope: Scope): number => Number(store.rows('usage', scope).first()?.tokens ?? 0)
  return {
    used,
    charge: (scope, spend) =>
      store.transaction(() => {
        const before = used(scope)
        const spent = spend(before)
        store.rows('usage', scope).put({ tokens: before + spent.tokens })
        return spent
      }),
  }
}
