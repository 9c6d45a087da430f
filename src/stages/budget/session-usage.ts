import type { Scope } from '../../core/call.ts'
import type { Store } from '../../platform/storage/store.ts'

/** Tokens returned to each agent per session, shared by all processes. */
export interface SessionUsage {
  used(scope: Scope): number
  /** Must run in the transaction that read the usage, so that the sum is correct. */
  set(scope: Scope, tokens: number): void
}

export function createSessionUsage(store: Store): SessionUsage {
  return {
    used: (scope) => Number(store.rows('usage', scope).first()?.tokens ?? 0),
    set: (scope, tokens) => store.rows('usage', scope).put({ tokens }),
  }
}
