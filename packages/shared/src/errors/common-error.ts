import type { CatalogueEntry } from './catalogue-entry.ts'
import { CodedError, type ErrorDetails } from './coded-error.ts'

/** Errors that more than one package reports. They are part of contextd's catalogue, docs/reference/errors.md. */
export const commonErrors = {
  USAGE: {
    message: '{problem}',
    jsonrpc: -32602,
    grpc: 'INVALID_ARGUMENT',
    http: 400,
    exit: 2,
    hint: 'Run `{command} --help`.',
  },
  NOT_FOUND: {
    message: 'There is no {what}',
    jsonrpc: -32602,
    grpc: 'NOT_FOUND',
    http: 404,
    exit: 12,
    hint: 'Check the spelling of {name}.',
  },
  CONFIG_INVALID: {
    message: '{problem}',
    jsonrpc: -32016,
    grpc: 'FAILED_PRECONDITION',
    http: 500,
    exit: 78,
    hint: 'Correct the file at that position; docs/reference/config.md lists every key.',
  },
  STORE_UNAVAILABLE: {
    message: 'The store cannot be used: {cause}',
    jsonrpc: -32017,
    grpc: 'UNAVAILABLE',
    http: 503,
    exit: 74,
    hint: 'The file was not changed. Free disk space, fix its permissions, or move it aside and start again.',
  },
  INTERNAL: {
    message: 'contextd failed while handling the call',
    jsonrpc: -32603,
    grpc: 'INTERNAL',
    http: 500,
    exit: 70,
    hint: 'See the server log, and report it with the call id.',
  },
  APPROVAL_REQUIRED: {
    message: 'The user must approve this first',
    jsonrpc: -32013,
    grpc: 'PERMISSION_DENIED',
    http: 403,
    exit: 22,
    hint: 'Ask the user to approve it in a terminal.',
  },
  OPERATOR_REQUIRED: {
    message: 'This requires the user at a terminal: {why}',
    jsonrpc: -32013,
    grpc: 'PERMISSION_DENIED',
    http: 403,
    exit: 22,
    hint: 'Run `{command}` in your own terminal, not through an agent.',
  },
  PARSE_ERROR: {
    message: 'The message could not be read: {what}',
    jsonrpc: -32700,
    grpc: 'INVALID_ARGUMENT',
    http: 400,
    exit: 2,
    hint: 'Send UTF-8 JSON, on stdio one message per line.',
  },
  SCRUB_FAILED: {
    message: 'The output could not be checked for secrets and is withheld',
    jsonrpc: -32009,
    grpc: 'INTERNAL',
    http: 500,
    exit: 19,
    hint: 'Request a smaller or simpler output. Unchecked output is never passed on.',
  },
} as const satisfies Record<string, CatalogueEntry>

export type CommonErrorCode = keyof typeof commonErrors

export class CommonError extends CodedError<CommonErrorCode> {
  constructor(code: CommonErrorCode, details?: ErrorDetails, options?: { cause?: unknown }) {
    super(code, commonErrors[code], details, options)
  }
}

/** A name that a caller chose, cut so that an error stays short. */
export function shortName(name: string): string {
  return name.length <= 120 ? name : `${name.slice(0, 119)}…`
}

/** Details of NOT_FOUND for a thing with a name. */
export function missingThing(kind: string, name: string): { what: string; name: string } {
  const short = shortName(name)
  return { what: `${kind} ${short}`, name: short }
}
