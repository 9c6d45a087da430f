import { createHash, timingSafeEqual } from 'node:crypto'

import type { Clock } from '../../core/ports.ts'
import type { Store } from '../../platform/storage/store.ts'

/** A bearer token as a person sees it in a list; the secret itself is shown once, when it is made. */
export interface AgentToken {
  readonly id: string
  readonly agent: string
  readonly label: string
  readonly createdAt: number
  readonly usedAt?: number
  readonly revokedAt?: number
}

export interface AgentTokens {
  create(agent: string, label: string): { token: AgentToken; secret: string }
  list(): AgentToken[]
  /** False when there is no such live token. */
  revoke(id: string): boolean
  verify(bearer: string): { id: string; agent: string } | undefined
}

const format = /^ctxd_([A-Za-z0-9_-]{11})_([A-Za-z0-9_-]{43})$/
/** How stale "last used" may be: it is for people, and a write per request would be waste. */
const usedAtResolution = 60_000

export function createAgentTokens(
  store: Store,
  tenant: string,
  clock: Clock,
  randomBytes: (size: number) => Buffer,
): AgentTokens {
  const rows = store.rows('agent_tokens', { tenant })
  return {
    create(agent, label) {
      // On a command line, a dash at the beginning would make it an option.
      const id = randomBytes(8).toString('base64url').replace(/^-/, 'a')
      const secret = `ctxd_${id}_${randomBytes(32).toString('base64url')}`
      const createdAt = clock()
      store
        .rows('agent_tokens', { tenant, agent })
        .insert({ id, hash: digest(secret), label, created_at: createdAt })
      return { token: { id, agent, label, createdAt }, secret }
    },
    list: () => rows.all({}, { orderBy: 'created_at' }).map(readToken),
    revoke: (id) => rows.update({ revoked_at: clock() }, { id, revoked_at: null }) === 1,
    verify(bearer) {
      const id = format.exec(bearer)?.[1]
      if (id === undefined) return undefined
      const row = rows.first({ id, revoked_at: null })
      // The id is public; only the comparison of the secret must not leak where it differs.
      if (row === undefined || !timingSafeEqual(digest(bearer), row.hash as Uint8Array)) return undefined
      if (clock() - Number(row.used_at ?? 0) > usedAtResolution) rows.update({ used_at: clock() }, { id })
      return { id, agent: String(row.agent) }
    },
  }
}

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function readToken(row: Record<string, unknown>): AgentToken {
  return {
    id: String(row.id),
    agent: String(row.agent),
    label: String(row.label),
    createdAt: Number(row.created_at),
    ...(row.used_at !== null && { usedAt: Number(row.used_at) }),
    ...(row.revoked_at !== null && { revokedAt: Number(row.revoked_at) }),
  }
}
