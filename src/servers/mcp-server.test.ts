import { expect, test } from 'vitest'

import { doorRuntime, type DoorRuntime } from '../../test/support/door-runtime.ts'
import { initialize, modernMeta, openStdioDoor, type StdioDoor } from '../../test/support/stdio-door.ts'
import { ContextdError } from '../core/errors.ts'
import { refusal } from '../core/result.ts'
import type { PayloadSource } from '../core/tool.ts'

const listeners = new Set<(uri?: string) => void>()
const still: PayloadSource = {
  lists: { prompts: [{ name: 'greet' }], resources: [{ uri: 'x://a', name: 'a' }] },
  prompt: async (name) => {
    if (name === 'broken') throw new ContextdError('REF_EXPIRED')
    return { kind: 'payload', value: { messages: [] } }
  },
  resource: async (uri) =>
    uri === 'x://secret'
      ? refusal('DENIED_BY_POLICY', { agent: 'a', server: 's', tool: 't' })
      : { kind: 'payload', value: { contents: [{ uri, text: 'hello' }] } },
}
const payloads: PayloadSource = {
  ...still,
  onChanged(listener) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function changed(uri?: string): void {
  for (const listener of listeners) listener(uri)
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

async function end(door: StdioDoor): Promise<void> {
  door.hangUp()
  await door.ended
}

test('offers only what is there', async () => {
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

test('prompts and resources go through the pipeline', async () => {
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

test('a prompt that fails is an error, as its result has no room for one', async () => {
  const door = await legacy(doorRuntime({ payloads }))
  const params = { name: 'broken' }
  expect(await ask(door, 1, 'prompts/get', params)).toMatchObject({
    error: { code: -32012, data: { code: 'REF_EXPIRED' } },
  })
  await end(door)
})

test('who subscribed to a resource and may read it hears of its changes', async () => {
  const door = await legacy(doorRuntime({ payloads }))
  expect(await ask(door, 1, 'resources/subscribe', { uri: 'x://secret' })).toMatchObject({
    error: { code: -32000 },
  })
  expect(await ask(door, 2, 'resources/subscribe', { uri: 'x://a' })).toMatchObject({ result: {} })
  for (const uri of ['x://secret', 'x://other', 'x://a']) changed(uri)
  const heard = await door.next(({ method }) => method === 'notifications/resources/updated')
  expect(heard.params).toEqual({ uri: 'x://a' })
  await ask(door, 3, 'resources/unsubscribe', { uri: 'x://a' })
  changed('x://a')
  changed()
  await door.next(({ method }) => method === 'notifications/resources/list_changed')
  expect(door.received.filter(({ method }) => method === 'notifications/resources/updated')).toHaveLength(1)
  await end(door)
  expect(listeners.size).toBe(0)
})

test('from 2026-07-28 on changes go to those who listen for them', async () => {
  const runtime = doorRuntime({ payloads })
  const door = openStdioDoor(runtime)
  // Resources are left out: nobody would ask whether this client may read them.
  const notifications = {
    toolsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: ['x://a'],
  }
  door.send({
    jsonrpc: '2.0',
    id: 'sub',
    method: 'subscriptions/listen',
    params: { notifications, _meta: modernMeta },
  })
  await door.next(({ method }) => method === 'notifications/subscriptions/acknowledged')
  changed('x://a')
  runtime.listChanged()
  await door.next(({ method }) => method === 'notifications/resources/list_changed')
  expect(door.received.map(({ method }) => method)).toEqual([
    'notifications/subscriptions/acknowledged',
    'notifications/tools/list_changed',
    'notifications/resources/list_changed',
  ])
  await end(door)
})

test('lists say how long they are good and for whom, where the revision knows that', async () => {
  const door = openStdioDoor(doorRuntime())
  expect(await ask(door, 1, 'tools/list', { _meta: modernMeta })).toMatchObject({
    result: { resultType: 'complete', cacheScope: 'private', ttlMs: 60_000 },
  })
  await end(door)
  const older = await legacy(doorRuntime())
  expect(await ask(older, 1, 'tools/list')).toMatchObject({ result: { tools: [] } })
  expect(JSON.stringify(older.received)).not.toContain('cacheScope')
  await end(older)
})
