import type { CatalogueEntry } from '@contextd/shared/errors/catalogue-entry'

/** Errors of webhooks. */
export const webhookErrors = {
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
