/**
 * Every table with owned rows: its columns, its key, and the scope required to access it. `row-sql.ts` builds every
 * query from it, so no caller can forget to limit one to an owner.
 */

import type { Scope } from '../../core/call.ts'

export const owner = ['tenant', 'project', 'session', 'agent'] as const

interface Table {
  /** The owner columns that must be known to access a row. */
  readonly scope: readonly (keyof Scope)[]
  readonly columns: readonly string[]
  /** The primary key, for `put`. */
  readonly key: readonly string[]
  /** Written by its own module only; `rows` gives read-only access. */
  readonly sealed?: true
}

/** In the order in which a record is hashed: new columns must be appended. */
export const auditColumns = [
  'seq',
  'time',
  'kind',
  'call',
  'intent',
  ...owner,
  'user',
  'client',
  'client_version',
  'door',
  'instance',
  'level',
  'method',
  'server',
  'tool',
  'target_server',
  'target_tool',
  'decision',
  'rule',
  'deadline',
  'duration_ms',
  'arguments',
  'output',
  'output_sha256',
  'output_bytes',
  'tokens',
  'found_c1',
  'found_c2',
  'findings',
  'notes',
  'error',
  'event',
  'details',
] as const

export const tables = {
  /** Without a project if the caller that began it did not know its project yet. */
  sessions: {
    scope: ['tenant'],
    columns: [...owner, 'id', 'door', 'client', 'client_session', 'started_at', 'ended_at'],
    key: ['tenant', 'project', 'id'],
  },
  agent_tokens: {
    scope: ['tenant'],
    columns: [...owner, 'id', 'hash', 'label', 'created_at', 'used_at', 'revoked_at'],
    key: ['tenant', 'id'],
  },
  /** Keys of the model door, one per client. */
  model_keys: {
    scope: ['tenant'],
    columns: [...owner, 'id', 'client', 'hash', 'created_at', 'used_at', 'revoked_at'],
    key: ['tenant', 'id'],
  },
  /** Model tokens reported by providers, per day (UTC, `2026-11-16`), session, agent and model. */
  model_usage: {
    scope: ['tenant'],
    columns: [
      ...owner,
      'day',
      'provider',
      'model',
      'requests',
      'input_tokens',
      'output_tokens',
      'cache_read_tokens',
      'cache_write_tokens',
    ],
    key: ['tenant', 'day', 'session', 'agent', 'provider', 'model'],
  },
  /** Which tokens the model door restored in a tool call, sealed: later requests mask the same values again. */
  model_restores: {
    scope: ['tenant'],
    columns: [...owner, 'tool_use', 'tokens', 'created_at'],
    key: ['tenant', 'session', 'tool_use'],
  },
  /** Maps a client's running agents to their names: `instance` is the client's id of one, empty for the main thread. */
  agent_instances: {
    scope: ['tenant'],
    columns: [...owner, 'client_session', 'instance', 'seen_at'],
    key: ['tenant', 'client_session', 'instance'],
  },
  refs: {
    scope: owner,
    columns: [...owner, 'id', 'branch', 'body', 'created_at', 'expires_at'],
    key: [...owner, 'id'],
  },
  usage: { scope: owner, columns: [...owner, 'tokens'], key: owner },
  trust: {
    scope: ['tenant'],
    columns: [...owner, 'path', 'sha256', 'trusted_at'],
    key: ['tenant', 'path'],
  },
  approvals: {
    scope: ['tenant'],
    columns: [...owner, 'tool', 'sha256', 'capabilities', 'approved_at'],
    key: ['tenant', 'project', 'session', 'tool'],
  },
  pins: {
    scope: ['tenant'],
    columns: [...owner, 'server', 'tool', 'sha256', 'definition', 'pinned_at'],
    key: ['tenant', 'project', 'server', 'tool'],
  },
  /** Credentials for MCP servers over HTTP, sealed. */
  sign_ins: {
    scope: ['tenant'],
    columns: [...owner, 'server', 'nonce', 'body', 'changed_at'],
    key: ['tenant', 'server'],
  },
  vault: {
    scope: ['tenant'],
    columns: [...owner, 'call', 'created_at', 'nonce', 'body'],
    key: ['tenant', 'call'],
  },
  secrets: {
    scope: ['tenant'],
    columns: [
      ...owner,
      'seq',
      'id',
      'mac',
      'kind',
      'rule',
      'nonce',
      'body',
      'created_at',
      'seen_at',
      'expires_at',
    ],
    key: ['seq'],
  },
  secret_tokens: {
    scope: ['tenant'],
    columns: [...owner, 'n', 'secret', 'created_at'],
    key: ['tenant', 'session', 'n'],
  },
  /** Agents' private contexts, sealed. `agent` is the caller's name. */
  private_contexts: {
    scope: ['tenant'],
    columns: [...owner, 'seq', 'instance', 'mac', 'nonce', 'body', 'created_at'],
    key: ['seq'],
  },
  /** Memories. `scope` is `project` or `user`; the words are in `memory_words`, by `seq`. */
  memories: {
    scope: ['tenant'],
    columns: [
      ...owner,
      'seq',
      'id',
      'scope',
      'branch',
      'title',
      'description',
      'content',
      'outcome',
      'task',
      'tags',
      'sources',
      'helped',
      'misled',
      'created_at',
      'changed_at',
      'used_at',
      'merged_into',
      'vector_model',
      'vector_dimension',
    ],
    key: ['seq'],
  },
  memory_feedback: {
    scope: ['tenant'],
    columns: [...owner, 'seq', 'memory', 'helpful', 'outcome', 'comment', 'created_at'],
    key: ['seq'],
  },
  /**
   * Vectors of memories and chunks (`kind`), by their `seq`. No project: a user-wide memory. Kind `…:removed`: a
   * removed vector.
   */
  vectors: {
    scope: ['tenant'],
    columns: [...owner, 'kind', 'row', 'model', 'vector', 'changed'],
    key: ['kind', 'row'],
  },
  /**
   * All vectors of one kind: the number of their last change, the number up to which removals are no longer listed,
   * and their name in Qdrant.
   */
  vector_sets: {
    scope: ['tenant'],
    columns: [...owner, 'kind', 'id', 'changed', 'removed'],
    key: ['tenant', 'kind'],
  },
  checkpoints: {
    scope: ['tenant', 'project'],
    columns: [
      ...owner,
      'seq',
      'id',
      'branch',
      'name',
      'summary',
      'context',
      'state',
      'state_bytes',
      'tokens',
      'files',
      'branches',
      'refs',
      'automatic',
      'created_at',
      'offered_at',
    ],
    key: ['seq'],
  },
  /** `opener` and `worker` are callers of the session. */
  branches: {
    scope: ['tenant', 'project'],
    columns: [
      ...owner,
      'seq',
      'id',
      'parent',
      'depth',
      'opener',
      'worker',
      'description',
      'prompt',
      'budget',
      'used',
      'produced',
      'state',
      'message',
      'created_at',
      'ends_at',
      'ended_at',
    ],
    key: ['seq'],
  },
  /** The indexed files of a repository; `project` is its folder. */
  indexed_files: {
    scope: ['tenant', 'project'],
    columns: [...owner, 'seq', 'path', 'sha256', 'size', 'changed_ms', 'language', 'indexed_at'],
    key: ['seq'],
  },
  /** Chunks of those files. Their text is not stored; the words are in `chunk_words`, by `seq`. */
  chunks: {
    scope: ['tenant', 'project'],
    columns: [...owner, 'seq', 'file', 'name', 'first_line', 'last_line'],
    key: ['seq'],
  },
  /** Certificates issued by our own authority. Their keys are not stored. */
  certificates: {
    scope: ['tenant'],
    columns: [
      ...owner,
      'serial',
      'kind',
      'name',
      'fingerprint',
      'authority',
      'not_before',
      'not_after',
      'created_at',
      'revoked_at',
    ],
    key: ['tenant', 'serial'],
  },
  /** Addresses that are notified of events; `secret` is sealed. */
  webhooks: {
    scope: ['tenant'],
    columns: [...owner, 'id', 'url', 'events', 'secret', 'created_at', 'seen', 'disabled_at', 'disabled_why'],
    key: ['tenant', 'id'],
  },
  /** Pending and failed deliveries. */
  webhook_deliveries: {
    scope: ['tenant'],
    columns: [
      ...owner,
      'seq',
      'id',
      'webhook',
      'event',
      'body',
      'state',
      'attempts',
      'next_at',
      'last_problem',
      'created_at',
      'ended_at',
    ],
    key: ['seq'],
  },
  audit: { scope: ['tenant'], columns: [...auditColumns, 'hash'], key: ['seq'], sealed: true },
  /** The latest record of every call: its outcome, or an intent without one; and all events. */
  audit_entries: { scope: ['tenant'], columns: [...auditColumns, 'hash'], key: ['seq'], sealed: true },
} as const satisfies Record<string, Table>

export type TableName = keyof typeof tables
export type Column<T extends TableName> = (typeof tables)[T]['columns'][number]
/** The scope that a table requires; additional owner columns narrow it further. */
export type TableScope<T extends TableName> = Pick<Scope, (typeof tables)[T]['scope'][number]> &
  Partial<Scope>
