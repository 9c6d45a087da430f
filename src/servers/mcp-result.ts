import { ProtocolError } from '@modelcontextprotocol/server'

import type { Runtime } from '../compose.ts'
import { ContextdError, describeError, errorCatalogue, errorText, type ErrorObject } from '../core/errors.ts'
import { isJsonObject, mapStrings, type Json, type JsonObject } from '../core/json.ts'
import type { Answer } from '../core/result.ts'

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
  if (!(error instanceof ContextdError)) runtime.log('error', 'a request failed', { cause: String(error) })
  const known = error instanceof ContextdError ? error.toObject() : describeError('INTERNAL')
  return toProtocolError(known, (text) => runtime.scrub(text, 'door'))
}

/** The error inside a failed answer, for methods whose results have no room for one. */
export function errorIn({ structured }: Answer): ErrorObject {
  const error = isJsonObject(structured) ? structured.error : undefined
  const known =
    isJsonObject(error) && typeof error.code === 'string' && Object.hasOwn(errorCatalogue, error.code)
  return known ? (error as ErrorObject) : describeError('INTERNAL')
}

/** An error that may leave. */
export function scrubbed(error: ErrorObject, scrub: (text: string) => string): ErrorObject {
  try {
    // The code is ours and must stay what it is.
    return { ...(mapStrings(error as JsonObject, scrub) as ErrorObject), code: error.code }
  } catch {
    return describeError('SCRUB_FAILED')
  }
}
