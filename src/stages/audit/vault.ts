/** Raw outputs, encrypted, for users who later need what the scrubber saw. Off unless configured. */

import { join } from 'node:path'

import type { Call, Scope } from '../../core/call.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { Clock } from '../../core/ports.ts'
import { loadOrCreateKey } from '../../platform/secrets/keys.ts'
import { seal, unseal, type Sealed } from '../../platform/secrets/sealing.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'

export interface Vault {
  put(call: Pick<Call, 'id' | 'tenant' | 'project' | 'session' | 'principal'>, raw: string): void
  /** The unscrubbed result of a call; undefined if nothing was stored. */
  read(tenant: string, call: string): string | undefined
  /** Deletes entries from before that time (epoch milliseconds). */
  prune(tenant: string, before: number): number
}

export interface VaultOptions {
  readonly store: Store
  readonly keysDir: string
  readonly clock: Clock
}

export function createVault({ store, keysDir, clock }: VaultOptions): Vault {
  const key = loadOrCreateKey(join(keysDir, 'vault.key'))

  const open = (row: SqlRow): string =>
    unseal(key, row as unknown as Sealed, placeOf(row as unknown as Scope, String(row.call))).toString()

  return {
    put({ id, principal, tenant, project, session }, raw) {
      const scope = { tenant, project, session, agent: principal?.agent ?? '' }
      const sealed = seal(key, Buffer.from(raw), placeOf(scope, id))
      store.rows('vault', scope).insert({ call: id, created_at: clock(), ...sealed })
    },
    read(tenant, call) {
      const row = store.rows('vault', { tenant }).first({ call })
      if (row === undefined) return undefined
      try {
        return open(row)
      } catch (cause) {
        const problem = `the vault's entry for call ${call} was changed, or made with another key`
        throw new ContextdError('STORE_UNAVAILABLE', { cause: problem }, { cause })
      }
    },
    prune: (tenant, before) => store.rows('vault', { tenant }).remove({ created_at: { atMost: before - 1 } }),
  }
}

function placeOf({ tenant, project, session, agent }: Scope, call: string): string[] {
  return [tenant, project, session, agent, call]
}
