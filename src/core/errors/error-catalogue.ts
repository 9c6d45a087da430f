/** A test ensures that `docs/reference/errors.md` matches this table in both directions. */

import { commonErrors } from '@contextd/shared/errors/common-error'
import type { CatalogueEntry } from '@contextd/shared/errors/catalogue-entry'
import { contextErrors } from './context-errors.ts'
import { controlErrors } from './control-errors.ts'
import { installErrors } from './install-errors.ts'
import { memoryErrors } from './memory-errors.ts'
import { modelErrors } from './model-errors.ts'
import { tlsErrors } from './tls-errors.ts'
import { toolErrors } from './tool-errors.ts'

/**
 * Every refusal and failure of contextd. The string code is the identity; numbers may be shared.
 *
 * @example
 * import { errorCatalogue } from 'contextd'
 *
 * console.log(errorCatalogue.NOT_FOUND.exit)
 * // → 12
 */
export const errorCatalogue = {
  DENIED_BY_POLICY: {
    message: 'Agent {agent} may not use {server}.{tool}',
    jsonrpc: -32000,
    grpc: 'PERMISSION_DENIED',
    http: 403,
    exit: 10,
    hint: 'Run `ctxd rules explain` to see which rule decided, and change the rules if the agent should have access.',
  },
  SERVER_UNAVAILABLE: {
    message: 'Server {server} is not available: {why}',
    jsonrpc: -32001,
    grpc: 'UNAVAILABLE',
    http: 503,
    exit: 11,
    hint: 'Other servers are not affected. The user can run `ctxd upstream test` to see what is wrong.',
  },
  TOOL_NOT_FOUND: {
    message: 'There is no tool {tool}',
    jsonrpc: -32002,
    grpc: 'NOT_FOUND',
    http: 404,
    exit: 12,
    hint: 'List the available tools and call one of them.',
  },
  INVALID_AGENT_ID: {
    message: 'The agent id is malformed or not in the rules',
    jsonrpc: -32003,
    grpc: 'UNAUTHENTICATED',
    http: 401,
    exit: 13,
    hint: 'Use an agent id that the rules name, or leave it out. An unknown id never falls back to another agent.',
  },
  TIMEOUT: {
    message: 'The call took longer than {limit_ms} ms',
    jsonrpc: -32004,
    grpc: 'DEADLINE_EXCEEDED',
    http: 504,
    exit: 14,
    hint: 'Request less at once, or raise the limit in the rules.',
  },
  IDENTITY_REQUIRED: {
    message: 'No agent identity was given and the rules require one',
    jsonrpc: -32005,
    grpc: 'UNAUTHENTICATED',
    http: 401,
    exit: 15,
    hint: 'Pass `agent_id`, present a token, or set `defaults.deny_on_missing_agent` to false and name a fallback.',
  },
  FALLBACK_AGENT_NOT_IN_RULES: {
    message: 'The fallback agent from {source} is not in the rules',
    jsonrpc: -32005,
    grpc: 'FAILED_PRECONDITION',
    http: 500,
    exit: 15,
    hint: 'Add the agent to the rules, or correct `--agent` or CONTEXTD_DEFAULT_AGENT.',
  },
  NO_FALLBACK_CONFIGURED: {
    message: 'No agent identity was given and no fallback is configured',
    jsonrpc: -32005,
    grpc: 'FAILED_PRECONDITION',
    http: 401,
    exit: 15,
    hint: 'Set CONTEXTD_DEFAULT_AGENT to an agent in the rules, or add an agent named `default`.',
  },
  IDENTITY_CONFLICT: {
    message: 'The call names a different agent than its {source}',
    jsonrpc: -32003,
    grpc: 'UNAUTHENTICATED',
    http: 401,
    exit: 13,
    hint: 'Leave `agent_id` out: the stronger identity is used.',
  },
  IDENTITY_LEVEL_TOO_LOW: {
    message: 'Agent {agent} has identity level {level}, but the rules require {required}',
    jsonrpc: -32005,
    grpc: 'PERMISSION_DENIED',
    http: 403,
    exit: 15,
    hint: 'Connect with proof of identity (attestation or a token).',
  },
  CAPABILITY_NOT_GRANTED: {
    message: 'Agent {agent} is not granted {capability}',
    jsonrpc: -32006,
    grpc: 'PERMISSION_DENIED',
    http: 403,
    exit: 16,
    hint: "Grant it in the agent's `allow.capabilities`.",
  },
  RATE_LIMITED: {
    message: 'Agent {agent} reached its limit of {limit}',
    jsonrpc: -32007,
    grpc: 'RESOURCE_EXHAUSTED',
    http: 429,
    exit: 17,
    hint: 'Wait a moment and try again, or raise `limits` in the rules.',
  },
  BUDGET_EXHAUSTED: {
    message: 'The {scope} budget of {limit} tokens is used up',
    jsonrpc: -32008,
    grpc: 'RESOURCE_EXHAUSTED',
    http: 429,
    exit: 18,
    hint: 'Finish with what you have, or raise `limits.tokens_per_session` in the rules.',
  },
  SCRUB_QUEUE_FULL: {
    message: 'Too many large texts from this caller are waiting to be checked for secrets',
    jsonrpc: -32009,
    grpc: 'RESOURCE_EXHAUSTED',
    http: 429,
    exit: 19,
    hint: 'Wait for the running calls to finish, then make fewer at once or request smaller outputs.',
  },
  ...toolErrors,
  ...commonErrors,
  ...contextErrors,
  ...memoryErrors,
  ...controlErrors,
  ...modelErrors,
  ...tlsErrors,
  ...installErrors,
  TOOL_CHANGED: {
    message: 'The tool {tool} of {server} has changed since it was approved, and is blocked',
    jsonrpc: -32013,
    grpc: 'PERMISSION_DENIED',
    http: 403,
    exit: 22,
    hint: 'Ask the user to review the change and approve it with `ctxd upstream approve`.',
  },
  SERVERS_INVALID: {
    message: '{problem}',
    jsonrpc: -32016,
    grpc: 'FAILED_PRECONDITION',
    http: 500,
    exit: 78,
    hint: 'Correct the file at that position; docs/reference/servers.md lists every key.',
  },
  AUDIT_FAILED: {
    message: 'The audit record could not be written, so the call was refused',
    jsonrpc: -32011,
    grpc: 'FAILED_PRECONDITION',
    http: 500,
    exit: 21,
    hint: 'Run `ctxd doctor`: the store must be writable.',
  },
  INVALID_ARGUMENTS: {
    message: 'Some arguments are missing or of the wrong type',
    jsonrpc: -32602,
    grpc: 'INVALID_ARGUMENT',
    http: 400,
    exit: 2,
    hint: 'Correct these fields and retry.',
  },
  INVALID_REQUEST: {
    message: 'The request is not valid: {what}',
    jsonrpc: -32600,
    grpc: 'INVALID_ARGUMENT',
    http: 400,
    exit: 2,
    hint: 'Send an MCP request (JSON-RPC 2.0).',
  },
  REQUEST_ID_IN_USE: {
    message: 'A request with this id is still running in this session',
    jsonrpc: -32600,
    grpc: 'INVALID_ARGUMENT',
    http: 409,
    exit: 2,
    hint: 'Give every request a unique id. The first request keeps running and will be answered.',
  },
  MESSAGE_TOO_LARGE: {
    message: 'The message is larger than {limit} bytes',
    jsonrpc: -32600,
    grpc: 'RESOURCE_EXHAUSTED',
    http: 413,
    exit: 2,
    hint: 'Send less at once, or raise `limits.message_bytes`.',
  },
  REQUEST_INCOMPLETE: {
    message: 'The rest of the request did not arrive within {limit_ms} ms',
    jsonrpc: -32600,
    grpc: 'DEADLINE_EXCEEDED',
    http: 408,
    exit: 14,
    hint: 'Send the whole request again on a new connection.',
  },
  UNAUTHORIZED: {
    message: 'A valid bearer token is required',
    jsonrpc: -32005,
    grpc: 'UNAUTHENTICATED',
    http: 401,
    exit: 15,
    hint: 'Create one with `ctxd agents token create --agent ID` and send it as `Authorization: Bearer …`.',
  },
  FORBIDDEN_ORIGIN: {
    message: 'This server does not accept the Host or Origin header',
    jsonrpc: -32000,
    grpc: 'PERMISSION_DENIED',
    http: 403,
    exit: 10,
    hint: 'Use a loopback name, or add the host name to `http.allowed_hosts`.',
  },
  SESSION_NOT_FOUND: {
    message: 'The session is unknown or has ended',
    jsonrpc: -32001,
    grpc: 'NOT_FOUND',
    http: 404,
    exit: 12,
    hint: 'Start a new session.',
  },
  REF_NOT_FOUND: {
    message: 'No such ref for this session and agent',
    jsonrpc: -32012,
    grpc: 'NOT_FOUND',
    http: 404,
    exit: 12,
    hint: 'Use a ref that this agent received in this session.',
  },
  REF_EXPIRED: {
    message: 'The ref has expired',
    jsonrpc: -32012,
    grpc: 'NOT_FOUND',
    http: 410,
    exit: 12,
    hint: 'Call the tool again for a fresh result.',
  },
  CANCELLED: {
    message: 'The call was cancelled by the client',
    jsonrpc: -32014,
    grpc: 'CANCELLED',
    http: 499,
    exit: 130,
    hint: 'No action needed.',
  },
  TOOL_FAILED: {
    message: 'The tool failed while running',
    jsonrpc: -32015,
    grpc: 'INTERNAL',
    http: 500,
    exit: 1,
    hint: 'The server log has the cause, the audit record the call.',
  },
  RULES_INVALID: {
    message: '{problem}',
    jsonrpc: -32016,
    grpc: 'FAILED_PRECONDITION',
    http: 500,
    exit: 78,
    hint: 'Correct the file at that position and run `ctxd rules check`.',
  },
  NOT_TRUSTED: {
    message: 'The project file is not trusted, or has changed since it was trusted',
    jsonrpc: -32013,
    grpc: 'PERMISSION_DENIED',
    http: 403,
    exit: 22,
    hint: 'Read the file, then run `ctxd trust` in that folder.',
  },
  STORE_TOO_NEW: {
    message: 'The store was written by a newer contextd (schema {found}, this one supports {known})',
    jsonrpc: -32017,
    grpc: 'FAILED_PRECONDITION',
    http: 500,
    exit: 74,
    hint: 'Update contextd, or point CONTEXTD_HOME at another folder. The file was not changed.',
  },
  AUDIT_TAMPERED: {
    message: 'The audit chain is broken at record {seq}: {problem}',
    jsonrpc: -32018,
    grpc: 'DATA_LOSS',
    http: 500,
    exit: 23,
    hint: 'Keep the file for examination. Records before that one are intact.',
  },
  DAEMON_NOT_RUNNING: {
    message: 'No contextd daemon is running',
    jsonrpc: -32001,
    grpc: 'UNAVAILABLE',
    http: 503,
    exit: 11,
    hint: 'Start it with `ctxd start`.',
  },
  DAEMON_ALREADY_RUNNING: {
    message: 'A contextd daemon is already running (pid {pid})',
    jsonrpc: -32001,
    grpc: 'FAILED_PRECONDITION',
    http: 503,
    exit: 11,
    hint: 'Stop it with `ctxd stop`, or give this one another CONTEXTD_HOME.',
  },
  LISTEN_FAILED: {
    message: 'Cannot listen on {address}: {cause}',
    jsonrpc: -32001,
    grpc: 'UNAVAILABLE',
    http: 503,
    exit: 11,
    hint: 'Stop the process using the address, or choose another port: `ctxd start --port 7393` for one run, `ctxd config set http.port 7393` for every run.',
  },
} as const satisfies Record<string, CatalogueEntry>

/**
 * The code of an error in the catalogue.
 *
 * @example
 * import type { ErrorCode } from 'contextd'
 *
 * const isTemporary = (code: ErrorCode) => code === 'SERVER_UNAVAILABLE'
 */
export type ErrorCode = keyof typeof errorCatalogue
