import { expect, test } from 'vitest'

import { doorRuntime, type DoorRuntime } from '../../../test/support/door-runtime.ts'
import { aTool } from '../../../test/support/door-tools.ts'
import {
  asksData,
  initialize,
  modernMeta,
  openStdioDoor,
  type StdioDoor,
} from '../../../test/support/stdio-door.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { answer, refusal, type Result } from '../../core/result.ts'
import type { PayloadChange, PayloadSource } from '../../core/tool.ts'

const listeners = new Set<(change: PayloadChange) => void>()
const fault = { code: -32002, message: 'Resource not found: x://gone', data: { uri: 'x://gone', deep: [1] } }
const lists: { [what: string]: JsonObject[] } = {
  prompts: [{ name: 'greet' }],
  resources: [{ uri: 'x://a', name: 'a' }],
}

function at(uri: string, value: JsonObject): Result {
  if (uri === 'x://secret') return refusal('DENIED_BY_POLICY', { agent: 'a', server: 's', tool: 't' })
  return uri === 'x://gone' ? { kind: 'fault', error: fault } : { kind: 'payload', value }
}

const still: PayloadSource = {
  list: async (what) => lists[what] ?? [],
  prompt: async (name) => {
    if (name === 'broken') throw new ContextdError('REF_EXPIRED')
    return { kind: 'payload', value: { messages: [] } }
  },
  resource: async (uri) => at(uri, { contents: [{ uri, text: 'hello' }] }),
}
const payloads: PayloadSource = {
  ...still,
  subscribe: async (uri) => at(uri, {}),
  unsubscribe: async (uri) => at(uri, {}),
  onChanged(listener) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function changed(change: PayloadChange): void {
  for (const listener of listeners) listener(change)
}

async function legacy(runtime: DoorRuntime): Promise<StdioDoor> {
  const door = openStdioDoor(runtime)
  door.send(initialize)
  await door.answer('init')
  door.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  return door
}

async function ask(door: StdioDoor, id: number, method: string, params: object = {}): Promise<unknown> {
  door.send({ jsonrpc: '2.0', id, method, params })
  return door.answer(id)
}

function methodsHeard(door: StdioDoor): (string | undefined)[] {
  return door.received.map(({ method }) => method as string | undefined).filter((method) => method)
}

async function end(door: StdioDoor): Promise<void> {
  door.hangUp()
  await door.ended
}

test('offers only what exists', async () => {
  const bare = await legacy(doorRuntime())
  const full = await legacy(doorRuntime({ payloads }))
  const silent = await legacy(doorRuntime({ payloads: still }))
  const capabilitiesOf = async (door: StdioDoor): Promise<unknown> =>
    ((await door.answer('init')) as { result: { capabilities: unknown } }).result.capabilities
  expect(await capabilitiesOf(bare)).toEqual({ tools: { listChanged: true }, logging: {} })
  expect(await capabilitiesOf(full)).toEqual({
    tools: { listChanged: true },
    logging: {},
    prompts: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    completions: {},
  })
  expect(await capabilitiesOf(silent)).toMatchObject({ resources: { listChanged: true } })
  expect(await ask(bare, 1, 'resources/list')).toMatchObject({ error: { code: -32601 } })
  expect(await ask(silent, 1, 'resources/subscribe', { uri: 'x://a' })).toMatchObject({
    error: { code: -32601 },
  })
  await Promise.all([bare, full, silent].map(end))
})

test('passes prompts and resources through the pipeline', async () => {
  const runtime = doorRuntime({ payloads })
  const door = await legacy(runtime)
  expect(await ask(door, 1, 'prompts/list')).toMatchObject({ result: { prompts: [{ name: 'greet' }] } })
  expect(await ask(door, 2, 'prompts/get', { name: 'greet', arguments: { a: 'b' } })).toMatchObject({
    result: { messages: [] },
  })
  expect(await ask(door, 3, 'resources/read', { uri: 'x://a' })).toMatchObject({
    result: { contents: [{ text: 'hello' }] },
  })
  expect(await ask(door, 4, 'resources/read', { uri: 'x://secret' })).toMatchObject({
    error: { code: -32000 },
  })
  expect(await ask(door, 5, 'resources/templates/list')).toMatchObject({ result: { resourceTemplates: [] } })
  expect(runtime.seen.map(({ method, tool, arguments: args }) => [method, tool, args])).toEqual([
    ['list', 'prompts', undefined],
    ['prompt', 'greet', { a: 'b' }],
    ['resource', 'x://a', undefined],
    ['resource', 'x://secret', undefined],
    ['list', 'resourceTemplates', undefined],
  ])
  await end(door)
})

test('a failed prompt is an error, because its result cannot contain one', async () => {
  const door = await legacy(doorRuntime({ payloads }))
  const params = { name: 'broken' }
  expect(await ask(door, 1, 'prompts/get', params)).toMatchObject({
    error: { code: -32012, data: { code: 'REF_EXPIRED' } },
  })
  await end(door)
})

test('passes on errors of other servers unchanged', async () => {
  const door = await legacy(doorRuntime({ payloads }))
  expect(await ask(door, 1, 'resources/read', { uri: 'x://gone' })).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: fault,
  })
  await end(door)
  const modern = openStdioDoor(doorRuntime({ payloads }))
  const params = { uri: 'x://gone', _meta: modernMeta }
  expect(await ask(modern, 1, 'resources/read', params)).toMatchObject({ error: fault })
  await end(modern)
})

test('notifies subscribers of a resource that they may read', async () => {
  const runtime = doorRuntime({ payloads })
  const door = await legacy(runtime)
  expect(await ask(door, 1, 'resources/subscribe', { uri: 'x://secret' })).toMatchObject({
    error: { code: -32000 },
  })
  expect(await ask(door, 2, 'resources/subscribe', { uri: 'x://a' })).toMatchObject({ result: {} })
  const [session] = runtime.begun.keys()
  for (const uri of ['x://secret', 'x://other']) changed({ uri })
  changed({ uri: 'x://a', session: 'of somebody else' })
  changed({ session: 'of somebody else' })
  changed({ uri: 'x://a', session: session! })
  const heard = await door.next(({ method }) => method === 'notifications/resources/updated')
  expect(heard.params).toEqual({ uri: 'x://a' })
  await ask(door, 3, 'resources/unsubscribe', { uri: 'x://a' })
  changed({ uri: 'x://a' })
  changed({ session: session! })
  await door.next(({ method }) => method === 'notifications/resources/list_changed')
  expect(methodsHeard(door)).toEqual([
    'notifications/resources/updated',
    'notifications/tools/list_changed',
    'notifications/prompts/list_changed',
    'notifications/resources/list_changed',
  ])
  expect(runtime.seen.map(({ method, tool }) => [method, tool])).toEqual([
    ['subscribe', 'x://secret'],
    ['subscribe', 'x://a'],
    ['unsubscribe', 'x://a'],
  ])
  await end(door)
  expect(listeners.size).toBe(0)
})

test('from 2026-07-28 on, notifies those who listen and may read', async () => {
  const runtime = doorRuntime({ payloads })
  const door = openStdioDoor(runtime)
  const notifications = {
    toolsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: ['x://a', 'x://secret', 'x://a'],
  }
  const params = { notifications, _meta: modernMeta }
  door.send({ jsonrpc: '2.0', id: 'sub', method: 'subscriptions/listen', params })
  const told = await door.next(({ method }) => method === 'notifications/subscriptions/acknowledged')
  expect(told.params).toMatchObject({ notifications: { resourceSubscriptions: ['x://a'] } })
  const [session] = runtime.begun.keys()
  changed({ uri: 'x://secret', session: session! })
  changed({ uri: 'x://a', session: 'of somebody else' })
  changed({ uri: 'x://a', session: session! })
  runtime.listChanged()
  await door.next(({ method }) => method === 'notifications/resources/list_changed')
  expect(methodsHeard(door)).toEqual([
    'notifications/subscriptions/acknowledged',
    'notifications/resources/updated',
    'notifications/tools/list_changed',
    'notifications/resources/list_changed',
  ])
  door.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'sub' } })
  await ask(door, 1, 'tools/list', { _meta: modernMeta })
  expect(runtime.seen.map(({ method, tool }) => [method, tool])).toEqual([
    ['subscribe', 'x://a'],
    ['subscribe', 'x://secret'],
    ['unsubscribe', 'x://a'],
    ['list', 'tools'],
  ])
  await end(door)
})

test('does not subscribe a client that stopped listening before it started', async () => {
  let reply: (result: Result) => void = () => {}
  const slow: PayloadSource = {
    ...payloads,
    subscribe: () => new Promise((resolve) => (reply = resolve)),
  }
  const runtime = doorRuntime({ payloads: slow })
  const door = openStdioDoor(runtime)
  const params = { notifications: { resourceSubscriptions: ['x://a'] }, _meta: modernMeta }
  door.send({ jsonrpc: '2.0', id: 'sub', method: 'subscriptions/listen', params })
  await ask(door, 1, 'tools/list', { _meta: modernMeta })
  door.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'sub' } })
  await ask(door, 2, 'tools/list', { _meta: modernMeta })
  reply({ kind: 'payload', value: {} })
  await ask(door, 3, 'tools/list', { _meta: modernMeta })
  changed({ uri: 'x://a' })
  await ask(door, 4, 'tools/list', { _meta: modernMeta })
  expect(methodsHeard(door)).toEqual([])
  await end(door)
})

test('sends log messages of the requested level, with the name of their source', async () => {
  const tool = aTool('talk', async (_, { call }) => {
    call.onLog?.('debug', 'a detail')
    call.onLog?.('warning', { said: 'hunter2' }, 'upstream hunter2')
    call.onLog?.('error', 'ours')
    return answer(call.logLevel ?? 'none')
  })
  const heard = (door: StdioDoor): unknown[] =>
    door.received.filter(({ method }) => method === 'notifications/message').map(({ params }) => params)
  const loud = [
    { level: 'warning', logger: 'upstream [SECRET_1]', data: { said: '[SECRET_1]' } },
    { level: 'error', logger: 'contextd', data: 'ours' },
  ]
  const legacyDoor = await legacy(doorRuntime({ tools: [tool] }))
  const call = { name: 'talk', arguments: {}, _meta: asksData }
  const levelIn = async (door: StdioDoor, id: number, params: object): Promise<unknown> =>
    ((await ask(door, id, 'tools/call', params)) as { result: { structuredContent: unknown } }).result
      .structuredContent
  expect(await levelIn(legacyDoor, 1, call)).toEqual({ data: 'debug' })
  expect(heard(legacyDoor)).toEqual([{ level: 'debug', logger: 'contextd', data: 'a detail' }, ...loud])
  await ask(legacyDoor, 2, 'logging/setLevel', { level: 'notice' })
  expect(await levelIn(legacyDoor, 3, call)).toEqual({ data: 'notice' })
  expect(heard(legacyDoor).slice(3)).toEqual(loud)
  await end(legacyDoor)

  const modern = openStdioDoor(doorRuntime({ tools: [tool] }))
  expect(await levelIn(modern, 1, { ...call, _meta: { ...modernMeta, ...asksData } })).toEqual({
    data: 'none',
  })
  expect(heard(modern)).toEqual([])
  const _meta = { ...modernMeta, ...asksData, 'io.modelcontextprotocol/logLevel': 'warning' }
  expect(await levelIn(modern, 2, { ...call, _meta })).toEqual({ data: 'warning' })
  expect(heard(modern)).toEqual(loud)
  await end(modern)
})

test('the data of our answers is sent only on request, or where the tool declares its shape', async () => {
  const said = aTool('said', async () => answer({ said: true }))
  const shaped = aTool('shaped', async () => answer({ said: true }))
  const definition = { ...shaped.definition, name: 'shaped', outputSchema: { type: 'object' } }
  const theirs = aTool('theirs', async () => ({
    kind: 'answer' as const,
    own: false,
    content: [],
    structured: { theirs: true },
  }))
  const tools = [said, { ...shaped, definition }, theirs]
  for (const envelope of [{}, modernMeta]) {
    const runtime = doorRuntime({ tools })
    const door = Object.keys(envelope).length > 0 ? openStdioDoor(runtime) : await legacy(runtime)
    let id = 0
    const structured = async (name: string, meta: object = {}): Promise<unknown> => {
      const params = { name, arguments: {}, _meta: { ...envelope, ...meta } }
      const { result } = (await ask(door, ++id, 'tools/call', params)) as { result: JsonObject }
      return result.structuredContent
    }
    expect(await structured('said')).toBeUndefined()
    expect(await structured('said')).toBeUndefined()
    expect(await structured('said', asksData)).toEqual({ data: { said: true } })
    expect(await structured('said', { 'dev.contextd/structured': 'true' })).toBeUndefined()
    expect(await structured('shaped')).toEqual({ data: { said: true } })
    expect(await structured('theirs')).toEqual({ theirs: true })
    await end(door)
  }
})

test('lists include cache hints if the revision supports them', async () => {
  const door = openStdioDoor(doorRuntime())
  expect(await ask(door, 1, 'tools/list', { _meta: modernMeta })).toMatchObject({
    result: { resultType: 'complete', cacheScope: 'private', ttlMs: 60_000 },
  })
  await end(door)
  const older = await legacy(doorRuntime())
  expect(await ask(older, 1, 'tools/list')).toMatchObject({ result: { tools: [{ name: 'attest' }] } })
  expect(JSON.stringify(older.received)).not.toContain('cacheScope')
  await end(older)
})
