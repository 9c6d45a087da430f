/** Keys of the model door: a client passes its key in the path of its base URL. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'

import { ContextdError } from '../../core/errors/errors.ts'
import type { Clock } from '../../core/ports.ts'
import { createHashedSecrets, readDates, type SecretDates } from './hashed-secrets.ts'
import type { Paths } from '../files/paths.ts'
import { ensurePrivateFolder } from '@contextd/shared/files/private-folder'
import { readSmallFile, replaceFile } from '@contextd/shared/files/small-file'
import type { SqlRow } from '../storage/sqlite.ts'
import type { Store } from '../storage/store.ts'

export interface ModelKey extends SecretDates {
  readonly id: string
  /** The client it was created for, such as `claude-code`. */
  readonly client: string
}

export interface ModelKeys {
  /** The only time the secret is returned. */
  create(client: string): { id: string; secret: string }
  list(): ModelKey[]
  /** False if there is no active key with this id. */
  revoke(id: string): boolean
  /** Records the use of the key. */
  verify(secret: string): { id: string; client: string } | undefined
  /** Like `verify`, but does not record a use. */
  isLive(secret: string): boolean
}

const clientFormat = /^[a-z0-9-]{1,32}$/

export function createModelKeys(
  store: Store,
  tenant: string,
  clock: Clock,
  randomBytes: (size: number) => Buffer,
): ModelKeys {
  const secrets = createHashedSecrets(
    { store, table: 'model_keys', prefix: 'ctxm' },
    tenant,
    clock,
    randomBytes,
  )
  return {
    create(client) {
      const { id, secret } = secrets.create({ client: checkedClient(client) })
      return { id, secret }
    },
    list: () => secrets.list().map(readKey),
    revoke: secrets.revoke,
    verify(secret) {
      const row = secrets.verify(secret)
      return row && { id: String(row.id), client: String(row.client) }
    },
    isLive: (secret) => secrets.find(secret) !== undefined,
  }
}

function readKey(row: SqlRow): ModelKey {
  return { id: String(row.id), client: String(row.client), ...readDates(row) }
}

/** Where the key of one client is stored, readable by the user only. */
export function modelKeyFile({ keys }: Pick<Paths, 'keys'>, client: string): string {
  return join(keys, `model-${checkedClient(client)}`)
}

/**
 * The key of a client, created if it is missing or the stored one was revoked: a revoked key never works again.
 * `onCreate` receives the id of a new key, for the audit record.
 */
export function ensureModelKey(
  paths: Pick<Paths, 'keys'>,
  keys: Pick<ModelKeys, 'create' | 'isLive'>,
  client: string,
  onCreate?: (id: string) => void,
): string {
  const file = modelKeyFile(paths, client)
  const read = readSmallFile(file)
  if (read.kind === 'unreadable')
    throw new ContextdError('STORE_UNAVAILABLE', { cause: `${file} ${read.why}`, path: file })
  const stored = read.kind === 'bytes' ? read.bytes.toString().trim() : ''
  if (keys.isLive(stored)) return stored
  ensurePrivateFolder(paths.keys)
  const { id, secret } = keys.create(client)
  // Removed first, so that the old file's mode is not kept.
  rmSync(file, { force: true })
  replaceFile(file, `${secret}\n`, 'replaced')
  onCreate?.(id)
  return secret
}

function checkedClient(client: string): string {
  if (clientFormat.test(client)) return client
  throw new ContextdError('USAGE', {
    problem: 'the name of a client is 1 to 32 lower-case letters, digits and dashes',
  })
}
