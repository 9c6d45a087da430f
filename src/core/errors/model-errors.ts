import type { CatalogueEntry } from '@contextd/shared/errors/catalogue-entry'

/** Errors of the model door. Clients see the message in their provider's own error format. */
export const modelErrors = {
  MODEL_KEY_INVALID: {
    message: 'The URL contains no valid model door key',
    jsonrpc: -32005,
    grpc: 'UNAUTHENTICATED',
    http: 401,
    exit: 15,
    hint: 'Run `ctxd init` again, or `ctxd model url <client>` for the base URL to use.',
  },
  MODEL_NOT_LOCAL: {
    message: 'The model door only serves programs on this machine',
    jsonrpc: -32000,
    grpc: 'PERMISSION_DENIED',
    http: 403,
    exit: 10,
    hint: "Run contextd on the client's machine.",
  },
  MODEL_PROVIDER_UNKNOWN: {
    message: 'The configuration has no model provider {provider}',
    jsonrpc: -32602,
    grpc: 'NOT_FOUND',
    http: 404,
    exit: 12,
    hint: 'Use anthropic, openai or gemini, or add the provider under `[model.providers]` in config.toml.',
  },
  MODEL_ENCODING_UNKNOWN: {
    message: 'The content-encoding of the request is not supported, so it cannot be checked for secrets',
    jsonrpc: -32600,
    grpc: 'INVALID_ARGUMENT',
    http: 415,
    exit: 2,
    hint: 'Send it uncompressed, or as gzip, deflate or br.',
  },
  MODEL_REQUEST_REFUSED: {
    message: 'Found {found} in {what}, where secrets cannot be masked',
    jsonrpc: -32009,
    grpc: 'FAILED_PRECONDITION',
    http: 400,
    exit: 19,
    hint: 'Nothing was sent to the provider. Remove the secret from the request.',
  },
  MODEL_REQUEST_UNCHECKED: {
    message: 'The request could not be checked for secrets and was not sent',
    jsonrpc: -32009,
    grpc: 'INTERNAL',
    http: 500,
    exit: 19,
    hint: "Try again. If it fails again, see the daemon's log.",
  },
  MODEL_UNREACHABLE: {
    message: 'Cannot reach the model provider {provider}: {why}',
    jsonrpc: -32001,
    grpc: 'UNAVAILABLE',
    http: 502,
    exit: 11,
    hint: "Check the network and the provider's address under `[model]` in config.toml.",
  },
  MODEL_BUDGET_EXHAUSTED: {
    message: '{who} used the {limit} model tokens that the rules allow per {scope}',
    jsonrpc: -32008,
    grpc: 'RESOURCE_EXHAUSTED',
    http: 429,
    exit: 18,
    hint: 'Raise the limit in the rules. `ctxd usage` shows the usage.',
  },
} as const satisfies Record<string, CatalogueEntry>
