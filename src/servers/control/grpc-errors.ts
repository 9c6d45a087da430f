/** Converts errors of the catalogue to gRPC: a status, with details that programs can act on. */

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

/** Other errors reveal nothing to the client. */
export function toConnectError(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error
  // The cause of internal errors is in our log only.
  const isKnown = error instanceof CodedError && error.code !== 'INTERNAL'
  return connectError(isKnown ? error.toObject() : describeError('INTERNAL'))
}

function connectError({ code, message, rule, hint, ...rest }: ErrorObject): ConnectError {
  const { retry_after_ms: wait } = rest
  // Clients with automatic retries wait this long.
  const metadata = typeof wait === 'number' ? { 'grpc-retry-pushback-ms': String(wait) } : undefined
  const details = withoutUndefined(rest)
  const value = {
    code,
    message,
    ...(rule !== undefined && { rule }),
    ...(hint !== undefined && { hint }),
    ...(isJsonObject(details) && Object.keys(details).length > 0 && { details }),
  }
  return new ConnectError(message, codes[errorCatalogue[code].grpc], metadata, [{ desc: ErrorSchema, value }])
}

/** A protobuf Struct cannot represent undefined. */
function withoutUndefined(rest: Readonly<Record<string, Json | undefined>>): Json {
  return Object.fromEntries(
    Object.entries(rest).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  )
}

/** Converts a received error: the catalogue error in its details, or else the closest match to its status. */
export function fromConnectError(error: ConnectError): ContextdError {
  const [sentError] = error.findDetails(ErrorSchema)
  if (sentError !== undefined) {
    const { code, message, rule, hint, details } = sentError
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

/** Errors that may occur before a call reaches the pipeline. */
const foreign = [
  'CERTIFICATE_REQUIRED',
  'CANCELLED',
  'TIMEOUT',
  'CALLER_LIMITED',
  'NOT_FOUND',
  'INVALID_REQUEST',
] as const
