import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { doorRuntime } from '../../../test/support/door-runtime.ts'
import { aTool } from '../../../test/support/door-tools.ts'
import {
  asksData,
  initialize,
  modernMeta,
  opened,
  openStdioDoor,
  type StdioDoor,
} from '../../../test/support/stdio-door.ts'
import { answer, refusal } from '../../core/result.ts'

const echo = aTool('echo', async (args) => answer(args))

async function stillAnswers(door: StdioDoor, id: string): Promise<void> {
  const params = { name: 'echo', arguments: { id }, _meta: asksData }
  door.send({ jsonrpc: '2.0', id, method: 'tools/call', params })
  expect(await door.answer(id)).toMatchObject({ result: { structuredContent: { data: { id } } } })
}

describe('invalid input', () => {
  test.each<[string, unknown, number | string | null, number, string]>([
    ['garbage', 'garbage', null, -32700, 'PARSE_ERROR'],
    ['a batch', '[]', null, -32600, 'INVALID_REQUEST'],
    [
      'deep JSON',
      `{"jsonrpc":"2.0","id":5,"method":"x","params":${'[1,'.repeat(9999)}`,
      5,
      -32600,
      'INVALID_REQUEST',
    ],
    [
      'a wrong type',
      { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 1 } },
      5,
      -32602,
      'INVALID_ARGUMENTS',
    ],
    [
      'an unknown tool',
      { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'none' } },
      5,
      -32602,
      'TOOL_NOT_FOUND',
    ],
  ])('%s is answered and the server continues', async (_, message, id, number, code) => {
    const runtime = doorRuntime({ tools: [echo] })
    const door = await opened(openStdioDoor(runtime))
    door.send(message)
    expect(await door.answer(id)).toMatchObject({ error: { code: number, data: { code } } })
    await stillAnswers(door, 'after')
    door.hangUp()
    await door.ended
  })

  test("an unknown method keeps the protocol's error code", async () => {
    const door = await opened(openStdioDoor(doorRuntime({ tools: [echo] })))
    door.send({ jsonrpc: '2.0', id: 1, method: 'prompts/list' })
    expect(await door.answer(1)).toMatchObject({ error: { code: -32601, data: { code: 'INVALID_REQUEST' } } })
    door.hangUp()
    await door.ended
  })

  const level = 'one of debug, info, notice, warning, error, critical, alert, emergency'
  test.each([
    ['tools/list', { cursor: 5 }, { field: 'params.cursor', expected: 'a string' }],
    ['logging/setLevel', { level: 'ghp_secret' }, { field: 'params.level', expected: level }],
    ['tools/call', { name: 'echo', task: 'ghp_secret' }, { field: 'params.task', expected: 'an object' }],
    [
      'initialize',
      { ...initialize.params, capabilities: { experimental: { ghp_secret: 5 } } },
      { field: 'params.capabilities.experimental.[SECRET_1]', expected: 'an object' },
    ],
  ])('%s with %j names the field, and no secret', async (method, params, field) => {
    const door = await opened(openStdioDoor(doorRuntime({ tools: [echo] })))
    door.send({ jsonrpc: '2.0', id: 1, method, params })
    const refused = await door.answer(1)
    expect(refused).toMatchObject({
      error: { code: -32602, data: { code: 'INVALID_ARGUMENTS', fields: [field] } },
    })
    expect(JSON.stringify(refused)).not.toContain('ghp_secret')
    await stillAnswers(door, 'after')
    door.hangUp()
    await door.ended
  })

  test('a first request with an invalid envelope names the field', async () => {
    const door = openStdioDoor(doorRuntime({ tools: [echo] }))
    const _meta = { ...modernMeta, 'io.modelcontextprotocol/clientInfo': { name: 5 } }
    door.send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } })
    expect(await door.answer(1)).toMatchObject({
      error: {
        data: {
          code: 'INVALID_ARGUMENTS',
          fields: [{ field: 'params._meta.io.modelcontextprotocol/clientInfo.name', expected: 'a string' }],
        },
      },
    })
    door.send({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: { _meta: modernMeta } })
    expect(await door.answer(2)).toHaveProperty('result.tools')
    door.hangUp()
    await door.ended
  })

  test('skips a message that is too long, with an answer to its sender', async () => {
    const door = await opened(openStdioDoor(doorRuntime({ tools: [echo], messageBytes: 1024 })))
    const long = {
      jsonrpc: '2.0',
      id: 5,
      method: 'tools/call',
      params: { name: 'echo', arguments: { text: 'x'.repeat(2000) } },
    }
    door.send(long)
    expect(await door.answer(5)).toMatchObject({
      error: { code: -32600, data: { code: 'MESSAGE_TOO_LARGE', limit: 1024 } },
    })
    await stillAnswers(door, 'after')
    door.hangUp()
    await door.ended
  })

  const line = fc.oneof(
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    fc.json({ maxDepth: 4 }).map((json) => Buffer.from(json)),
    fc
      .record(
        {
          jsonrpc: fc.constantFrom('2.0', '1.0', 2),
          id: fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.constant({})),
          method: fc.oneof(
            fc.constantFrom(
              'tools/call',
              'tools/list',
              'initialize',
              'ping',
              'logging/setLevel',
              'server/discover',
            ),
            fc.constantFrom('notifications/cancelled', 'notifications/progress', 'subscriptions/listen'),
            fc.string(),
          ),
          params: fc.oneof(
            fc.jsonValue(),
            fc.record({ name: fc.jsonValue(), arguments: fc.jsonValue(), _meta: fc.jsonValue() }),
          ),
          result: fc.jsonValue(),
          error: fc.jsonValue(),
        },
        { requiredKeys: ['jsonrpc'] },
      )
      .map((message) => Buffer.from(JSON.stringify(message))),
  )
  test('survives any sequence of lines', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), fc.boolean(), async (lines, initialized) => {
        const door = openStdioDoor(doorRuntime({ tools: [echo] }))
        if (initialized) await opened(door)
        for (const bytes of lines) door.bytes(Buffer.concat([bytes, Buffer.from('\n')]))
        // Earlier lines may have opened the connection in either era; a modern request is answered in both.
        const params = { name: 'echo', arguments: { after: true }, _meta: modernMeta }
        door.send({ jsonrpc: '2.0', id: 'after', method: 'tools/call', params })
        expect(await door.answer('after')).toMatchObject({ jsonrpc: '2.0' })
        door.hangUp()
        await door.ended
      }),
      { numRuns: 150 },
    )
  })
})

test('answers every request, whatever its contents', async () => {
  const method = fc.oneof(
    fc.constantFrom(
      'tools/call',
      'tools/list',
      'initialize',
      'ping',
      'logging/setLevel',
      'server/discover',
      'prompts/get',
    ),
    fc.string(),
  )
  const params = fc.oneof(
    fc.jsonValue(),
    fc.record({
      name: fc.jsonValue(),
      arguments: fc.jsonValue(),
      _meta: fc.oneof(fc.jsonValue(), fc.constant(modernMeta)),
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ method, params }), { maxLength: 8 }), async (requests) => {
      const door = openStdioDoor(doorRuntime({ tools: [echo] }))
      const asked = requests.filter((request) => request.method !== 'subscriptions/listen')
      for (const [id, request] of asked.entries()) door.send({ jsonrpc: '2.0', id, ...request })
      for (const id of asked.keys()) expect(await door.answer(id)).toMatchObject({ jsonrpc: '2.0' })
      door.hangUp()
      await door.ended
    }),
    { numRuns: 150 },
  )
})

describe('the caller', () => {
  test('passes the client and its declarations with the call; one process is one session', async () => {
    const runtime = doorRuntime({ tools: [echo] })
    const door = await opened(openStdioDoor(runtime))
    const call = (id: number, agentId?: unknown): void =>
      door.send({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'echo', _meta: { 'dev.contextd/agentId': agentId } },
      })
    call(1, 'scanner')
    call(2, 5)
    call(3)
    await Promise.all([1, 2, 3].map((id) => door.answer(id)))
    expect(runtime.seen.map(({ claims }) => claims)).toEqual([
      { declared: 'scanner' },
      { declared: '(not a string)' },
      {},
    ])
    expect([...runtime.begun.values()]).toEqual([{ name: 'tester', version: '1.2', door: 'stdio' }])
    expect(new Set(runtime.seen.map(({ session }) => session))).toEqual(new Set(runtime.begun.keys()))
    door.hangUp()
    await door.ended
    expect(runtime.ended).toEqual([...runtime.begun.keys()])
  })
})

describe('results', () => {
  test('a refusal is a JSON-RPC error with the whole error object, scrubbed', async () => {
    const refuse = doorRuntime({
      handle: async () =>
        refusal('DENIED_BY_POLICY', { agent: 'hunter2', server: 's', tool: 't', rule: 'agents.x' }),
    })
    const door = await opened(openStdioDoor(refuse))
    door.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo' } })
    const { error } = (await door.answer(1)) as { error: unknown }
    expect(error).toMatchObject({
      code: -32000,
      // Clients show a model only the message.
      message: expect.stringMatching(
        /^DENIED_BY_POLICY: Agent \[SECRET_1\] may not use s\.t \[agents\.x\]\nRun `ctxd rules explain`/,
      ),
      data: { code: 'DENIED_BY_POLICY', rule: 'agents.x' },
    })
    door.hangUp()
    await door.ended
  })

  test('a refusal that cannot be scrubbed reveals nothing else', async () => {
    const runtime = doorRuntime({ handle: async () => refusal('NOT_FOUND', { what: 'secret thing' }) })
    const failing = {
      ...runtime,
      scrub: () => {
        throw new Error('no')
      },
    }
    const door = await opened(openStdioDoor(failing))
    door.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo' } })
    const message = await door.answer(1)
    expect(message).toMatchObject({ error: { code: -32009, data: { code: 'SCRUB_FAILED' } } })
    expect(JSON.stringify(message)).not.toContain('secret thing')
    door.hangUp()
    await door.ended
  })
})
