/**
 * Every table whose rows belong to someone: its columns, its key, and the part of the scope without which it
 * cannot be touched. `rows.ts` is the only reader, so no caller can forget whose rows it asks for.
 */

import type { Scope } from '../../core/call.ts'

export const owner = ['tenant', 'project', 'session', 'agent'] as const

interface Table {
  /** What must be known of the owner to reach a row. */
  readonly scope: readonly (keyof Scope)[]
  readonly columns: readonly string[]
  /** The primary key, for `put`. */
  readonly key: readonly string[]
  /** Written by its own module only; through `rows` it can be read and nothing else. */
  readonly sealed?: true
}

/** In the order in which a record is sealed: a new column goes to the end. */
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
  /** Without a project: begun by a caller of which nobody knows yet where it works. */
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
  /** Tokens that providers reported, summed up per day (UTC, `2026-11-16`), session, agent and model. */
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
  /** Which tokens the model door restored in a tool call, sealed: the same values become tokens again in later requests. */
  model_restores: {
    scope: ['tenant'],
    columns: [...owner, 'tool_use', 'tokens', 'created_at'],
    key: ['tenant', 'session', 'tool_use'],
  },
  /** What a client's running agents are: `instance` is the client's id of one, empty for the main thread. */
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
  /** What an MCP server over HTTP let us sign in with, sealed. */
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
  /** What agents were given for themselves, sealed. `agent` is the name the caller goes by. */
  private_contexts: {
    scope: ['tenant'],
    columns: [...owner, 'seq', 'instance', 'mac', 'nonce', 'body', 'created_at'],
    key: ['seq'],
  },
  /** What was learned. `scope` is `project` or `user`; its words stand in `memory_words`, by `seq`. */
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
  /** Of memories and of chunks (`kind`), by their `seq`. Without a project: of a memory that is for all of them; of a kind `…:removed`: that it is gone. */
  vectors: {
    scope: ['tenant'],
    columns: [...owner, 'kind', 'row', 'model', 'vector', 'changed'],
    key: ['kind', 'row'],
  },
  /** All vectors of one kind: the number of their last change, that up to which removals are no longer listed, and their name in Qdrant. */
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
  /** The files of a repository whose words are known; `project` is its folder. */
  indexed_files: {
    scope: ['tenant', 'project'],
    columns: [...owner, 'seq', 'path', 'sha256', 'size', 'changed_ms', 'language', 'indexed_at'],
    key: ['seq'],
  },
  /** Parts of those files. Their text is not kept: its words stand in `chunk_words`, by `seq`. */
  chunks: {
    scope: ['tenant', 'project'],
    columns: [...owner, 'seq', 'file', 'name', 'first_line', 'last_line'],
    key: ['seq'],
  },
  /** Certificates that our own authority issued. Their keys are nowhere here. */
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
  /** Addresses that are told what happens; `secret` is sealed. */
  webhooks: {
    scope: ['tenant'],
    columns: [...owner, 'id', 'url', 'events', 'secret', 'created_at', 'seen', 'disabled_at', 'disabled_why'],
    key: ['tenant', 'id'],
  },
  /** What is to be told, and what could not be. */
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
  /** The last word on every call: its outcome, or the intent that has none; and all events. */
  audit_entries: { scope: ['tenant'], columns: [...auditColumns, 'hash'], key: ['seq'], sealed: true },
} as const satisfies Record<string, Table>

export type TableName = keyof typeof tables
export type Column<T extends TableName> = (typeof tables)[T]['columns'][number]
/** The scope a table demands; more may be given and narrows further. */
export type TableScope<T extends TableName> = Pick<Scope, (typeof tables)[T]['scope'][number]> &
  Partial<Scope>
