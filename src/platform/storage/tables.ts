/**
 * Every table whose rows belong to someone, its columns, and the part of the scope without which it cannot be
 * touched. `rows.ts` is the only reader, so no caller can forget whose rows it asks for.
 */

import type { Scope } from '../../core/call.ts'

const owner = ['tenant', 'project', 'session', 'agent'] as const

export const tables = {
  sessions: {
    scope: ['tenant', 'project'],
    columns: [...owner, 'id', 'door', 'client', 'started_at', 'seen_at', 'ended_at'],
  },
  agent_tokens: {
    scope: ['tenant'],
    columns: [...owner, 'id', 'hash', 'label', 'created_at', 'used_at', 'revoked_at'],
  },
  refs: { scope: owner, columns: [...owner, 'id', 'body', 'created_at', 'expires_at'] },
  usage: { scope: owner, columns: [...owner, 'tokens'] },
  trust: { scope: ['tenant'], columns: [...owner, 'path', 'sha256', 'trusted_at'] },
} as const satisfies Record<string, { scope: readonly (keyof Scope)[]; columns: readonly string[] }>

export type TableName = keyof typeof tables
export type Column<T extends TableName> = (typeof tables)[T]['columns'][number]
/** The scope a table demands; more may be given and narrows further. */
export type TableScope<T extends TableName> = Pick<Scope, (typeof tables)[T]['scope'][number]> &
  Partial<Scope>
