import { ProtocolError, type Server } from '@modelcontextprotocol/server'

import { describeError, errorCatalogue, type ErrorObject } from '../../core/errors/errors.ts'
import { isJsonObject, mapStrings, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { Fault } from '../../core/result.ts'
import { toProtocolError } from '../wire/mcp-result.ts'

type Scrub = (text: string) => string

const parseError = -32700
const unknownMethod = -32601
const invalidParams = -32602
const internalError = -32603
const unknownSession = -32001

/**
 * Errors of other servers, keyed by the error and by the placeholder for its data inside the SDK. Nothing from the
 * wire is a key.
 */
const faults = new WeakMap<object, JsonObject>()

/** The error of another server, to be thrown inside the SDK, which would otherwise change its code. */
export function faultAsError({ error }: Fault): ProtocolError {
  const placeholder = {}
  faults.set(placeholder, error)
  faults.set(error, error)
  return new ProtocolError(error.code, error.message, placeholder)
}

/**
 * Last check of outgoing messages. The SDK refuses some requests itself, with messages that may repeat their
 * contents; such an error is replaced by our own. Codes defined by the protocol, with the data it specifies for
 * them, and errors of other servers are preserved.
 */
export function withOwnError<Message>(message: Message, scrub: Scrub): Message {
  if (!isJsonObject(message) || !isJsonObject(message.error) || isOwn(message.error)) return message
  const { error } = message
  const fault = faults.get(error) ?? (isJsonObject(error.data) ? faults.get(error.data) : undefined)
  return { ...message, error: fault ?? ownError(error, scrub) }
}

/** What to do with the messages of a connection: see what arrives, and change what is sent. */
export interface MessageHooks {
  received(message: unknown): void
  sent<Message>(message: Message): Message
}

export function hookMessages(server: Server, { received, sent }: MessageHooks): void {
  const connect = server.connect.bind(server)
  server.connect = async (transport) => {
    const send = transport.send.bind(transport)
    await connect(
      Object.assign(transport, {
        send: ((message, options) => send(sent(message), options)) satisfies typeof send,
      }),
    )
    const receive = transport.onmessage?.bind(transport)
    Object.assign(transport, {
      onmessage: ((message, extra) => {
        received(message)
        receive?.(message, extra)
      }) satisfies typeof receive,
    })
  }
}

/** `withOwnError` for an HTTP response, because the SDK refuses some requests before a server receives them. */
export async function withOwnErrorInBody(response: Response, scrub: Scrub): Promise<Response> {
  if (response.ok || response.headers.get('content-type') !== 'application/json') return response
  const body: unknown = await response.json()
  const { status, headers } = response
  return new Response(JSON.stringify(withOwnError(body, scrub)), { status, headers })
}

/** Converts schema issues to fields and expected types, without the values. */
export function fieldsOf(issues: readonly unknown[]): JsonObject[] {
  return issues
    .filter(isIssue)
    .slice(0, maxFields)
    .map((issue) => ({ field: issue.path.map(readable).join('.'), expected: expectedBy(issue) }))
}

const maxFields = 20
const maxNameLength = 100

interface Issue {
  readonly path: readonly Json[]
  readonly expected?: Json
  readonly values?: Json
}

function isIssue(value: unknown): value is Issue {
  return isJsonObject(value) && Array.isArray(value.path)
}

/** A long name is omitted entirely: if it were truncated, half a secret in it would not be recognized. */
function readable(name: Json): string {
  const text = typeof name === 'string' ? name : JSON.stringify(name)
  return text.length > maxNameLength ? '…' : text
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

function expectedBy({ expected, values }: Issue): string {
  if (Array.isArray(values)) return `one of ${values.map(readable).join(', ')}`
  const kind = typeof expected === 'string' ? kinds[expected] : undefined
  return kind ?? 'a value that the protocol allows here'
}

function isOwn({ data }: JsonObject): boolean {
  return isJsonObject(data) && typeof data.code === 'string' && Object.hasOwn(errorCatalogue, data.code)
}

function ownError(error: JsonObject, scrub: Scrub): JsonObject {
  try {
    if (isProtocols(error.code)) return mapStrings(error, scrub) as JsonObject
  } catch {
    return onWire(describeError('SCRUB_FAILED'), scrub)
  }
  const own = onWire(translated(error), scrub)
  return error.code === unknownMethod ? { ...own, code: unknownMethod } : own
}

function onWire(error: ErrorObject, scrub: Scrub): JsonObject {
  const { code, message, data } = toProtocolError(error, scrub)
  return { code, message, data: data as JsonObject }
}

/** −32020 to −32099 are reserved by the protocol. */
function isProtocols(code: Json | undefined): boolean {
  return typeof code === 'number' && code <= -32020 && code >= -32099
}

function translated({ code, message, data }: JsonObject): ErrorObject {
  const what = typeof message === 'string' ? message : ''
  const issues = issuesIn(what)
  const details = isJsonObject(data) ? data : {}
  if (issues !== undefined)
    return describeError('INVALID_ARGUMENTS', { ...details, fields: fieldsOf(issues) })
  switch (Number(code)) {
    case invalidParams: {
      const fields = fieldsOfEnvelope(details.envelope) ?? [{ field: 'params', expected: what }]
      return describeError('INVALID_ARGUMENTS', { ...details, fields })
    }
    case unknownMethod:
      return describeError('INVALID_REQUEST', { what: 'there is no such method' })
    case unknownSession:
      return describeError('SESSION_NOT_FOUND')
    case parseError:
      return describeError('PARSE_ERROR', { what })
    case internalError:
      return describeError('INTERNAL')
    default:
      return describeError('INVALID_REQUEST', { what })
  }
}

/** The schema issues that the SDK includes in its messages. */
function issuesIn(text: string): unknown[] | undefined {
  const start = text.indexOf('[')
  if (start < 0) return undefined
  try {
    const issues: unknown = JSON.parse(text.slice(start))
    return Array.isArray(issues) && issues.some(isIssue) ? issues : undefined
  } catch {
    return undefined
  }
}

/** Problems in the `_meta` fields that every request has from 2026-07-28 on. */
function fieldsOfEnvelope(envelope: Json | undefined): JsonObject[] | undefined {
  if (!isJsonObject(envelope)) return undefined
  const { key, problem, missing } = envelope
  const keys = Array.isArray(missing) ? missing : [key ?? '']
  const expected = (typeof problem === 'string' ? problem : '').split('expected ')[1]?.split(', received ')[0]
  return keys.map((name) => ({
    field: `params._meta.${readable(name)}`,
    expected: kinds[expected ?? ''] ?? expected ?? 'a value, but it is missing',
  }))
}
