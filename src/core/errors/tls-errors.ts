import type { CatalogueEntry } from '@contextd/shared/errors/catalogue-entry'

/** Errors of certificates. */
export const tlsErrors = {
  TLS_NOT_SET_UP: {
    message: 'This contextd has no certificates yet',
    jsonrpc: -32016,
    grpc: 'FAILED_PRECONDITION',
    http: 500,
    exit: 78,
    hint: 'Run `ctxd tls init`.',
  },
  TLS_FOLDER_DAMAGED: {
    message: 'The certificate folder cannot be used: {problem}',
    jsonrpc: -32017,
    grpc: 'FAILED_PRECONDITION',
    http: 500,
    exit: 74,
    hint: 'Nothing was replaced. Restore the folder from a backup, or start over with `ctxd tls init --force`, which keeps the old files under another name.',
  },
  TLS_AUTHORITY_UNUSABLE: {
    message: 'The certificate authority cannot issue certificates: its own {problem}',
    jsonrpc: -32017,
    grpc: 'FAILED_PRECONDITION',
    http: 500,
    exit: 74,
    hint: 'Correct the clock if it is wrong. `ctxd tls init --force` replaces an expired authority.',
  },
  CERTIFICATE_REQUIRED: {
    message: 'A valid certificate is required',
    jsonrpc: -32005,
    grpc: 'UNAUTHENTICATED',
    http: 401,
    exit: 15,
    hint: "The server's operator creates one with `ctxd tls issue`; its log says why this one was refused.",
  },
  CERTIFICATE_UNUSABLE: {
    message: 'The certificate in CONTEXTD_TLS cannot be used: {problem}',
    jsonrpc: -32016,
    grpc: 'FAILED_PRECONDITION',
    http: 500,
    exit: 78,
    hint: "Ask the server's operator for a new one (`ctxd tls issue`), and set CONTEXTD_TLS to its folder.",
  },
} as const satisfies Record<string, CatalogueEntry>
