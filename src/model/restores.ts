/**
 * Stores, sealed, which values the model door restored in which tool calls, so that later requests are masked again.
 */

import { join } from 'node:path'

import type { Clock } from '../core/ports.ts'
import { loadOrCreateKey, readKey } from '../platform/secrets/keys.ts'
import { seal, unseal } from '../platform/secrets/sealing.ts'
import type { SqlRow } from '../platform/storage/sqlite.ts'
import type { Store } from '../platform/storage/store.ts'
import type { RestoredToken } from './restore-input.ts'
import type { RestoredValue } from './restored-values.ts'

export interface Restores {
  /** Throws if the values cannot be stored: then nothing may be restored. */
  remember(session: string, toolUse: string, restored: readonly RestoredToken[]): void
  of(session: string, toolUse: string): readonly RestoredValue[]
  /** Deletes values restored before that time (epoch milliseconds). */
  prune(before: number): number
}

export interface RestoresOptions {
  readonly store: Store
  readonly tenant: string
  readonly keysDir: string
  readonly clock: Clock
}

type SessionRestores = Map<string, readonly RestoredValue[]>

/** Cached sessions; others are read from the store again. */
const maxSessions = 200
const nonceBytes = 12

export function createRestores({ store, tenant, keysDir, clock }: RestoresOptions): Restores {
  const keyFile = join(keysDir, 'model.key')
  const sessions = new Map<string, SessionRestores>()
  const sealPlace = (session: string, toolUse: string): string[] => [
    'model_restores',
    tenant,
    session,
    toolUse,
  ]

  const open = (session: string, { tool_use, tokens }: SqlRow): readonly RestoredValue[] => {
    const key = readKey(keyFile)
    if (key === undefined) throw new Error(`${keyFile} is missing`)
    const bytes = Buffer.from(String(tokens), 'base64')
    const sealed = { nonce: bytes.subarray(0, nonceBytes), body: bytes.subarray(nonceBytes) }
    return JSON.parse(unseal(key, sealed, sealPlace(session, String(tool_use))).toString()) as RestoredValue[]
  }

  const restoredIn = (session: string): SessionRestores => {
    let known = sessions.get(session)
    if (known === undefined) {
      const rows = store.rows('model_restores', { tenant, session }).all()
      known = new Map(rows.map((row) => [String(row.tool_use), open(session, row)]))
    } else sessions.delete(session)
    sessions.set(session, known)
    const [oldest] = sessions.keys()
    if (oldest !== undefined && sessions.size > maxSessions) sessions.delete(oldest)
    return known
  }

  return {
    remember(session, toolUse, restored) {
      const known = restoredIn(session)
      // Equal calls share an id if the format has none.
      const before = known.get(toolUse) ?? []
      const added = restored
        .map(({ token, text }) => ({ token, value: text }))
        .filter(({ token, value }) => !before.some((one) => one.token === token && one.value === value))
      const values = [...before, ...added]
      const sealed = seal(
        loadOrCreateKey(keyFile),
        Buffer.from(JSON.stringify(values)),
        sealPlace(session, toolUse),
      )
      const tokens = Buffer.concat([sealed.nonce, sealed.body]).toString('base64')
      store
        .rows('model_restores', { tenant, session })
        .put({ tool_use: toolUse, tokens, created_at: clock() })
      known.set(toolUse, values)
    },
    of: (session, toolUse) => restoredIn(session).get(toolUse) ?? [],
    prune: (before) => store.rows('model_restores', { tenant }).remove({ created_at: { atMost: before } }),
  }
}
