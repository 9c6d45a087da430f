import type { CatalogueEntry } from './catalogue-entry.ts'

/** The part of the catalogue about telling other programs what happened. */
export const webhookErrors = {
  WEBHOOK_REFUSED: {
    message: 'No events are sent to that address: {problem}',
    jsonrpc: -32602,
    grpc: 'INVALID_ARGUMENT',
    http: 400,
    exit: 2,
    hint: 'Give a complete https address, or an http one on this machine.',
  },
  WEBHOOK_FAILED: {
    message: 'The event was not taken: {problem}',
    jsonrpc: -32001,
    grpc: 'UNAVAILABLE',
    http: 502,
    exit: 11,
    hint: 'See that the address answers 2xx. What cannot be delivered is in `ctxd webhooks dead`.',
  },
} as const satisfies Record<string, CatalogueEntry>
