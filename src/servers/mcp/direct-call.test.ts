import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'

import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { describe, expect, test } from 'vitest'

import { doorRuntime } from '../../../test/support/door-runtime.ts'
import { initialize, modernMeta } from '../../../test/support/stdio-door.ts'
import type { Call } from '../../core/call.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import { refusal, type Answer, type Block, type Result } from '../../core/result.ts'
import { createRoundCodec } from './ask.ts'
import { createDirectCalls } from './direct-call.ts'
import { createMcpServer } from './server.ts'
import { createStdioTransport } from './stdio-transport.ts'

const roundKey = Buffer.alloc(32, 7)
const form = { message: 'Your name?', requestedSchema: { type: 'object', properties: {} } }

function said(content: readonly Json[], more: Partial<Answer> = {}): Answer {
  return { kind: 'answer', own: false, content: content as readonly Block[], ...more }
}

const hi: Json = { type: 'text', text: 'hi' }
const withProto = JSON.parse('{"__proto__":{"x":1},"a":1}') as JsonObject

/** The pipeline's answers, by tool name. */
const pipeline: Record<string, (call: Call) => Result | Promise<Result>> = {
  echo: (call) => said([hi], { structured: call.arguments }),
  text: () => said([hi]),
  nothing: () => said([]),
  two: () => said([hi, { type: 'text', text: 'line\nbreak "quoted" \u2028 é 😀' }]),
  reversed: () => said([{ text: 'hi', type: 'text' }]),
  failed: () => said([hi], { isError: true }),
  not_failed: () => said([hi], { isError: false }),
  annotated: () =>
    said([{ type: 'text', text: 'hi', annotations: { audience: ['user'], priority: 1, more: 1 } }]),
  block_meta: () => said([{ type: 'text', text: 'hi', _meta: { a: 1 } }]),
  more_in_block: () => said([{ type: 'text', text: 'hi', colour: 'red' }]),
  image: () => said([{ type: 'image', data: 'aGk=', mimeType: 'image/png', more: 1 }]),
  bad_image: () => said([{ type: 'image', data: '!', mimeType: 'image/png' }]),
  audio: () => said([{ type: 'audio', data: 'aGk=', mimeType: 'audio/wav' }]),
  link: () => said([{ type: 'resource_link', uri: 'file:///a', name: 'a' }]),
  resource: () => said([{ type: 'resource', resource: { uri: 'file:///a', text: 'a' } }]),
  strange: () => said([{ type: 'hologram', data: 1 }]),
  not_text: () => said([{ type: 'text', text: 5 }]),
  list: () => said([], { structured: [1, 2] }),
  list_and_text: () => said([hi], { structured: [1] }),
  number: () => said([], { structured: 5 }),
  null: () => said([], { structured: null }),
  wrapped: () => said([hi], { structured: { a: 1 } }),
  proto: () => said([hi], { structured: withProto }),
  deep_proto: () => said([hi], { structured: { deep: withProto } }),
  meta: () => said([hi], { meta: { 'dev.contextd/result': { tokens_used: 3 } } }),
  all: () => said([hi], { structured: { a: 1 }, isError: true, meta: { z: 1, a: 2 } }),
  meta_token: () => said([hi], { meta: { progressToken: { not: 'a token' } } }),
  meta_task: () => said([hi], { meta: { 'io.modelcontextprotocol/related-task': { taskId: 't', more: 1 } } }),
  meta_server: () => said([hi], { meta: { 'io.modelcontextprotocol/serverInfo': { name: 'other' } } }),
  meta_proto: () => said([hi], { meta: withProto }),
  refused: () => refusal('DENIED_BY_POLICY', { rule: 'agents.a.deny', reason: 'because' }),
  unknown: () => refusal('TOOL_NOT_FOUND', { tool: 'unknown' }),
  timed_out: () => refusal('TIMEOUT', {}),
  secretive: () => refusal('INVALID_REQUEST', { what: 'hunter2' }),
  fault: () => ({ kind: 'fault', error: { code: -32099, message: 'theirs', data: { a: [1] } } }),
  fault_not_found: () => ({ kind: 'fault', error: { code: -32002, message: 'gone' } }),
  fault_url: () => ({ kind: 'fault', error: { code: -32042, message: 'go there', data: {} } }),
  crash: () => Promise.reject(new Error('hunter2')),
  known_crash: () => Promise.reject(new ContextdError('STORE_UNAVAILABLE', { cause: 'disk' })),
  payload: () => ({ kind: 'payload', value: { content: [hi], more: 1 } }),
  progress(call) {
    call.onProgress?.({ progress: 1, total: 2, message: 'half of hunter2' })
    call.onProgress?.({ progress: 2 })
    return said([hi])
  },
  log(call) {
    call.onLog?.('debug', 'quiet')
    call.onLog?.('error', { said: 'hunter2' }, 'upstream')
    return said([hi])
  },
  async ask(call) {
    const answer = await call.ask?.({ kind: 'elicitation', params: form })
    return said([hi], { structured: { heard: answer ?? null } })
  },
  wait: (call) =>
    new Promise((resolve) => {
      call.signal.addEventListener('abort', () => resolve(refusal('CANCELLED')))
    }),
  input(call) {
    if (call.input?.responses !== undefined) return said([hi], { structured: call.input as JsonObject })
    const requests = { name: { method: 'elicitation/create', params: form } }
    return { kind: 'input_required', requests, state: 'where we were' }
  },
  input_nothing: () => ({ kind: 'input_required', requests: {} }),
  input_strange: () => ({ kind: 'input_required', requests: { name: { method: 'x', params: {} } } }),
}

interface Door {
  /** Sends all messages at once. */
  send(messages: readonly unknown[]): void
  /** Waits for the answers to these requests. */
  answers(ids: readonly (string | number)[]): Promise<void>
  readonly lines: string[]
  /** The calls that reached the pipeline. */
  readonly calls: Call[]
  /** The messages that did not reach the SDK. */
  readonly taken: JSONRPCMessage[]
  close(): Promise<void>
}

/** The stdio door with and without direct calls. */
function openDoor(isDirect: boolean): Door {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const lines: string[] = []
  const calls: Call[] = []
  const runtime = doorRuntime({
    async handle(call) {
      calls.push(call)
      return Object.hasOwn(pipeline, call.tool)
        ? pipeline[call.tool]!(call)
        : refusal('TOOL_NOT_FOUND', { tool: call.tool })
    },
    tools: [
      {
        definition: {
          name: 'wrapped',
          description: '',
          inputSchema: { type: 'object' },
          outputSchema: { type: 'array' },
        },
      },
    ] as never,
  })
  const taken: JSONRPCMessage[] = []
  const seen = new Set<Json>()
  const send: Door['send'] = (messages) =>
    void stdin.write(
      messages.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join(''),
    )
  stdout.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString('utf8').trimEnd().split('\n')) {
      lines.push(line.replace(/"requestState":"[^"]*"/, '"requestState":"…"'))
      const message = JSON.parse(line) as JsonObject
      if (message.method === undefined) seen.add(message.id ?? null)
      else if (message.id !== undefined) {
        send([{ jsonrpc: '2.0', id: message.id, result: { action: 'accept', content: { name: 'Ada' } } }])
      }
    }
  })
  const direct = createDirectCalls({
    pass: (message) => transport.onmessage?.(message),
    write: (id, line) => transport.writeAnswer(id, line),
    failed: (error) => lines.push(`failed: ${error.name}`),
  })
  const transport = createStdioTransport({
    stdin,
    stdout,
    maxMessageBytes: 1_000_000,
    scrub: (text) => runtime.scrub(text, 'door'),
    take(message) {
      const isTaken = isDirect && direct.take(message)
      if (isTaken) taken.push(message)
      return isTaken
    },
    onEnd: () => {},
  })
  const rounds = createRoundCodec(roundKey)
  const connection = serveStdio(
    ({ era }) =>
      createMcpServer(runtime, { door: 'stdio', era, session: () => 's', claims: {}, rounds, direct }),
    { transport },
  )
  return {
    send,
    lines,
    calls,
    taken,
    async answers(ids) {
      while (!ids.every((id) => seen.has(id))) await nextTurn()
      for (let turn = 0; turn < 5; turn++) await nextTurn()
    },
    async close() {
      direct.close()
      await connection.close()
    },
  }
}

function calling(id: number | string, params: unknown): JsonObject {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: params as Json }
}

const capabilities = { elicitation: {}, sampling: {} }
const legacyStart = [
  { ...initialize, params: { ...initialize.params, capabilities } },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
]
const envelope = { ...modernMeta, 'io.modelcontextprotocol/clientCapabilities': capabilities }
const cancel = (params: JsonObject): JsonObject => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params,
})

/** The messages to send, and whether each waits for the previous answer. */
interface Case {
  readonly name: string
  /** With `_meta` of the era added. */
  readonly params?: JsonObject
  readonly messages?: readonly unknown[]
  /** Requests that are never answered. */
  readonly silent?: readonly (number | string)[]
  readonly era?: 'legacy' | 'modern'
  /** Whether the call is handled directly; by default, every plain one is. */
  readonly direct?: boolean
}

const cases: readonly Case[] = [
  ...Object.keys(pipeline)
    .filter((name) => name !== 'wait')
    .map((name): Case => ({ name, params: { name, arguments: { a: 1 } } })),
  { name: 'no arguments', params: { name: 'echo' } },
  { name: 'empty arguments', params: { name: 'echo', arguments: {} } },
  {
    name: 'deep arguments',
    params: { name: 'echo', arguments: { a: [{ b: null, c: [true, 1.5, 'x'] }], 5: 1, b: '' } },
  },
  { name: 'arguments with __proto__', params: { name: 'echo', arguments: withProto }, direct: false },
  { name: 'arguments that are a list', params: { name: 'echo', arguments: [] }, direct: false },
  { name: 'arguments null', params: { name: 'echo', arguments: null }, direct: false },
  { name: 'no name', params: { arguments: {} }, direct: false },
  { name: 'a name that is no string', params: { name: 5 }, direct: false },
  { name: 'an unknown tool', params: { name: 'none' } },
  { name: 'an inherited name', params: { name: 'toString' } },
  { name: 'a task', params: { name: 'echo', task: { ttl: 5 } }, direct: false },
  { name: 'a bad task', params: { name: 'echo', task: 'x' }, direct: false },
  { name: 'something unknown', params: { name: 'echo', more: 1 }, direct: false },
  { name: 'a round before there was one', params: { name: 'echo', requestState: 'x' }, direct: false },
  { name: 'a state that is no string', params: { name: 'echo', requestState: 5 }, direct: false },
  {
    name: 'answers nobody asked for',
    params: { name: 'input', inputResponses: { name: {} } },
    direct: false,
  },
  { name: 'answers that are none', params: { name: 'input', inputResponses: 5 }, direct: false },
  { name: 'a progress token', params: { name: 'progress', _meta: { progressToken: 'p' } } },
  { name: 'a progress token 0', params: { name: 'progress', _meta: { progressToken: 0 } } },
  { name: 'a bad progress token', params: { name: 'progress', _meta: { progressToken: {} } }, direct: false },
  { name: 'an agent', params: { name: 'echo', _meta: { 'dev.contextd/agentId': 'a' } } },
  { name: 'an end of its own', params: { name: 'refused', _meta: { 'dev.contextd/ended': {} } } },
  { name: 'an end that is no object', params: { name: 'refused', _meta: { 'dev.contextd/ended': 5 } } },
  { name: '_meta that is no object', messages: [calling(1, { name: 'echo', _meta: 5 })], direct: false },
  { name: 'params that are a list', messages: [calling(1, ['echo'])], direct: false },
  {
    name: 'no params',
    messages: [{ jsonrpc: '2.0', id: 1, method: 'tools/call' }],
    direct: false,
  },
  {
    name: 'a log level',
    params: { name: 'log', _meta: { 'io.modelcontextprotocol/logLevel': 'error' } },
    direct: false,
  },
  {
    name: 'a log level there is not',
    params: { name: 'log', _meta: { 'io.modelcontextprotocol/logLevel': 'loud' } },
    direct: false,
  },
  {
    name: 'a log level set',
    era: 'legacy',
    messages: [
      { jsonrpc: '2.0', id: 1, method: 'logging/setLevel', params: { level: 'error' } },
      calling(2, { name: 'log' }),
    ],
    direct: false,
  },
  {
    name: 'an envelope of the newer revision',
    era: 'legacy',
    messages: [calling(1, { name: 'echo', _meta: envelope })],
    direct: false,
  },
  { name: 'no envelope', era: 'modern', messages: [calling(1, { name: 'echo' })], direct: false },
  {
    name: 'an envelope without capabilities',
    era: 'modern',
    messages: [
      calling(1, { name: 'echo', _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }),
    ],
    direct: false,
  },
  {
    name: 'an envelope with a bad client',
    era: 'modern',
    messages: [
      calling(1, {
        name: 'echo',
        _meta: { ...envelope, 'io.modelcontextprotocol/clientInfo': { name: 'hunter2' } },
      }),
    ],
    direct: false,
  },
  {
    name: 'an unknown revision',
    era: 'modern',
    messages: [
      calling(1, {
        name: 'echo',
        _meta: { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' },
      }),
    ],
    direct: false,
  },
  {
    name: 'a client that cannot be asked',
    era: 'modern',
    messages: [calling(1, { name: 'input', _meta: modernMeta })],
    direct: false,
  },
  {
    name: 'the older handshake',
    era: 'modern',
    messages: [legacyStart[0]],
    direct: false,
  },
  {
    name: 'a new introduction, and a call behind it',
    era: 'legacy',
    messages: [
      { ...initialize, id: 1, params: { ...initialize.params, protocolVersion: '2024-11-05' } },
      calling(2, { name: 'ask' }),
    ],
    direct: false,
  },
  { name: 'ids that are texts', messages: [calling('a', { name: 'text' }), calling('', { name: 'text' })] },
  { name: 'the same id twice', messages: [calling(1, { name: 'text' }), calling(1, { name: 'two' })] },
  {
    name: 'a call without an id',
    messages: [
      { jsonrpc: '2.0', method: 'tools/call', params: { name: 'echo' } },
      calling(2, { name: 'text' }),
    ],
    direct: false,
  },
  { name: 'garbage before a call', messages: ['garbage', calling(2, { name: 'text' })] },
  {
    name: 'other requests between calls',
    messages: [
      calling(1, { name: 'text' }),
      { jsonrpc: '2.0', id: 2, method: 'nothing/known' },
      calling(3, { name: 'text' }),
    ],
  },
  {
    name: 'a call that is cancelled',
    messages: [
      calling(1, { name: 'wait' }),
      cancel({ requestId: 1, reason: 'enough' }),
      calling(2, { name: 'text' }),
    ],
    silent: [1],
  },
  {
    name: 'cancelled without a reason',
    messages: [calling('w', { name: 'wait' }), cancel({ requestId: 'w' }), calling(2, { name: 'text' })],
    silent: ['w'],
  },
  {
    name: 'cancelled by the wrong id',
    messages: [calling(1, { name: 'wait' }), cancel({ requestId: '1' }), calling(2, { name: 'text' })],
    silent: [1],
  },
  {
    name: 'cancelled in a wrong way',
    messages: [
      calling(1, { name: 'wait' }),
      cancel({ requestId: 1, reason: 5 }),
      cancel({ reason: 'x' }),
      cancel({ requestId: [] }),
      calling(2, { name: 'text' }),
    ],
    silent: [1],
  },
  {
    name: 'cancelled when it is over',
    messages: [calling(1, { name: 'text' }), cancel({ requestId: 99 })],
  },
]

const eras = {
  legacy: { start: legacyStart, meta: undefined },
  modern: { start: [], meta: envelope },
} as const

function withEra(message: unknown, era: 'legacy' | 'modern', ownMeta: boolean): unknown {
  const { meta } = eras[era]
  if (meta === undefined || ownMeta || typeof message !== 'object' || message === null) return message
  const request = message as JsonObject
  if (request.method !== 'tools/call' || Array.isArray(request.params)) return message
  const params = request.params as JsonObject
  return { ...request, params: { ...params, _meta: { ...meta, ...(params?._meta as JsonObject) } } }
}

async function conversation(one: Case, era: 'legacy' | 'modern', isDirect: boolean): Promise<Door> {
  const door = openDoor(isDirect)
  door.send(eras[era].start)
  // The first call settles the protocol; the compared one is sent later.
  door.send([withEra(calling('first', { name: 'text' }), era, false)])
  await door.answers(['first'])
  door.lines.length = 0
  const messages = (one.messages ?? [calling(1, one.params)]).map((message) =>
    withEra(message, era, one.era === 'modern' || one.name.startsWith('_meta')),
  )
  door.send(messages)
  const ids = messages
    .map((message) => (message as { id?: number | string }).id)
    .filter((id) => id !== undefined && !one.silent?.includes(id))
  await door.answers(ids as (number | string)[])
  await door.close()
  return door
}

describe.each(['legacy', 'modern'] as const)(
  '%s: what the SDK says and what comes directly is the same',
  (era) => {
    test.each(cases.filter((one) => (one.era ?? era) === era))('$name', async (one) => {
      const byItself = await conversation(one, era, true)
      const bySdk = await conversation(one, era, false)
      expect(byItself.lines).toEqual(bySdk.lines)
      expect(byItself.taken.length > 0, 'came directly').toBe(one.direct ?? true)
    })
  },
)

test('a call before initialization is left to the SDK', async () => {
  const door = openDoor(true)
  for (const id of [1, 2]) {
    door.send([calling(id, { name: 'text' })])
    await door.answers([id])
  }
  expect(door.taken).toEqual([])
  await door.close()
})

test('closing cancels running calls, without further output', async () => {
  const door = openDoor(true)
  door.send([...legacyStart, calling(1, { name: 'text' })])
  await door.answers([1])
  const before = door.lines.length
  door.send([calling(2, { name: 'wait' })])
  await door.answers([])
  expect(door.taken).toHaveLength(1)
  expect(door.calls.at(-1)?.signal.aborted).toBe(false)
  await door.close()
  await door.answers([])
  expect(door.calls.at(-1)?.signal.aborted).toBe(true)
  expect(door.lines).toHaveLength(before)
})
