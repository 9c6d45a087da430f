import type { CatalogueEntry } from './catalogue-entry.ts'

/** The part of the catalogue about steering contextd from outside. */
export const controlErrors = {
  DAEMON_LOST: {
    message: 'The connection to the daemon ended before {rpc} was answered',
    jsonrpc: -32001,
    grpc: 'UNAVAILABLE',
    http: 503,
    exit: 11,
    hint: 'It is not known how far it came, and it was not tried again. `ctxd server start` starts the daemon; `ctxd audit query` shows a call that was begun and not ended as open, later as crashed.',
  },
  DAEMON_UNREACHABLE: {
    message: 'The contextd at {address} cannot be asked: {why}',
    jsonrpc: -32001,
    grpc: 'UNAVAILABLE',
    http: 503,
    exit: 11,
    hint: 'Check CONTEXTD_ADDR, and that `ctxd server status` on that machine shows the address.',
  },
  WORKSPACE_UNAVAILABLE: {
    message: 'The folder that was named as the workspace cannot be used: {why}',
    jsonrpc: -32602,
    grpc: 'FAILED_PRECONDITION',
    http: 409,
    exit: 12,
    hint: 'Run the command in a folder that is there, or leave the workspace out to use the one of the daemon.',
  },
  CALLER_LIMITED: {
    message: 'This caller reached its limit of {limit}',
    jsonrpc: -32007,
    grpc: 'RESOURCE_EXHAUSTED',
    http: 429,
    exit: 17,
    hint: 'Wait a moment and try again, or raise `control.calls_per_minute` or `control.calls_at_once`.',
  },
} as const satisfies Record<string, CatalogueEntry>
