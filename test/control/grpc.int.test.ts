import { once } from 'node:events'
import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'

import { status } from '@grpc/grpc-js'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { doorTools, secret } from '../support/door-tools.ts'
import { until } from '@contextd/shared/testing/until'
import { grpcDoor, type GrpcDoor } from './grpc-door.ts'
import {
  codecOf,
  errorObject,
  foreignClient,
  fromStruct,
  fromValue,
  toStruct,
  type ForeignClient,
  type Reply,
} from './grpc-foreign.ts'

let door: GrpcDoor
let client: ForeignClient

beforeAll(async () => {
  door = await grpcDoor({
    tools: doorTools(),
    control: 'message_bytes = 65536\n',
    rules: {
      agents: {
        main: { allow: { servers: ['contextd'], capabilities: ['fs:read:**', 'fs:write:**'] } },
        auditor: { allow: { servers: ['control'], tools: { control: ['audit.*'] } } },
        default: { allow: { servers: ['contextd'], capabilities: ['fs:read:**', 'fs:write:**'] } },
      },
      defaults: { deny_on_missing_agent: false },
    },
  })
  client = foreignClient(`unix:${door.socket}`)
})
afterAll(async () => {
  client.close()
  await door.close()
})

const asAgent = (agent: string): { metadata: Record<string, string> } => ({
  metadata: { 'contextd-agent': agent },
})

async function failureOf(work: Promise<unknown>): Promise<{ code: number; details: string } & Error> {
  return work.then(
    () => {
      throw new Error('it was answered')
    },
    (error: unknown) => error as { code: number; details: string } & Error,
  )
}

async function echoed(args: Record<string, unknown>): Promise<unknown> {
  const { structured } = await client.unary(
    'Tools/Call',
    { name: 'echo', arguments: toStruct(args) },
    asAgent('main'),
  )
  return (fromValue(structured) as { data: unknown }).data
}

test('a tool call goes through the pipeline: executed, scrubbed, recorded', async () => {
  expect(await echoed({ city: 'Oslo', deep: [{ one: 1 }, null, true] })).toEqual({
    city: 'Oslo',
    deep: [{ one: 1 }, null, true],
  })
  expect(await echoed({ token: secret })).toEqual({ token: expect.stringMatching(/^\[SECRET_\d+\]$/) })
  const { entries } = await client.unary('Audit/Query', { tool: 'echo', limit: 1 })
  expect(entries).toMatchObject([
    {
      agent: 'main',
      level: 'declared',
      door: 'grpc',
      client: 'grpc-node-js',
      tool: 'echo',
      decision: 'allow',
    },
  ])
})

test('the operator needs no grants; an agent may only call what the rules grant', async () => {
  expect(await client.unary('Policy/List')).toMatchObject({ agents: ['main', 'auditor', 'default'] })
  expect(await client.unary('Audit/Query', {}, asAgent('auditor'))).toHaveProperty('entries')

  const denied = await failureOf(client.unary('Audit/Query', {}, asAgent('main')))
  expect(denied.code).toBe(status.PERMISSION_DENIED)
  expect(errorObject(denied)).toMatchObject({
    code: 'DENIED_BY_POLICY',
    rule: 'agents.main.allow.servers',
    hint: expect.stringContaining('agents.main.allow.servers'),
  })
  const { entries } = await client.unary('Audit/Query', { agent: 'main', decision: 'deny', limit: 1 })
  expect(entries).toMatchObject([{ server: 'control', tool: 'audit.query', error: 'DENIED_BY_POLICY' }])
})

test('an unknown agent is denied, and so is the name of the operator', async () => {
  for (const name of ['nobody', '@operator']) {
    const refused = await failureOf(client.unary('Audit/Query', {}, asAgent(name)))
    expect([refused.code, errorObject(refused).code]).toEqual([status.UNAUTHENTICATED, 'INVALID_AGENT_ID'])
  }
})

test('a session is started, passed with calls, and ended', async () => {
  const { session } = (await client.unary('Sessions/Start')) as { session: string }
  const inside = { metadata: { 'contextd-session': session } }
  await client.unary('Tools/Call', { name: 'echo', arguments: toStruct({}) }, inside)
  const { entries } = await client.unary('Audit/Query', { tool: 'echo', limit: 1 })
  expect(entries).toMatchObject([{ session }])
  expect(await client.unary('Sessions/End', { session })).toMatchObject({ session, ended: true })
  const gone = await failureOf(client.unary('Tools/List', {}, inside))
  expect(gone.code).not.toBe(status.OK)
})

test('a caller on this machine specifies its folder', async () => {
  const folder = join(realpathSync(door.home), 'größe')
  mkdirSync(folder)
  const metadata = { 'contextd-workspace': encodeURIComponent(folder) }
  await client.unary('SafeExec/Write', { path: 'here.txt', content: 'x' }, { metadata })
  const { text } = await client.unary('SafeExec/Read', { path: 'größe/here.txt' })
  expect(text).toBe('1\tx')
  const missing = { metadata: { 'contextd-workspace': encodeURIComponent(join(folder, 'no')) } }
  expect((await failureOf(client.unary('Tools/List', {}, missing))).code).toBe(status.FAILED_PRECONDITION)
})

test('a stream sends progress and log lines as they happen, scrubbed, and ends with the result', async () => {
  const call = client.stream('Tools/Execute', { name: 'report', log_level: 'info' })
  const events: Reply[] = []
  for await (const event of call) {
    events.push(event as Reply)
    if (events.length === 3) await client.unary('Tools/Call', { name: 'go_on' })
  }
  expect(events.map(({ event }) => event)).toEqual(['progress', 'log', 'progress', 'result'])
  expect(events[0]).toMatchObject({
    progress: { progress: 1, total: 2, message: expect.stringMatching(/SECRET_/) },
  })
  expect(JSON.stringify(events)).not.toContain(secret)
  const { structured } = events[3]!.result as Reply
  expect(fromValue(structured)).toMatchObject({ data: 'reported' })
})

test('new records are streamed until the caller disconnects', async () => {
  const call = client.stream('Audit/Tail', { limit: 1, event: 'grpc-tail-test' })
  const nextRecord = once(call, 'data')
  // It is not visible from outside when it starts to listen, so records are written until one arrives.
  let isHeard = false
  void nextRecord.then(() => (isHeard = true))
  await until(() => {
    door.runtime.audit.event('grpc-tail-test', { note: 'x' })
    return isHeard
  })
  const [{ record }] = (await nextRecord) as [Reply]
  expect(record).toMatchObject({ kind: 'event', event: 'grpc-tail-test' })
  expect(fromStruct((record as Reply).details)).toEqual({ note: 'x' })
  const ended = once(call, 'error')
  call.cancel()
  expect((await ended)[0]).toMatchObject({ code: status.CANCELLED })
})

test('a client deadline aborts the tool', async () => {
  let why: Reply | undefined
  // If the time is over before the tool has started, nothing is aborted: retry with more time.
  for (let deadlineMs = 400; why === undefined; deadlineMs *= 2) {
    const late = await failureOf(client.unary('Tools/Call', { name: 'wait' }, { deadlineMs }))
    expect(late.code).toBe(status.DEADLINE_EXCEEDED)
    why = await client.unary('Tools/Call', { name: 'why_aborted' }).catch(() => undefined)
  }
  expect(fromValue(why.structured)).toMatchObject({ data: expect.stringMatching(/^(TIMEOUT|CANCELLED)$/) })
})

test('a tail from far back returns every record, however many there are', async () => {
  const { seq } = door.runtime.audit.event('one', {})
  for (let n = 0; n < 12_000; n++) door.runtime.audit.event(`e${n}`, {})
  let count = 0
  for await (const _ of client.stream('Audit/Tail', { after: seq, kind: 'event', follow: false })) count += 1
  expect(count).toBe(12_000)
})

test('a deadline beyond the timer range is ignored', async () => {
  const metadata = { 'grpc-timeout': '99999999H' }
  const call = client.stream('Tools/Execute', { name: 'wait' }, { metadata })
  await once(call, 'data')
  const ended = once(call, 'error')
  call.cancel()
  expect(await ended).toMatchObject([{ code: status.CANCELLED }])
})

test('a client that cancels aborts the tool', async () => {
  const call = client.stream('Tools/Execute', { name: 'wait' })
  await once(call, 'data')
  const ended = once(call, 'error')
  call.cancel()
  await ended
  const { structured } = await client.unary('Tools/Call', { name: 'why_aborted' })
  expect(fromValue(structured)).toMatchObject({ data: 'CANCELLED' })
})

test('unknown fields are rejected in writes, and ignored in reads', async () => {
  const raw = (rpc: string, name: string, request: object): Promise<Reply> =>
    client.unary(rpc, request, { raw: Buffer.concat([codecOf(name).serialize(request), unknownField]) })
  const asked = { name: 'echo', arguments: toStruct({}) }
  const refused = await failureOf(raw('Tools/Call', 'contextd.v1.ToolsCallRequest', asked))
  expect(refused.code).toBe(status.INVALID_ARGUMENT)
  expect(refused.details).toContain('ToolsCallRequest')
  expect(refused.details).not.toContain('hunter2')
  expect(await client.unary('Tools/Call', asked)).toHaveProperty('structured')

  expect(await raw('Audit/Query', 'contextd.v1.AuditQueryRequest', { limit: 1 })).toHaveProperty('entries')
})

/** Field 999 with a text. */
const unknownField = Buffer.from([0xba, 0x3e, 7, ...Buffer.from('hunter2')])

test('a message that is too large is rejected, a smaller one is accepted', async () => {
  const large = await failureOf(echoed({ text: 'x'.repeat(70_000) }))
  expect(large.code).toBe(status.RESOURCE_EXHAUSTED)
  expect(
    await client.unary('Tools/Call', { name: 'log', arguments: toStruct({ text: 'x'.repeat(60_000) }) }),
  ).toHaveProperty('structured')
})

test('a failure of a tool is an error with all details', async () => {
  const missing = await failureOf(client.unary('SafeExec/Read', { path: 'not-there.txt' }, asAgent('main')))
  expect(missing.code).not.toBe(status.INTERNAL)
  expect(errorObject(missing)).toMatchObject({ code: expect.any(String), hint: expect.any(String) })

  const wrong = await failureOf(client.unary('SafeExec/Read', {}, asAgent('main')))
  expect(wrong.code).toBe(status.INVALID_ARGUMENT)
  expect(errorObject(wrong)).toMatchObject({
    code: 'INVALID_ARGUMENTS',
    details: { fields: [{ field: 'path', expected: expect.any(String) }] },
  })
})

test('missing things are reported as missing', async () => {
  const unknown = await failureOf(client.unary('Tools/Call', { name: 'no_such_tool' }, asAgent('main')))
  expect([unknown.code, errorObject(unknown).code]).toEqual([status.NOT_FOUND, 'TOOL_NOT_FOUND'])
  const noMethod = await failureOf(client.raw('/contextd.v1.Audit/Erase'))
  expect(noMethod.code).toBe(status.UNIMPLEMENTED)
})
