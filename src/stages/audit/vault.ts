/** Raw outputs, encrypted, for whoever must see later what the scrubber saw. Off unless configured. */

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { join } from 'node:path'

import type { Call, Scope } from '../../core/call.ts'
import { ContextdError } from '../../core/errors.ts'
import type { Clock } from '../../core/ports.ts'
import { loadOrCreateKey } from '../../platform/keys.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'

export interface Vault {
  put(call: Pick<Call, 'id' | 'tenant' | 'project' | 'session' | 'principal'>, raw: string): void
  /** What a call really answered; undefined where nothing was kept. */
  read(tenant: string, call: string): string | undefined
  /** Removes what was put before that time (epoch milliseconds). */
  prune(tenant: string, before: number): number
}

export interface VaultOptions {
  readonly store: Store
  readonly keysDir: string
  readonly clock: Clock
}

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

export function createVault({ store, keysDir, clock }: VaultOptions): Vault {
  const key = loadOrCreateKey(join(keysDir, 'vault.key'))

  const open = (row: SqlRow): string => {
    const { call, nonce, body } = row as { call: string; nonce: Uint8Array; body: Uint8Array }
    const decipher = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes })
    decipher.setAAD(boundTo(row as unknown as Scope, call))
    decipher.setAuthTag(body.subarray(-tagBytes))
    return Buffer.concat([decipher.update(body.subarray(0, -tagBytes)), decipher.final()]).toString()
  }

  return {
    put({ id, principal, tenant, project, session }, raw) {
      const scope = { tenant, project, session, agent: principal?.agent ?? '' }
      const nonce = randomBytes(nonceBytes)
      const encipher = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes })
      encipher.setAAD(boundTo(scope, id))
      const body = Buffer.concat([encipher.update(raw, 'utf8'), encipher.final(), encipher.getAuthTag()])
      store.rows('vault', scope).insert({ call: id, created_at: clock(), nonce, body })
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

/** An entry that is moved to another call or owner no longer opens. */
function boundTo({ tenant, project, session, agent }: Scope, call: string): Buffer {
  return Buffer.from(JSON.stringify([tenant, project, session, agent, call]))
}
