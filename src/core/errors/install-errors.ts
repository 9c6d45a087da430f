import type { CatalogueEntry } from '@contextd/shared/errors/catalogue-entry'

/** Errors of installing tools. */
export const installErrors = {
  SOURCE_UNAVAILABLE: {
    message: 'Cannot get the tool from this source: {cause}',
    jsonrpc: -32001,
    grpc: 'UNAVAILABLE',
    http: 502,
    exit: 11,
    hint: 'Check that the source is correct and reachable. Nothing was changed.',
  },
  ARCHIVE_REFUSED: {
    message: 'The files were rejected: {problem}',
    jsonrpc: -32019,
    grpc: 'FAILED_PRECONDITION',
    http: 422,
    exit: 24,
    hint: 'Nothing was unpacked. See docs/guides/install-tools.md for what a tool may contain; ask its author.',
  },
  SHA256_MISMATCH: {
    message: 'The sha256 does not match: it is {found}',
    jsonrpc: -32019,
    grpc: 'FAILED_PRECONDITION',
    http: 422,
    exit: 24,
    hint: 'The file was replaced, or the hash after # is for another version. Nothing was changed.',
  },
  TOOLS_LOCK_INVALID: {
    message: '{problem}',
    jsonrpc: -32016,
    grpc: 'FAILED_PRECONDITION',
    http: 500,
    exit: 78,
    hint: 'Correct the file at that position, or restore it from version control. It was not changed.',
  },
} as const satisfies Record<string, CatalogueEntry>
