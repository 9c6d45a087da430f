import type { Scope } from '../../core/call.ts'
import type { Store } from '../../platform/storage/store.ts'

/** Tokens each agent got in each session, shared by every process. */
export interface SessionUsage {
  used(scope: Scope): number
  /** Inside the transaction that has read what was used, so that it is still true. */
  set(scope: Scope, tokens: number): void
}

export function createSessionUsage(store: Store): SessionUsage {
  return {
    used: (scope) => Number(store.rows('usage', scope).first()?.tokens ?? 0),
    set: (scope, tokens) => store.rows('usage', scope).put({ tokens }),
  }
}
