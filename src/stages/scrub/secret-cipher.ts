/** Encrypts a tenant's secret values. The key is loaded when first needed. */

import { createHmac } from 'node:crypto'
import { join } from 'node:path'

import { CodedError, ContextdError } from '../../core/errors/errors.ts'
import type { Log } from '../../platform/log.ts'
import { loadOrCreateKey, readKey } from '../../platform/secrets/keys.ts'
import { seal, sealBytes, unseal, type Sealed } from '../../platform/secrets/sealing.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { FoundSecret } from '@contextd/scrub/internal/session-tokens'

export interface SecretCipherOptions {
  readonly store: Store
  readonly tenant: string
  /** Contains `secrets.key`. */
  readonly keysDir: string
  /** Receives reports of secrets that cannot be decrypted. */
  readonly report: Log
}

export interface SecretCipher {
  /** Identifies a value without revealing it. */
  macOf(value: string): Buffer
  /** The columns that store the value. */
  seal(id: string, value: string): Sealed & { readonly mac: Buffer }
  /** Returns those that can be decrypted. The others count as forgotten: failing would block everything. */
  open(rows: readonly SqlRow[]): FoundSecret[]
}

export function createSecretCipher(options: SecretCipherOptions): SecretCipher {
  const { tenant, report } = options
  const keys = lazyKeys(options)
  const placeOf = (id: string, mac: Uint8Array): string[] => [tenant, id, Buffer.from(mac).toString('hex')]
  const macOfBytes = (bytes: Buffer): Buffer => createHmac('sha256', keys().mac).update(bytes).digest()

  const openRow = (row: SqlRow): FoundSecret => {
    const { id, mac, rule } = row as { id: string; mac: Uint8Array; rule: string }
    const bytes = unseal(keys().body, row as unknown as Sealed, placeOf(id, mac))
    return { value: bytes.toString('utf16le'), rule }
  }

  return {
    macOf: (value) => macOfBytes(bytesOf(value)),
    seal(id, value) {
      const bytes = bytesOf(value)
      const mac = macOfBytes(bytes)
      return { mac, ...seal(keys().body, bytes, placeOf(id, mac)) }
    },
    open(rows) {
      const broken: string[] = []
      const opened = rows.flatMap((row) => {
        try {
          return openRow(row)
        } catch (error) {
          if (error instanceof CodedError) throw error
          broken.push(String(row.id))
          return []
        }
      })
      if (broken.length > 0) {
        const cause = 'they were changed, or made with another key'
        report('error', 'secrets of the registry do not open', {
          secrets: broken.slice(0, 10),
          count: broken.length,
          cause,
        })
      }
      return opened
    },
  }
}

/** The length of a stored value in UTF-16 units. */
export function storedLength({ body }: SqlRow): number {
  return ((body as Uint8Array).length - sealBytes) / 2
}

/** Raw UTF-16 units, because a secret need not be well-formed text. */
function bytesOf(value: string): Buffer {
  return Buffer.from(value, 'utf16le')
}

/** A separate key per purpose, so that neither reveals anything about the other. */
function lazyKeys(options: SecretCipherOptions): () => { body: Buffer; mac: Buffer } {
  let keys: { body: Buffer; mac: Buffer } | undefined
  return () => {
    if (keys !== undefined) return keys
    const key = loadKey(options)
    const derive = (purpose: string): Buffer =>
      createHmac('sha256', key).update(`contextd secrets ${purpose}`).digest()
    keys = { body: derive('body'), mac: derive('mac') }
    return keys
  }
}

function loadKey({ store, tenant, keysDir }: SecretCipherOptions): Buffer {
  const path = join(keysDir, 'secrets.key')
  const key = readKey(path)
  if (key !== undefined) return key
  if (store.rows('secrets', { tenant }).first() !== undefined) {
    const cause = `the store holds secrets, and their key ${path} is missing`
    const hint = 'Put the key back, or run `ctxd secret forget --all`.'
    throw new ContextdError('STORE_UNAVAILABLE', { cause, hint })
  }
  return loadOrCreateKey(path)
}
