import type { CatalogueEntry } from './catalogue-entry.ts'

/** The part of the catalogue about certificates. */
export const tlsErrors = {
  TLS_NOT_SET_UP: {
    message: 'This contextd has no certificates of its own yet',
    jsonrpc: -32016,
    grpc: 'FAILED_PRECONDITION',
    http: 500,
    exit: 78,
    hint: 'Run `ctxd tls init`.',
  },
  TLS_FOLDER_DAMAGED: {
    message: 'The folder of the certificates cannot be used: {problem}',
    jsonrpc: -32017,
    grpc: 'FAILED_PRECONDITION',
    http: 500,
    exit: 74,
    hint: 'Nothing was replaced. Bring the folder back from a backup, or begin anew with `ctxd tls init --force`, which keeps what is there under another name.',
  },
  TLS_AUTHORITY_UNUSABLE: {
    message: 'The certificate authority cannot issue: its certificate {problem}',
    jsonrpc: -32017,
    grpc: 'FAILED_PRECONDITION',
    http: 500,
    exit: 74,
    hint: 'Set the clock if it is wrong. An authority that has ended is replaced with `ctxd tls init --force`.',
  },
  CERTIFICATE_REQUIRED: {
    message: 'A valid certificate is required',
    jsonrpc: -32005,
    grpc: 'UNAUTHENTICATED',
    http: 401,
    exit: 15,
    hint: 'The operator of the server makes one with `ctxd tls issue`, and finds in its log why this one was refused.',
  },
  CERTIFICATE_UNUSABLE: {
    message: 'The certificate in CONTEXTD_TLS cannot be used: {problem}',
    jsonrpc: -32016,
    grpc: 'FAILED_PRECONDITION',
    http: 500,
    exit: 78,
    hint: 'Ask the operator of the server for a new one (`ctxd tls issue`), and name its folder in CONTEXTD_TLS.',
  },
} as const satisfies Record<string, CatalogueEntry>
