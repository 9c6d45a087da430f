/** Errors of the catalogue in the words of gRPC: a status, and beside it everything that a program can act on. */

import { Code, ConnectError } from '@connectrpc/connect'

import type { GrpcStatus } from '@contextd/shared/errors/catalogue-entry'
import {
  CodedError,
  ContextdError,
  describeError,
  errorCatalogue,
  type ErrorObject,
} from '../../core/errors/errors.ts'
import { isJsonObject, type Json } from '@contextd/shared/json/value'
import { readError } from '../local/hook-socket.ts'
import { ErrorSchema } from './gen/contextd/v1/common_pb.ts'

const codes: Readonly<Record<GrpcStatus, Code>> = {
  INVALID_ARGUMENT: Code.InvalidArgument,
  UNAUTHENTICATED: Code.Unauthenticated,
  PERMISSION_DENIED: Code.PermissionDenied,
  NOT_FOUND: Code.NotFound,
  FAILED_PRECONDITION: Code.FailedPrecondition,
  RESOURCE_EXHAUSTED: Code.ResourceExhausted,
  DEADLINE_EXCEEDED: Code.DeadlineExceeded,
  CANCELLED: Code.Canceled,
  UNAVAILABLE: Code.Unavailable,
  INTERNAL: Code.Internal,
  DATA_LOSS: Code.DataLoss,
}

/** What leaves of an error. Of one that is not ours, nothing. */
export function toConnectError(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error
  // What went wrong inside stands in our log.
  const isKnown = error instanceof CodedError && error.code !== 'INTERNAL'
  return connectError(isKnown ? error.toObject() : describeError('INTERNAL'))
}

function connectError({ code, message, rule, hint, ...rest }: ErrorObject): ConnectError {
  const { retry_after_ms: wait } = rest
  // Clients that try again by themselves wait for so long.
  const metadata = typeof wait === 'number' ? { 'grpc-retry-pushback-ms': String(wait) } : undefined
  const details = withoutAbsent(rest)
  const value = {
    code,
    message,
    ...(rule !== undefined && { rule }),
    ...(hint !== undefined && { hint }),
    ...(isJsonObject(details) && Object.keys(details).length > 0 && { details }),
  }
  return new ConnectError(message, codes[errorCatalogue[code].grpc], metadata, [{ desc: ErrorSchema, value }])
}

/** A Struct knows no value that is not there. */
function withoutAbsent(rest: Readonly<Record<string, Json | undefined>>): Json {
  return Object.fromEntries(
    Object.entries(rest).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  )
}

/** What arrived of an error: the one of the catalogue that came with it, or the nearest to what Connect says by itself. */
export function fromConnectError(error: ConnectError): ContextdError {
  const [said] = error.findDetails(ErrorSchema)
  if (said !== undefined) {
    const { code, message, rule, hint, details } = said
    return readError({
      ...details,
      code,
      message,
      ...(rule !== undefined && { rule }),
      ...(hint !== undefined && { hint }),
    })
  }
  return new ContextdError(
    foreign.find((one) => codes[errorCatalogue[one].grpc] === error.code) ?? 'INTERNAL',
  )
}

/** What can be said before a call comes to the pipeline. */
const foreign = [
  'CERTIFICATE_REQUIRED',
  'CANCELLED',
  'TIMEOUT',
  'CALLER_LIMITED',
  'NOT_FOUND',
  'INVALID_REQUEST',
] as const
