import { ProtocolError } from '@modelcontextprotocol/server'

import type { Runtime } from '../../compose.ts'
import {
  CodedError,
  describeError,
  errorCatalogue,
  errorText,
  type ErrorObject,
} from '../../core/errors/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import { RESULT_META, type Answer } from '../../core/result.ts'
import { scrubbed } from './wire-error.ts'

/**
 * A tool's answer as an MCP result. `textOnly`: without the data of our own answers, because clients that show
 * structured content show a model nothing else, and in JSON every quote and line break is escaped.
 */
export function toToolResult(answer: Answer, textOnly = false): JsonObject {
  const { content, structured, isError, meta } = textOnly ? withoutData(answer) : answer
  const result: JsonObject = { content: content as readonly Json[] as Json[] }
  if (structured !== undefined) result.structuredContent = structured
  if (isError === true) result.isError = isError
  if (meta !== undefined) result._meta = meta
  return result
}

/** Programs find the rest in `_meta`, which the clients do not show to models. Other servers' answers stay unchanged. */
function withoutData(answer: Answer): Answer {
  if (!answer.own && answer.isOurError !== true) return answer
  const { structured, meta, ...shown } = answer
  const { data: _, note: __, ...book } = isJsonObject(structured) ? structured : {}
  const counted = meta?.[RESULT_META]
  const all: JsonObject = { ...(isJsonObject(counted) && counted), ...book }
  return Object.keys(all).length === 0 ? shown : { ...shown, meta: { ...meta, [RESULT_META]: all } }
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
