/**
 * The one list of everything contextd refuses or fails with. The string code is the identity; numbers may be shared.
 * `docs/reference/errors.md` is held equal to this table by a test, in both directions.
 */

export type GrpcStatus =
  | 'INVALID_ARGUMENT'
  | 'UNAUTHENTICATED'
  | 'PERMISSION_DENIED'
  | 'NOT_FOUND'
  | 'FAILED_PRECONDITION'
  | 'RESOURCE_EXHAUSTED'
  | 'DEADLINE_EXCEEDED'
  | 'CANCELLED'
  | 'UNAVAILABLE'
  | 'INTERNAL'
  | 'DATA_LOSS'

export interface CatalogueEntry {
  /** `{name}` is filled from the details. Never holds an argument value. */
  readonly message: string
  readonly jsonrpc: number
  readonly grpc: GrpcStatus
  readonly http: number
  readonly exit: number
  /** What to do about it. */
  readonly hint: string
}

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
    message: 'Server {server} is not available',
    jsonrpc: -32001,
    grpc: 'UNAVAILABLE',
    http: 503,
    exit: 11,
    hint: 'Check that the server is configured and running.',
  },
  TOOL_NOT_FOUND: {
    message: 'There is no tool of that name',
    jsonrpc: -32002,
    grpc: 'NOT_FOUND',
    http: 404,
    exit: 12,
    hint: 'List the tools you may use and call one of those.',
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
    hint: 'Ask for less at once, or raise the limit in the rules.',
  },
  IDENTITY_REQUIRED: {
    message: 'No agent identity was given and the rules demand one',
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
    hint: 'Add that agent to the rules, or correct `--agent` or CONTEXTD_DEFAULT_AGENT.',
  },
  NO_FALLBACK_CONFIGURED: {
    message: 'No agent identity was given and no fallback is configured',
    jsonrpc: -32005,
    grpc: 'FAILED_PRECONDITION',
    http: 401,
    exit: 15,
    hint: 'Set CONTEXTD_DEFAULT_AGENT to an agent of the rules, or add an agent named `default`.',
  },
  IDENTITY_CONFLICT: {
    message: 'The call names one agent and its {source} another',
    jsonrpc: -32003,
    grpc: 'UNAUTHENTICATED',
    http: 401,
    exit: 13,
    hint: 'Leave `agent_id` out: the stronger identity is used.',
  },
  IDENTITY_LEVEL_TOO_LOW: {
    message: 'Agent {agent} is known at level {level}, the rules require {required}',
    jsonrpc: -32005,
    grpc: 'PERMISSION_DENIED',
    http: 403,
    exit: 15,
    hint: 'Call through a door that proves the identity (attestation or a token).',
  },
  CAPABILITY_NOT_GRANTED: {
    message: 'Agent {agent} is not granted {capability}',
    jsonrpc: -32006,
    grpc: 'PERMISSION_DENIED',
    http: 403,
    exit: 16,
    hint: 'Grant it under `allow.capabilities` of the agent.',
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
  SCRUB_FAILED: {
    message: 'The output could not be checked for secrets and is withheld',
    jsonrpc: -32009,
    grpc: 'INTERNAL',
    http: 500,
    exit: 19,
    hint: 'Ask for a smaller or simpler output. Nothing unchecked is ever passed on.',
  },
  SECRET_NOT_REVEALED: {
    message: '{tool} may not have what {tokens} stands for, and would write the token in its place',
    jsonrpc: -32006,
    grpc: 'PERMISSION_DENIED',
    http: 403,
    exit: 16,
    hint: 'Leave the secret as it is in the file: write only the other parts, without the token. If the tool should write the secret itself, ask the person for a `reveal` rule.',
  },
  SANDBOX_UNAVAILABLE: {
    message: 'Code cannot be run: {cause}',
    jsonrpc: -32010,
    grpc: 'FAILED_PRECONDITION',
    http: 503,
    exit: 20,
    hint: 'Run `ctxd doctor`: it says what is missing and how to install it.',
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
    hint: 'Correct these fields and call again.',
  },
  PARSE_ERROR: {
    message: 'The message could not be read: {what}',
    jsonrpc: -32700,
    grpc: 'INVALID_ARGUMENT',
    http: 400,
    exit: 2,
    hint: 'Send JSON in UTF-8, one message a line on stdio.',
  },
  INVALID_REQUEST: {
    message: 'The request is not valid: {what}',
    jsonrpc: -32600,
    grpc: 'INVALID_ARGUMENT',
    http: 400,
    exit: 2,
    hint: 'Send a JSON-RPC 2.0 request of the Model Context Protocol.',
  },
  MESSAGE_TOO_LARGE: {
    message: 'The message is larger than {limit} bytes',
    jsonrpc: -32600,
    grpc: 'RESOURCE_EXHAUSTED',
    http: 413,
    exit: 2,
    hint: 'Send less at once, or raise `limits.message_bytes`.',
  },
  UNAUTHORIZED: {
    message: 'A valid bearer token is required',
    jsonrpc: -32005,
    grpc: 'UNAUTHENTICATED',
    http: 401,
    exit: 15,
    hint: 'Make one with `ctxd agents token create --agent ID` and send it as `Authorization: Bearer …`.',
  },
  FORBIDDEN_ORIGIN: {
    message: 'The Host or Origin header is not one this server answers to',
    jsonrpc: -32000,
    grpc: 'PERMISSION_DENIED',
    http: 403,
    exit: 10,
    hint: 'Address it by a loopback name, or add the host name to `http.allowed_hosts`.',
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
    message: 'There is no such ref for this session and agent',
    jsonrpc: -32012,
    grpc: 'NOT_FOUND',
    http: 404,
    exit: 12,
    hint: 'Use a ref from an answer that this agent got in this session.',
  },
  REF_EXPIRED: {
    message: 'The ref has expired',
    jsonrpc: -32012,
    grpc: 'NOT_FOUND',
    http: 410,
    exit: 12,
    hint: 'Call the tool again to get a fresh answer.',
  },
  APPROVAL_REQUIRED: {
    message: 'A person must approve this first',
    jsonrpc: -32013,
    grpc: 'PERMISSION_DENIED',
    http: 403,
    exit: 22,
    hint: 'Ask the person at the terminal to approve it.',
  },
  OPERATOR_REQUIRED: {
    message: 'This needs a person at a terminal: {why}',
    jsonrpc: -32013,
    grpc: 'PERMISSION_DENIED',
    http: 403,
    exit: 22,
    hint: 'Run the command yourself in a terminal of your own, not through an agent.',
  },
  CANCELLED: {
    message: 'The call was cancelled by the client',
    jsonrpc: -32014,
    grpc: 'CANCELLED',
    http: 499,
    exit: 130,
    hint: 'Nothing to do.',
  },
  TOOL_FAILED: {
    message: 'The tool failed while running',
    jsonrpc: -32015,
    grpc: 'INTERNAL',
    http: 500,
    exit: 1,
    hint: 'See the server log for the cause; the audit record names the call.',
  },
  INTERNAL: {
    message: 'contextd failed while handling the call',
    jsonrpc: -32603,
    grpc: 'INTERNAL',
    http: 500,
    exit: 70,
    hint: 'See the server log, and report it with the call id.',
  },
  CONFIG_INVALID: {
    message: '{problem}',
    jsonrpc: -32016,
    grpc: 'FAILED_PRECONDITION',
    http: 500,
    exit: 78,
    hint: 'Correct the file at the place named; docs/reference/config.md lists every key.',
  },
  RULES_INVALID: {
    message: '{problem}',
    jsonrpc: -32016,
    grpc: 'FAILED_PRECONDITION',
    http: 500,
    exit: 78,
    hint: 'Correct the file at the place named and run `ctxd rules check`.',
  },
  NOT_TRUSTED: {
    message: 'The project file is not trusted or changed since it was',
    jsonrpc: -32013,
    grpc: 'PERMISSION_DENIED',
    http: 403,
    exit: 22,
    hint: 'Read the file, then run `ctxd trust` in that folder.',
  },
  STORE_UNAVAILABLE: {
    message: 'The store cannot be used: {cause}',
    jsonrpc: -32017,
    grpc: 'UNAVAILABLE',
    http: 503,
    exit: 74,
    hint: 'The file was left as it is. Free space, correct permissions, or move the file aside and start again.',
  },
  STORE_TOO_NEW: {
    message: 'The store was written by a newer contextd (schema {found}, this one knows {known})',
    jsonrpc: -32017,
    grpc: 'FAILED_PRECONDITION',
    http: 500,
    exit: 74,
    hint: 'Update contextd, or point CONTEXTD_HOME at another folder. The file was not touched.',
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
    hint: 'Start it with `ctxd server start`.',
  },
  DAEMON_ALREADY_RUNNING: {
    message: 'A contextd daemon is already running (pid {pid})',
    jsonrpc: -32001,
    grpc: 'FAILED_PRECONDITION',
    http: 503,
    exit: 11,
    hint: 'Stop it with `ctxd server stop`, or give this one another CONTEXTD_HOME.',
  },
  LISTEN_FAILED: {
    message: 'Cannot listen on {address}: {cause}',
    jsonrpc: -32001,
    grpc: 'UNAVAILABLE',
    http: 503,
    exit: 11,
    hint: 'Stop what uses the address, or choose another port: `ctxd config set http.port 7393`.',
  },
  NOT_FOUND: {
    message: 'There is no {what}',
    jsonrpc: -32602,
    grpc: 'NOT_FOUND',
    http: 404,
    exit: 12,
    hint: 'Check the name.',
  },
  USAGE: {
    message: '{problem}',
    jsonrpc: -32602,
    grpc: 'INVALID_ARGUMENT',
    http: 400,
    exit: 2,
    hint: 'Run the command with --help.',
  },
} as const satisfies Record<string, CatalogueEntry>

export type ErrorCode = keyof typeof errorCatalogue
