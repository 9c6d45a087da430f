/** The service Tools: any tool that the caller may use, by name. */

import { logLevels, type LogLevel } from '../../core/call.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import { isJsonObject, valueAt, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { Answer, Payload } from '../../core/result.ts'
import type { Rpc } from './rpc.ts'

const listed = { method: 'list', tool: 'tools' } as const

export const toolRpcs: readonly Rpc[] = [
  {
    name: 'Tools/List',
    toCall: () => listed,
    respond: (result) => ({ tools: toolsIn(result) }),
  },
  {
    name: 'Tools/Get',
    toCall: () => listed,
    respond(result, { name }) {
      const tool = toolsIn(result).find((one) => one.name === name)
      if (tool === undefined)
        throw new ContextdError('TOOL_NOT_FOUND', { tool: typeof name === 'string' ? name : '' })
      return { tool }
    },
  },
  { name: 'Tools/Call', toCall: toToolCall, respond: toCallResponse },
  {
    name: 'Tools/Execute',
    toCall: (request) => ({ ...toToolCall(request), ...logLevelIn(request) }),
    respond: toCallResponse,
    lastEvents: outputIn,
  },
]

function toolsIn(result: Answer | Payload): JsonObject[] {
  const tools = result.kind === 'payload' ? result.value.tools : []
  return Array.isArray(tools) ? tools.filter(isJsonObject).map(toTool) : []
}

function toTool({ name = '', title, description = '', ...definition }: JsonObject): JsonObject {
  const { inputSchema, outputSchema, annotations } = definition
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    ...(inputSchema !== undefined && { input_schema: inputSchema }),
    ...(outputSchema !== undefined && { output_schema: outputSchema }),
    ...(annotations !== undefined && { annotations }),
  }
}

/** A name never resolves to a control operation; the catalogue determines the server of a tool. */
function toToolCall({ name, arguments: given }: JsonObject): ReturnType<Rpc['toCall']> {
  if (typeof name !== 'string' || name === '') throw missing('name', 'required, the name of a tool')
  if (given !== undefined && !isJsonObject(given)) throw missing('arguments', 'object')
  return { method: 'tool', tool: name, arguments: given ?? {} }
}

function logLevelIn({ log_level: level }: JsonObject): { logLevel?: LogLevel } {
  if (level === undefined) return {}
  if (!logLevels.some((one) => one === level)) {
    throw missing('log_level', `one of ${logLevels.join(', ')}`)
  }
  return { logLevel: level as LogLevel }
}

function missing(field: string, expected: string): ContextdError {
  return new ContextdError('INVALID_ARGUMENTS', { fields: [{ field, expected }] })
}

/**
 * The output of a command. Sent only after it has ended and been scrubbed as a whole, because part of a secret
 * cannot be recognized.
 */
function outputIn({ structured }: JsonObject): JsonObject[] {
  const data = valueAt(structured ?? null, ['data'])
  if (!isJsonObject(data)) return []
  return ['stdout', 'stderr'].flatMap((stream) => {
    const text = data[stream]
    return typeof text === 'string' && text !== '' ? [{ output: { stream, text } }] : []
  })
}

function toCallResponse(result: Answer | Payload): JsonObject {
  if (result.kind === 'payload') return { content: [], structured: result.value }
  const { content, structured, isError, meta } = result
  return {
    content: content as readonly Json[] as Json[],
    ...(structured !== undefined && { structured }),
    ...(isError === true && { is_error: true }),
    ...(meta !== undefined && { meta }),
  }
}
