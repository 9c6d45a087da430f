import {
  PROTOCOL_VERSION_META_KEY,
  RELATED_TASK_META_KEY,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server'

import { describeError, errorCatalogue, type ErrorObject } from '../../core/errors/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import { parseSafely, type Unreadable } from '../../platform/message-json.ts'

export type Received = { readonly message: JSONRPCMessage } | Unreadable

/**
 * Reads one message. A request that passes here also passes the SDK's validation (verified by a property test);
 * others are answered here, because the SDK would silently drop them and the client would wait.
 */
export function readMessage(bytes: Buffer): Received {
  const parsed = parseSafely(bytes)
  return 'error' in parsed ? parsed : checkMessage(parsed.value)
}

/** Validates a parsed message. */
export function checkMessage(value: unknown): Received {
  if (!isJsonObject(value)) return invalid(null, 'expected one JSON-RPC object')
  const id = isRequestId(value.id) ? value.id : null
  if (value.jsonrpc !== '2.0') return invalid(id, 'jsonrpc must be "2.0"')
  // Responses to our own requests; problems with them concern only the requester.
  if (value.method === undefined && id !== null && ('result' in value || 'error' in value)) {
    return { message: value as JSONRPCMessage }
  }
  if (typeof value.method !== 'string') return invalid(id, 'method must be a string')
  if (value.id !== undefined && id === null) return invalid(null, 'id must be a string or an integer')
  const unknown = Object.keys(value).find((key) => !['jsonrpc', 'id', 'method', 'params'].includes(key))
  if (unknown !== undefined) return invalid(id, 'it has members that JSON-RPC does not define')
  // Notifications are never answered, even invalid ones; the SDK drops those.
  const fields = id === null ? [] : wrongParams(value.method, value.params)
  return fields.length === 0
    ? { message: value as JSONRPCMessage }
    : { id, error: describeError('INVALID_ARGUMENTS', { fields }) }
}

/** One of our errors as a JSON-RPC error message. */
export function errorResponse(id: RequestId | null, error: ErrorObject): JsonObject {
  const { jsonrpc: code } = errorCatalogue[error.code]
  return { jsonrpc: '2.0', id, error: { code, message: error.message, data: error as JsonObject } }
}

function invalid(id: RequestId | null, what: string): Unreadable {
  return { id, error: describeError('INVALID_REQUEST', { what }) }
}

function isRequestId(value: Json | undefined): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value)
}

type Expectation = 'a string' | 'an object' | 'an object, or nothing' | 'a string or an integer'
type ExpectedParams = Readonly<Record<string, Readonly<Record<string, Expectation>>>>

/** Required params of each method. */
const expectedParams: ExpectedParams = {
  'tools/call': { name: 'a string', arguments: 'an object, or nothing' },
  'prompts/get': { name: 'a string', arguments: 'an object, or nothing' },
  'resources/read': { uri: 'a string' },
  'completion/complete': { ref: 'an object', argument: 'an object' },
}

/** Methods that 2026-07-28 removed: there they must be reported as unknown, whatever their params. */
const expectedParamsUntil2025: ExpectedParams = {
  ...expectedParams,
  initialize: { protocolVersion: 'a string', capabilities: 'an object', clientInfo: 'an object' },
  'resources/subscribe': { uri: 'a string' },
  'resources/unsubscribe': { uri: 'a string' },
  'logging/setLevel': { level: 'a string' },
}

function wrongParams(method: string, params: Json | undefined): JsonObject[] {
  if (params !== undefined && !isJsonObject(params)) {
    return [{ field: 'params', expected: 'an object, or nothing' satisfies Expectation }]
  }
  const wrong: JsonObject[] = []
  const expect = (field: string, found: Json | undefined, expected: Expectation): void => {
    if (!meets(found, expected)) wrong.push({ field: `params.${field}`, expected })
  }
  const meta = params?._meta
  expect('_meta', meta, 'an object, or nothing')
  if (isJsonObject(meta)) {
    if (meta.progressToken !== undefined)
      expect('_meta.progressToken', meta.progressToken, 'a string or an integer')
    const task = meta[RELATED_TASK_META_KEY]
    if (task !== undefined) {
      expect(
        `_meta.${RELATED_TASK_META_KEY}.taskId`,
        isJsonObject(task) ? task.taskId : undefined,
        'a string',
      )
    }
  }
  const modern = isJsonObject(meta) && Object.hasOwn(meta, PROTOCOL_VERSION_META_KEY)
  const expected = modern ? expectedParams : expectedParamsUntil2025
  if (Object.hasOwn(expected, method)) {
    for (const [field, what] of Object.entries(expected[method] ?? {})) expect(field, params?.[field], what)
  }
  return wrong
}

function meets(found: Json | undefined, expected: Expectation): boolean {
  switch (expected) {
    case 'a string':
      return typeof found === 'string'
    case 'an object':
      return isJsonObject(found)
    case 'an object, or nothing':
      return found === undefined || isJsonObject(found)
    case 'a string or an integer':
      return isRequestId(found)
  }
}
