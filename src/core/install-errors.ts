import type { CatalogueEntry } from './catalogue-entry.ts'

/** The part of the catalogue about tools that come from elsewhere. */
export const installErrors = {
  SOURCE_UNAVAILABLE: {
    message: 'The tool cannot be had from there: {cause}',
    jsonrpc: -32001,
    grpc: 'UNAVAILABLE',
    http: 502,
    exit: 11,
    hint: 'Check the source, and that it can be reached from here. Nothing was changed.',
  },
  ARCHIVE_REFUSED: {
    message: 'The files are not taken: {problem}',
    jsonrpc: -32019,
    grpc: 'FAILED_PRECONDITION',
    http: 422,
    exit: 24,
    hint: 'Nothing was unpacked. docs/guides/install-tools.md says what a tool may hold; ask its author.',
  },
  SHA256_MISMATCH: {
    message: 'This is not what was asked for: its sha256 is {found}',
    jsonrpc: -32019,
    grpc: 'FAILED_PRECONDITION',
    http: 422,
    exit: 24,
    hint: 'Somebody replaced it, or the hash behind # is of another version. Nothing was changed.',
  },
  TOOLS_LOCK_INVALID: {
    message: '{problem}',
    jsonrpc: -32016,
    grpc: 'FAILED_PRECONDITION',
    http: 500,
    exit: 78,
    hint: 'Correct the file at the place named, or take it from your version control. It was left as it is.',
  },
} as const satisfies Record<string, CatalogueEntry>
