import { ProtocolError } from '@modelcontextprotocol/server'

import type { Runtime } from '../../compose.ts'
import {
  CodedError,
  describeError,
  errorCatalogue,
  errorText,
  type ErrorObject,
} from '../../core/errors/errors.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import type { Answer } from '../../core/result.ts'
import { scrubbed } from './wire-error.ts'

/** A tool's answer as an MCP result. */
export function toToolResult({ content, structured, isError, meta }: Answer): JsonObject {
  const result: JsonObject = { content: content as readonly Json[] as Json[] }
  if (structured !== undefined) result.structuredContent = structured
  if (isError === true) result.isError = isError
  if (meta !== undefined) result._meta = meta
  return result
}

/** A refusal as an MCP error: the catalogue's code, with the details as text for the model and as data for programs. */
export function toProtocolError(error: ErrorObject, scrub: (text: string) => string): ProtocolError {
  const clean = scrubbed(error, scrub)
  return new ProtocolError(errorCatalogue[clean.code].jsonrpc, errorText(clean), clean)
}

/** Any thrown error as an MCP error: ours unchanged, others without details. */
export function asProtocolError(error: unknown, runtime: Runtime): ProtocolError {
  if (error instanceof ProtocolError) return error
  if (!(error instanceof CodedError)) runtime.log('error', 'a request failed', { cause: String(error) })
  const known = error instanceof CodedError ? error.toObject() : describeError('INTERNAL')
  return toProtocolError(known, (text) => runtime.scrub(text, 'door'))
}
