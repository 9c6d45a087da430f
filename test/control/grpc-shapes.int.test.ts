import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { create, fromJson, toJson, type JsonValue } from '@bufbuild/protobuf'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { localCaller } from '../../src/servers/sessions/callers.ts'
import { methodOf } from '../../src/servers/control/messages.ts'
import { perform } from '../../src/servers/control/perform.ts'
import { doorTools } from '../support/door-tools.ts'
import { sandboxHere } from '../support/sandbox-here.ts'
import { grpcDoor, type GrpcDoor } from './grpc-door.ts'

let door: GrpcDoor

beforeAll(async () => {
  door = await grpcDoor({ tools: doorTools() })
  writeFileSync(join(door.home, 'notes.md'), '# Refreshing tokens\n\nTokens are refreshed at night.\n')
})
afterAll(() => door.close())

const client = { name: 'test', version: '1', door: 'grpc' } as const

/**
 * Returns the response of the operation table and every message of a stream, as the gRPC server would send it; none of
 * it may be unknown to the proto files.
 */
async function call(rpc: string, request: JsonObject = {}, agent?: string): Promise<JsonObject> {
  const { input, output, methodKind } = methodOf(rpc)
  expect(toJson(input, fromJson(input, request as JsonValue))).toEqual(request)
  const events: JsonObject[] = []
  const options = {
    signal: AbortSignal.timeout(50_000),
    onEvent: (event: JsonObject) => void events.push(event),
  }
  const caller = localCaller(client, agent === undefined ? {} : { agent })
  const response = await perform(door.runtime, rpc, request, caller, options)
  const result = Object.keys(response).length === 0 ? [] : [{ result: response }]
  const messages = methodKind === 'unary' ? [response] : [...events, ...result]
  for (const message of messages) fromJson(output, message as JsonValue)
  return response
}

test('every response matches its message type, for the operator', async () => {
  const about = { agent: 'main', server: 'contextd', tool: 'safe_read' }
  expect(await call('Policy/Explain', about)).toMatchObject({ decision: 'allow' })
  expect(await call('Policy/Check', about)).toMatchObject({ allowed: true })
  expect(await call('Config/Get', { key: 'http.port' })).toMatchObject({ value: 7391 })
  expect(await call('Tools/Get', { name: 'echo' })).toMatchObject({ tool: { name: 'echo' } })
})

test('so do responses to an agent, and what the operator then sees of it', async () => {
  const lesson = {
    title: 'Run them alone',
    description: 'When tests fail now and then',
    content: 'Alone they pass.',
  }
  const stored = await call('Memory/Store', { ...lesson, outcome: 'success', tags: ['tests'] }, 'main')
  expect(stored.id).toEqual(expect.any(String))
  const ids = [stored.id as string]
  await call('Memory/Feedback', { id: ids[0]!, helpful: true }, 'main')
  const found = await call('Memory/Search', { query: 'tests fail' }, 'main')
  expect(found).toMatchObject({ memories: [{ id: ids[0] }] })
  expect(await call('Memory/Get', { ids }, 'main')).toMatchObject({ memories: [{ title: lesson.title }] })
  expect(await call('Memory/List')).toMatchObject({ memories: [{ id: ids[0], tags: ['tests'] }], total: 1 })
  await call('Memory/Search', { task: 'make tests pass' }, 'main')
  await call('Memory/Edit', { id: ids[0]!, title: 'Alone', tags: [] })
  await call('Memory/Delete', { ids })

  const saved = await call('Checkpoint/Save', { summary: 'half done', state: { step: [1, null] } }, 'main')
  const id = saved.id as string
  expect(await call('Checkpoint/Show', { id })).toMatchObject({ id })
  expect(await call('Checkpoint/List', {}, 'main')).toMatchObject({ checkpoints: [{ id }], total: 1 })
  for (const level of ['summary', 'context', 'full']) await call('Checkpoint/Restore', { id, level }, 'main')

  const opened = await call('Branch/Open', { description: 'a subtask', prompt: 'do it' }, 'main')
  expect(await call('Branch/Show', { id: opened.branch as string })).toMatchObject({ prompt: 'do it' })
  const report = { message: 'done', outcome: 'success', insights: ['it was easy'], extract: true }
  expect(await call('Branch/Return', report, 'main')).toMatchObject({ branch: opened.branch })
  expect(await call('Branch/List')).toMatchObject({ branches: [{ id: opened.branch }] })
})

test('so do operations on files, the index and the records', async () => {
  await call('SafeExec/Write', { path: 'a.txt', content: '' }, 'main')
  expect(await call('SafeExec/Read', { path: 'a.txt' }, 'main')).toMatchObject({ bytes: 0 })
  await call('Index/Run', { path: door.home })
  expect(await call('Index/Query', { query: 'refreshing tokens' }, 'main')).toMatchObject({
    matches: [{ path: 'notes.md', first_line: 1 }],
  })

  const { entries } = (await call('Audit/Query', { tool: 'safe_write' })) as { entries: { call: string }[] }
  expect(await call('Audit/Show', { call: entries[0]!.call })).toMatchObject({
    entry: { tool: 'safe_write' },
  })
  await call('Audit/Tail', { limit: 5, follow: false })

  const { session } = await call('Sessions/Start')
  await call('Sessions/End', { session: session as string })
  await call('Tools/Call', { name: 'echo', arguments: { deep: [{ a: null }] } }, 'main')
  await call('Config/Set', { key: 'http.port', value: 0 })
})

test.skipIf(!sandboxHere)('so does the output of a command', async () => {
  expect(await call('SafeExec/Bash', { command: 'echo hi; exit 3' }, 'main')).toMatchObject({
    exit_code: 3,
    stdout: 'hi\n',
  })
})

test('a missing message type is detected', () => {
  const { output } = methodOf('Audit/Query')
  expect(() => fromJson(output, { entrys: [] })).toThrow('unknown')
  expect(create(output).$typeName).toBe('contextd.v1.AuditQueryResponse')
})
