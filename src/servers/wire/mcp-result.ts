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

/** An answer of a tool as MCP has it. */
export function toToolResult({ content, structured, isError, meta }: Answer): JsonObject {
  const result: JsonObject = { content: content as readonly Json[] as Json[] }
  if (structured !== undefined) result.structuredContent = structured
  if (isError === true) result.isError = isError
  if (meta !== undefined) result._meta = meta
  return result
}

/** A refusal as MCP has it: the number of the catalogue, all of it in words for the model and as data for programs. */
export function toProtocolError(error: ErrorObject, scrub: (text: string) => string): ProtocolError {
  const clean = scrubbed(error, scrub)
  return new ProtocolError(errorCatalogue[clean.code].jsonrpc, errorText(clean), clean)
}

/** Whatever was thrown on the way, as MCP has it: our own errors as they are, of others nothing is told. */
export function asProtocolError(error: unknown, runtime: Runtime): ProtocolError {
  if (error instanceof ProtocolError) return error
  if (!(error instanceof CodedError)) runtime.log('error', 'a request failed', { cause: String(error) })
  const known = error instanceof CodedError ? error.toObject() : describeError('INTERNAL')
  return toProtocolError(known, (text) => runtime.scrub(text, 'door'))
}
