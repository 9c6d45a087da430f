import { fromJson, type DescMethod, type JsonValue } from '@bufbuild/protobuf'
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { apiRuntime, person, type ApiRuntime } from '../../../test/support/api-runtime.ts'
import { sandboxHere } from '../../../test/support/sandbox-here.ts'
import { CodedError } from '../../core/errors/errors.ts'
import { valueAt, type JsonObject } from '@contextd/shared/json/value'
import { methodOf, readRequest, services } from './messages.ts'
import { operationName } from './operations/operation.ts'
import { allRpcs, findRpc, perform, performStream } from './perform.ts'

let api: ApiRuntime
const made = { memory: '', checkpoint: '', branch: '', ref: '' }

const lesson = {
  title: 'Refresh tokens early',
  description: 'When a token is about to end',
  content: 'Ask for the next one a minute before.',
  outcome: 'success',
  tags: ['tokens'],
}

/** The field of the answer with that name. */
async function named(field: string, rpc: string, request: JsonObject): Promise<string> {
  return (await api.call(rpc, request))[field] as string
}

beforeAll(async () => {
  api = await apiRuntime()
  api.home.write('project/notes.md', '# Notes\n\nTokens are refreshed here.\n')
  api.home.write('project/long.md', '1 2 3 4 5 6 7 8 9 0 1 2 3 4\n'.repeat(2000))
  api.home.write('config/context-map.toml', '')
  made.memory = await named('id', 'Memory/Store', lesson)
  made.checkpoint = await named('id', 'Checkpoint/Save', { summary: 'Begun.', name: 'first' })
  made.branch = await named('branch', 'Branch/Open', { description: 'a', prompt: 'b' })
  await api.call('Branch/Return', { message: 'Done.' })
  const { answer } = await api.call('SafeExec/Read', { path: 'long.md' })
  made.ref = valueAt(answer ?? null, ['refs', 0, 'ref']) as string
  await api.call('Index/Run')
})
afterAll(() => api.close())

const namesOf = (methods: readonly DescMethod[]): string[] =>
  methods.map(({ parent, name }) => `${parent.name}/${name}`).toSorted()

test('all calls in the proto files exist', () => {
  const named = namesOf(services.flatMap(({ methods }) => methods))
  expect(
    allRpcs()
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(named)
})

/** Calls with side effects must also be listed here: those not marked as writing are available over HTTP. */
test('calls with side effects are marked as such in the proto files', () => {
  const writing = services
    .flatMap(({ methods }) => methods)
    .filter(({ idempotency }) => idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS)
  expect(namesOf(writing)).toEqual([
    'Agents/RevokeToken',
    'Branch/Open',
    'Branch/Return',
    'Checkpoint/Save',
    'Config/Set',
    'Index/Run',
    'Memory/Delete',
    'Memory/Edit',
    'Memory/Feedback',
    'Memory/Store',
    'SafeExec/Bash',
    'SafeExec/Write',
    'Server/Stop',
    'Servers/Tools',
    'Sessions/End',
    'Sessions/Start',
    'Tools/Call',
    'Tools/Execute',
  ])
})

test('the rules know an operation by the name of its RPC', () => {
  expect(operationName('Audit/Query')).toBe('audit.query')
  expect(operationName('Agents/ListTokens')).toBe('agents.list_tokens')
  expect(findRpc('Audit/Query')?.toCall({})).toMatchObject({ server: 'control', tool: 'audit.query' })
})

/** Meaningful requests; all others are empty. */
const requests: Record<string, () => JsonObject> = {
  'Tools/Get': () => ({ name: 'safe_read' }),
  'Tools/Call': () => ({ name: 'safe_read', arguments: { path: 'notes.md' } }),
  'Tools/Execute': () => ({ name: 'safe_read', arguments: { path: 'notes.md' }, log_level: 'debug' }),
  'SafeExec/Bash': () => ({ command: 'true' }),
  'SafeExec/Read': () => ({ path: 'notes.md' }),
  'SafeExec/Write': () => ({ path: 'new.md', content: '' }),
  'Memory/Search': () => ({ query: 'tokens' }),
  'Memory/Get': () => ({ ids: [made.memory] }),
  'Memory/Store': () => ({ ...lesson, title: 'Another' }),
  'Memory/Feedback': () => ({ id: made.memory, helpful: false }),
  'Memory/Edit': () => ({ id: made.memory, title: 'New' }),
  'Memory/Delete': () => ({ ids: [made.memory] }),
  'Checkpoint/Save': () => ({ summary: 'Half of it is done.', state: { n: 1 } }),
  'Checkpoint/Restore': () => ({ id: made.checkpoint, level: 'full' }),
  'Checkpoint/Show': () => ({ id: made.checkpoint }),
  'Branch/Open': () => ({ description: 'look around', prompt: 'Look around.' }),
  'Branch/Return': () => ({ message: 'Seen it.', insights: ['It is there.'] }),
  'Branch/Show': () => ({ id: made.branch }),
  'Refs/GetContent': () => ({ ref: made.ref }),
  'Index/Query': () => ({ query: 'where are tokens refreshed' }),
  'Policy/Check': () => ({ agent: 'main', server: 'contextd', tool: 'safe_read' }),
  'Policy/Explain': () => ({ agent: 'main', server: 'contextd', tool: 'safe_read' }),
  'Agents/RevokeToken': () => ({ id: api.runtime.tokens.create('main', 'test').token.id }),
  'Servers/Tools': () => ({ server: 'none' }),
  'Audit/Show': () => ({ call: 'none' }),
  'Config/Get': () => ({ key: 'http.port' }),
  'Config/Set': () => ({ key: 'log.level', value: 'warn' }),
  'Sessions/End': () => ({ session: 'none' }),
}

/** Calls that fail on a machine without a daemon and servers. */
const expected: Record<string, string> = {
  'Servers/Tools': 'NOT_FOUND',
  'Audit/Show': 'NOT_FOUND',
  'Audit/Tail': 'CANCELLED',
  'Config/Watch': 'CANCELLED',
  'Server/Status': 'DAEMON_NOT_RUNNING',
  'Server/Stop': 'DAEMON_NOT_RUNNING',
  'Sessions/End': 'SESSION_NOT_FOUND',
}

/** Every message of a call; an endless stream is stopped as soon as it runs. */
async function messagesOf(rpc: string): Promise<{ messages: JsonObject[]; error?: string }> {
  const stop = new AbortController()
  if (findRpc(rpc)?.follow !== undefined) setTimeout(() => stop.abort(), 200)
  const messages: JsonObject[] = []
  const request = readRequest(rpc, requests[rpc]?.() ?? {})
  const options = { signal: stop.signal, onEvent: (event: JsonObject) => void messages.push(event) }
  try {
    if (methodOf(rpc).methodKind === 'unary') {
      return { messages: [await perform(api.runtime, rpc, request, person, options)] }
    }
    await performStream(api.runtime, rpc, request, person, options)
    return { messages }
  } catch (error) {
    if (error instanceof CodedError) return { messages, error: error.code }
    throw error
  }
}

test.each(allRpcs().map(({ name }) => name))('%s returns fields of its message', async (rpc) => {
  const { messages, error } = await messagesOf(rpc)
  const isConfined = rpc !== 'SafeExec/Bash' || error !== 'SANDBOX_UNAVAILABLE'
  if (isConfined) expect(error).toBe(expected[rpc])
  for (const message of messages) {
    expect(() => fromJson(methodOf(rpc).output, message as JsonValue)).not.toThrow()
  }
})

test.skipIf(!sandboxHere)(
  'a command is told of while it runs, then what it wrote, then its result',
  async () => {
    const key = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
    const events: JsonObject[] = []
    const request = { name: 'safe_bash', arguments: { command: `echo ${key}; echo bad >&2; exit 3` } }
    await performStream(api.runtime, 'Tools/Execute', request, person, {
      signal: new AbortController().signal,
      onEvent: (event) => void events.push(event),
    })
    expect(events.filter((event) => !('progress' in event))).toEqual([
      { output: { stream: 'stdout', text: '[SECRET_1]\n' } },
      { output: { stream: 'stderr', text: 'bad\n' } },
      {
        result: expect.objectContaining({ structured: expect.objectContaining({ data: expect.anything() }) }),
      },
    ])
  },
)

test('reports an unknown call', async () => {
  await expect(api.call('Audit/Erase')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(api.call('constructor')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
