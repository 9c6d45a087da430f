import type { Clock } from '../../core/ports.ts'
import { createHashedSecrets, readDates, type SecretDates } from '../../platform/secrets/hashed-secrets.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'

/** A bearer token as listed for users; the secret itself is only shown on creation. */
export interface AgentToken extends SecretDates {
  readonly id: string
  readonly agent: string
  readonly label: string
}

export interface AgentTokens {
  create(agent: string, label: string): { token: AgentToken; secret: string }
  list(): AgentToken[]
  /** False if there is no such active token. */
  revoke(id: string): boolean
  verify(bearer: string): { id: string; agent: string } | undefined
}

export function createAgentTokens(
  store: Store,
  tenant: string,
  clock: Clock,
  randomBytes: (size: number) => Buffer,
): AgentTokens {
  const secrets = createHashedSecrets(
    { store, table: 'agent_tokens', prefix: 'ctxd' },
    tenant,
    clock,
    randomBytes,
  )
  return {
    create(agent, label) {
      const { id, secret, createdAt } = secrets.create({ agent, label })
      return { token: { id, agent, label, createdAt }, secret }
    },
    list: () => secrets.list().map(readToken),
    revoke: secrets.revoke,
    verify(bearer) {
      const row = secrets.verify(bearer)
      return row && { id: String(row.id), agent: String(row.agent) }
    },
  }
}

function readToken(row: SqlRow): AgentToken {
  return { id: String(row.id), agent: String(row.agent), label: String(row.label), ...readDates(row) }
}
