import type { CatalogueEntry } from '@contextd/shared/errors/catalogue-entry'

/** Errors of the control API and of the webhooks that it manages. */
export const controlErrors = {
  DAEMON_LOST: {
    message: 'The connection to the daemon ended before {rpc} was answered',
    jsonrpc: -32001,
    grpc: 'UNAVAILABLE',
    http: 503,
    exit: 11,
    hint: 'The call may have taken effect; it was not retried. `ctxd start` starts the daemon; `ctxd audit query` shows an unfinished call as open, later as crashed.',
  },
  DAEMON_UNREACHABLE: {
    message: 'Cannot reach contextd at {address}: {why}',
    jsonrpc: -32001,
    grpc: 'UNAVAILABLE',
    http: 503,
    exit: 11,
    hint: 'Check CONTEXTD_ADDR, and that `ctxd server status` on that machine shows the address.',
  },
  WORKSPACE_UNAVAILABLE: {
    message: 'The workspace folder cannot be used: {why}',
    jsonrpc: -32602,
    grpc: 'FAILED_PRECONDITION',
    http: 409,
    exit: 12,
    hint: "Use an existing folder, or omit the workspace to use the daemon's.",
  },
  CALLER_LIMITED: {
    message: 'This caller reached its limit of {limit}',
    jsonrpc: -32007,
    grpc: 'RESOURCE_EXHAUSTED',
    http: 429,
    exit: 17,
    hint: 'Wait a moment and try again, or raise `control.calls_per_minute` or `control.calls_at_once`.',
  },
  WEBHOOK_REFUSED: {
    message: 'Events cannot be sent to this address: {problem}',
    jsonrpc: -32602,
    grpc: 'INVALID_ARGUMENT',
    http: 400,
    exit: 2,
    hint: 'Use a complete https URL, or an http URL on this machine.',
  },
  WEBHOOK_FAILED: {
    message: 'The event was not accepted: {problem}',
    jsonrpc: -32001,
    grpc: 'UNAVAILABLE',
    http: 502,
    exit: 11,
    hint: 'The address must answer 2xx. `ctxd webhooks dead` lists undelivered events.',
  },
} as const satisfies Record<string, CatalogueEntry>
