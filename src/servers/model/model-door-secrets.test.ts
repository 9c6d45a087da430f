import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { until } from '../../../test/support/http-connection.ts'
import {
  askModel,
  attest,
  bytesBelow,
  startModelDoor,
  type DoorFixture,
} from '../../../test/support/model-door.ts'
import { messageEvents, sendMessage } from '../../../test/support/model-provider.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import { createSessions } from '../../platform/sessions.ts'

/** A made-up key with a valid format. */
const secret = ['ghp', 'x9Qm2VtL7cR4bNs8KpW1zYd6HfJ3aGu5TeXo'].join('_')
const ofSession = { 'x-claude-code-session-id': 'c1' }

const asking = (content: unknown): JsonObject => ({
  model: 'claude-test',
  max_tokens: 10,
  messages: [{ role: 'user', content: content as string }],
})
const sent = ({ provider }: DoorFixture, index = -1): string => String(provider.seen.at(index)?.body)
const outcomes = ({ runtime }: DoorFixture): SqlRow[] =>
  runtime.store.rows('audit', { tenant: 'local' }).all({ kind: 'outcome' })

test('no secret reaches the provider, streaming or not, and equal texts have equal tokens', async () => {
  const door = await startModelDoor()
  const body = asking(`My token is ${secret}`)
  const ask = (more: object) =>
    askModel(`${door.base()}/v1/messages`, { body: { ...body, ...more }, headers: ofSession })
  await ask({})
  expect(sent(door)).toContain('My token is [SECRET_1]')
  await ask({ stream: true })
  expect(sent(door)).toContain('My token is [SECRET_1]')
  await askModel(`${door.base()}/v1/messages/count_tokens`, { body, headers: ofSession })
  expect(sent(door)).toContain('My token is [SECRET_1]')
  expect(door.provider.seen.map(({ body: bytes }) => String(bytes)).join()).not.toContain(secret)
  // Another session has different tokens.
  const other = { ...asking(`A ${['ghp', 'z8Wn3UsM6dQ5cMt9JqX2yZe7GgK4bHv1SfYp'].join('_')} and ${secret}`) }
  await askModel(`${door.base()}/v1/messages`, { body: other, headers: { 'x-claude-code-session-id': 'c2' } })
  expect(sent(door)).toContain('A [SECRET_1] and [SECRET_2]')
})

test('an audit record has what was masked, the model and its tokens, but no secret', async () => {
  const door = await startModelDoor({
    rules: { agents: { scanner: { allow: { servers: ['contextd'] } } } },
  })
  attest(door, 'c1', 'i1', 'scanner')
  // The clock advances between the request and its response.
  const waited = 20
  door.provider.answer(async (response) => {
    const arrived = Date.now()
    await until(() => Date.now() >= arrived + waited)
    sendMessage(response, [{ type: 'text', text: 'Hello.' }])
  })
  const another = ['ghp', 'z8Wn3UsM6dQ5cMt9JqX2yZe7GgK4bHv1SfYp'].join('_')
  await askModel(`${door.base()}/v1/messages?beta=true`, {
    body: { ...asking(`It is ${secret}, not ${another} or password: "hunter2a"`), stream: false },
    headers: { ...ofSession, 'x-claude-code-agent-id': 'i1' },
  })
  await until(() => outcomes(door).length === 1)
  const [intent] = door.runtime.store.rows('audit', { tenant: 'local' }).all({ kind: 'intent' })
  expect(JSON.parse(String(intent?.arguments))).toEqual({
    provider: 'anthropic',
    method: 'POST',
    path: '/v1/messages',
    model: 'claude-test',
  })
  const [outcome] = outcomes(door)
  expect(outcome).toMatchObject({
    method: 'model',
    server: 'model',
    tool: 'anthropic',
    decision: 'allow',
    agent: 'scanner',
  })
  expect(JSON.parse(String(outcome?.output))).toEqual({
    status: 200,
    model: 'claude-test',
    usage: { input: 10, output: 5, cacheRead: 100, cacheWrite: 20 },
  })
  expect(outcome?.duration_ms).toBe(Number(outcome?.time) - Number(intent?.time))
  expect(outcome?.duration_ms).toBeGreaterThanOrEqual(waited)
  expect(JSON.parse(String(outcome?.findings))).toEqual([
    { layer: 'C2', rule: 'github-pat', count: 2 },
    { layer: 'C2', rule: 'generic-password', count: 1 },
  ])
  const kept = JSON.stringify([intent, outcome]) + bytesBelow(join(door.home.path, 'state'))
  expect(kept).toContain('claude-test')
  for (const value of [secret, another, 'hunter2a']) expect(kept).not.toContain(value)
})

const write = (file_path: string): JsonObject & { type: string } => ({
  type: 'tool_use',
  id: 'toolu_1',
  name: 'Edit',
  input: { file_path, old_string: 'TOKEN=[SECRET_1]', new_string: 'TOKEN=[SECRET_1] # kept' },
})

/** The input of the tool call in a response. */
function inputIn(text: string): JsonObject {
  if (text.startsWith('{'))
    return (JSON.parse(text) as { content: { input: JsonObject }[] }).content[0]!.input
  const pieces = [...text.matchAll(/^data: (.*)$/gm)].map(
    ([, data = '']) => (JSON.parse(data) as { delta?: { partial_json?: string } }).delta?.partial_json ?? '',
  )
  return JSON.parse(pieces.join('')) as JsonObject
}

test.each([true, false])(
  'an edit gets the value that the file has already, and no other (stream: %s)',
  async (stream) => {
    const door = await startModelDoor()
    const file = join(door.home.project, '.env')
    const other = join(door.home.project, 'new.txt')
    writeFileSync(file, `A=1\nTOKEN=${secret}\n`)
    const ask = async (path: string): Promise<JsonObject> => {
      door.provider.answer((response) => {
        if (!stream) return sendMessage(response, [write(path)])
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        return response.end(messageEvents([write(path)]).join(''))
      })
      const body = { ...asking(`The file: ${readFileSync(file, 'utf8')}`), stream }
      const reply = await askModel(`${door.base()}/v1/messages`, { body, headers: ofSession })
      expect(sent(door)).not.toContain(secret)
      return inputIn(reply.text)
    }
    expect(await ask(file)).toEqual({
      file_path: file,
      old_string: `TOKEN=${secret}`,
      new_string: `TOKEN=${secret} # kept`,
    })
    expect(await ask(other)).toEqual(write(other).input)
    await until(() => outcomes(door).length === 2)
    const [first, second] = outcomes(door).map(({ notes }) => String(notes))
    expect([first?.includes('restored: [SECRET_1]'), second?.includes('restore refused')]).toEqual([
      true,
      true,
    ])
    expect(bytesBelow(join(door.home.path, 'state'))).not.toContain(secret)
  },
)

test('masks restored values again, including those that no rule would find', async () => {
  const door = await startModelDoor()
  const file = join(door.home.project, 'settings.ts')
  const weak = 'hunter2a'
  writeFileSync(file, `password: "${weak}"\n`)
  const input = { file_path: file, old_string: '"[SECRET_1]"', new_string: '"[SECRET_1]",' }
  const call = { type: 'tool_use', id: 'toolu_9', name: 'Edit', input }
  door.provider.answer((response) => sendMessage(response, [call]))
  const first = asking(`password: "${weak}"`)
  const reply = await askModel(`${door.base()}/v1/messages`, { body: first, headers: ofSession })
  expect(sent(door)).toContain('[SECRET_1]')
  expect(inputIn(reply.text)).toMatchObject({ new_string: `"${weak}",` })
  const history = {
    ...first,
    messages: [
      ...(first.messages as JsonObject[]),
      { role: 'assistant', content: [{ ...call, input: inputIn(reply.text) }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_9', content: `Now: ${weak},` }] },
    ],
  }
  await askModel(`${door.base()}/v1/messages`, { body: history, headers: ofSession })
  expect(sent(door)).not.toContain(weak)
  expect(sent(door)).toContain('Now: [SECRET_1],')
})

test('unsupported requests pass only without a secret', async () => {
  const door = await startModelDoor()
  door.provider.answer((response) => response.end('ok'))
  const ask = (path: string, body?: string | Buffer, type = 'application/json', method = 'POST') =>
    askModel(`${door.base()}${path}`, { method, ...(body && { body }), headers: { 'content-type': type } })
  const form = (text: string): string => `--x\r\ncontent-disposition: form-data\r\n\r\n${text}\r\n--x--`
  const clean = Buffer.concat([Buffer.from('plain '), Buffer.from([0, 255, 254])])
  const good = [
    await ask('/v1/files', form('nothing'), 'multipart/form-data; boundary=x'),
    await ask('/v1/new', '{"a":"nothing"}'),
    await ask('/v1/binary', clean, 'application/octet-stream'),
    await ask('/v1/models?limit=2', undefined, 'text/plain', 'GET'),
  ]
  expect(good.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(door.provider.seen.map(({ body }) => body.length)).toEqual([
    form('nothing').length,
    15,
    clean.length,
    0,
  ])
  expect(door.provider.seen[2]?.body.equals(clean)).toBe(true)
  const bad = [
    await ask('/v1/files', form(secret), 'multipart/form-data; boundary=x'),
    await ask('/v1/new', JSON.stringify({ a: secret })),
    await ask('/v1/new', `{"a":"\\u0067${secret.slice(1)}"}`),
    await ask('/v1/binary', Buffer.concat([clean, Buffer.from(` ${secret}`)]), 'application/octet-stream'),
    await ask(`/v1/models?after=${secret}`, undefined, 'text/plain', 'GET'),
    await ask(`/v1/models/${secret}`, undefined, 'text/plain', 'GET'),
    await ask(`/v1/messages?x=${secret}`, JSON.stringify(asking('Hi'))),
  ]
  for (const { status, text } of bad) {
    expect(status).toBe(400)
    expect(JSON.parse(text)).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } })
    expect(text).not.toContain(secret)
  }
  expect(door.provider.seen).toHaveLength(4)
})

test("the caller's credentials pass, are masked elsewhere, and are neither stored nor logged", async () => {
  const door = await startModelDoor()
  const login = 'q7Zp4Lw9Xn2Vb6Kt8Rm3Hs5Jd1Fg0Yc'
  const named = {
    authorization: 'Bearer oauthA1b2C3d4E5f6G7h8I9j0K1l2',
    'x-api-key': 'apikeyM3n4O5p6Q7r8S9t0U1v2W3x4',
    'x-goog-api-key': 'googleY5z6A7b8C9d0E1f2G3h4I5j6',
    'api-key': 'azureK7l8M9n0O1p2Q3r4S5t6U7v8',
    cookie: 'session=cookieW9x0Y1z2A3b4C5d6E7f8',
  }
  const url = `${door.base()}/v1/messages?key=${login}`
  await askModel(url, { body: asking('Hi'), headers: { ...named, ...ofSession } })
  expect(door.provider.seen[0]).toMatchObject({ url: `/v1/messages?key=${login}`, headers: named })
  const values = [login, ...Object.values(named).map((value) => value.replace(/^(?:Bearer |session=)/, ''))]
  await until(() => outcomes(door).length === 1)
  door.runtime.log('error', 'something failed', { cause: url, headers: JSON.stringify(named) })
  const kept = bytesBelow(door.home.path) + door.logged.join('')
  expect(values.filter((value) => kept.includes(value))).toEqual([])
  expect(door.logged.join('')).toContain('something failed')
  // In a text they are secrets like any other.
  await askModel(url, { body: asking(values.join(' ')), headers: { ...named, ...ofSession } })
  expect(values.filter((value) => sent(door).includes(value))).toEqual([])
  expect(sent(door)).toContain('[SECRET_')
})

test('a session shares tokens with its hooks and tools, and uses the rules of its own folder', async () => {
  const door = await startModelDoor()
  const folder = join(door.home.path, 'elsewhere')
  mkdirSync(folder)
  const sessions = createSessions(
    door.runtime.store,
    { tenant: 'local', project: folder },
    Date.now,
    () => 'session-1',
  )
  const session = sessions.join({ name: 'claude-code', version: '', door: 'stdio' }, 'c1')
  door.runtime.scrub('It is ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8', session)
  await askModel(`${door.base()}/v1/messages`, { body: asking(`It is ${secret}`), headers: ofSession })
  expect(sent(door)).toContain('It is [SECRET_2]')
  await until(() => outcomes(door).length === 1)
  expect(outcomes(door)).toMatchObject([{ session, project: folder }])
  // Without a client session, a key has a persistent one.
  await askModel(`${door.base()}/v1/messages`, { body: asking('Hi') })
  await askModel(`${door.base()}/v1/messages`, { body: asking('Hi') })
  await until(() => outcomes(door).length === 3)
  const [, one, two] = outcomes(door)
  expect(one?.session).toBe(two?.session)
  expect(one).toMatchObject({ project: door.runtime.project })
})
