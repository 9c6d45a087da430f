import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { until } from '../../../test/support/http-connection.ts'
import {
  askModel,
  attest,
  startModelDoor,
  type DoorFixture,
  type ModelReply,
} from '../../../test/support/model-door.ts'
import { sendMessage } from '../../../test/support/model-provider.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { createSessions } from '../../platform/sessions.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'

const question = { model: 'claude-test', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] }
/** Input, output and cache tokens of one message of the test provider. */
const tokensOfOne = 135

const ask = (
  door: DoorFixture,
  session = 'c1',
  instance?: string,
  body: object = question,
): Promise<ModelReply> =>
  askModel(`${door.base()}/v1/messages`, {
    body,
    headers: {
      'x-claude-code-session-id': session,
      ...(instance !== undefined && { 'x-claude-code-agent-id': instance }),
    },
  })
const outcomes = async ({ runtime }: DoorFixture, count: number): Promise<SqlRow[]> => {
  const all = (): SqlRow[] => runtime.store.rows('audit', { tenant: 'local' }).all({ kind: 'outcome' })
  await until(() => all().length >= count)
  return all()
}
const errorOf = ({ text }: ModelReply): { type: string; message: string } =>
  (JSON.parse(text) as { error: { type: string; message: string } }).error

const allow = { servers: ['contextd'] }

test('an agent unknown to the rules reaches its model, without permissions', async () => {
  const door = await startModelDoor({ rules: { agents: { front: { allow } } } })
  expect((await ask(door)).status).toBe(200)
  expect((await ask(door, 'c1', 'nobody-attested-it')).status).toBe(200)
  const [main, unknown] = await outcomes(door, 2)
  expect([main?.agent, unknown?.agent]).toEqual(['', ''])
  expect(String(unknown?.notes)).toContain('unattested agent')
})

test('a request belongs to its attested agent', async () => {
  const door = await startModelDoor({ rules: { agents: { main: { allow }, scanner: { allow } } } })
  attest(door, 'c1', 'i1', 'scanner')
  await ask(door)
  await ask(door, 'c1', 'i1')
  await ask(door, 'c2', 'i1')
  const agents = (await outcomes(door, 3)).map(({ agent, level, instance }) => [agent, level, instance])
  expect(agents).toEqual([
    ['main', 'attested', null],
    ['scanner', 'attested', 'i1'],
    ['', null, null],
  ])
  const used = door.runtime.store.rows('model_usage', { tenant: 'local' }).all()
  expect(new Set(used.map(({ agent }) => agent))).toEqual(new Set(['', 'main', 'scanner']))
})

test.each([
  ['the server', { servers: ['model'] }, 403],
  ['the provider', { tools: { model: ['anthropic'] } }, 403],
  ['another provider', { tools: { model: ['openai'] } }, 200],
  ['all servers by a wildcard', { servers: ['*'] }, 200],
  ['servers by another wildcard', { servers: ['mod*'], tools: { '*': ['*'], model: ['anth*'] } }, 200],
])('with %s denied', async (_, deny, status) => {
  const door = await startModelDoor({ rules: { agents: { main: { allow, deny } } } })
  const reply = await ask(door)
  expect(reply.status).toBe(status)
  expect(door.provider.seen).toHaveLength(status === 200 ? 1 : 0)
  if (status === 403) {
    expect(errorOf(reply)).toMatchObject({ type: 'permission_error' })
    expect(errorOf(reply).message).toMatch(/agents\.main\.deny.* in .*rules\.json:\d+/)
  }
})

test.each([
  ['model_tokens_per_session', 200],
  ['model_tokens_per_day', 429],
])('%s refuses before anything is sent', async (name, statusElsewhere) => {
  const rules = { agents: { main: { allow, limits: { [name]: 2 * tokensOfOne } }, scanner: { allow } } }
  const door = await startModelDoor({ rules })
  attest(door, 'c1', 'i1', 'scanner')
  expect([(await ask(door)).status, (await ask(door)).status]).toEqual([200, 200])
  await outcomes(door, 2)
  const refused = await ask(door)
  expect(refused.status).toBe(429)
  expect(refused.headers['x-should-retry']).toBe('false')
  expect(errorOf(refused)).toMatchObject({ type: 'rate_limit_error' })
  expect(errorOf(refused).message).toMatch(
    new RegExp(`main.*${2 * tokensOfOne}.*agents\\.main\\.limits\\.${name} in .*rules\\.json:\\d+`),
  )
  expect(door.provider.seen).toHaveLength(2)
  // Providers charge nothing for these.
  const headers = { 'x-claude-code-session-id': 'c1' }
  await askModel(`${door.base()}/v1/messages/count_tokens`, { body: question, headers })
  await askModel(`${door.base()}/v1/models`, { method: 'GET', headers })
  expect(door.provider.seen).toHaveLength(4)
  // Another agent, and another session.
  expect((await ask(door, 'c1', 'i1')).status).toBe(200)
  expect((await ask(door, 'c2')).status).toBe(statusElsewhere)
  const records = await outcomes(door, 7)
  expect(records[2]).toMatchObject({ error: 'MODEL_BUDGET_EXHAUSTED', decision: 'deny' })
})

test('requests of unknown agents share the limit of default, and the refusal says so', async () => {
  const limits = { model_tokens_per_day: tokensOfOne }
  const door = await startModelDoor({ rules: { agents: { default: { allow, limits } } } })
  expect((await ask(door, 'c1', 'nobody-attested-it')).status).toBe(200)
  await outcomes(door, 1)
  const refused = await ask(door, 'c2', 'nor-this-one')
  expect(refused.status).toBe(429)
  expect(errorOf(refused).message).toMatch(/: Requests of unknown agents used the .*agents\.default\.limits/)
})

test('applies limits for models, but not those for tools', async () => {
  const limits = { calls_per_minute: 1, timeout_ms: 1, servers: { '*': { calls_per_minute: 1 } } }
  const free = await startModelDoor({ rules: { agents: { main: { allow, limits } } } })
  expect([(await ask(free)).status, (await ask(free)).status]).toEqual([200, 200])
  const named = { servers: { model: { calls_per_minute: 1 } } }
  const bound = await startModelDoor({ rules: { agents: { main: { allow, limits: named } } } })
  expect((await ask(bound)).status).toBe(200)
  const refused = await ask(bound)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
})

/** A made-up key with a valid format. */
const secret = ['ghp', 'x9Qm2VtL7cR4bNs8KpW1zYd6HfJ3aGu5TeXo'].join('_')

test.each([
  ['granted to the agent', 'scanner', { capabilities: ['secret:reveal'] }, secret],
  ['not granted', 'scanner', { capabilities: ['fs:read'] }, '[SECRET_1]'],
  ['of the default agent', 'unnamed', { capabilities: ['secret:reveal'] }, secret],
  [
    'of an agent we are not sure enough of',
    'unnamed',
    { capabilities: ['secret:reveal'], require: 'token' },
    '[SECRET_1]',
  ],
  ['where nobody attested who it is', undefined, { capabilities: ['secret:reveal'] }, '[SECRET_1]'],
])('a reveal rule, %s', async (_, agent, { capabilities, ...more }, given) => {
  const rule = {
    allow: { servers: ['contextd'], capabilities },
    reveal: [{ tool: 'Deploy', argument: 'token' }],
    ...more,
  }
  const defaults = { deny_on_missing_agent: false }
  const door = await startModelDoor({ rules: { agents: { scanner: rule, default: rule }, defaults } })
  if (agent !== undefined) attest(door, 'c1', 'i1', agent)
  const input = { token: '[SECRET_1]', note: '[SECRET_1]' }
  door.provider.answer((response) =>
    sendMessage(response, [{ type: 'tool_use', id: 'toolu_1', name: 'Deploy', input }]),
  )
  const body = { ...question, messages: [{ role: 'user', content: `It is ${secret}` }] }
  const reply = await ask(door, 'c1', 'i1', body)
  expect((JSON.parse(reply.text) as { content: { input: JsonObject }[] }).content[0]?.input).toEqual({
    token: given,
    note: '[SECRET_1]',
  })
})

test("an agent's private context reaches only that agent's model", async () => {
  const door = await startModelDoor()
  const { home, runtime } = door
  const line = 'The customer behind project Heron is Marlow and Vance'
  const folder = join(home.path, 'contexts')
  mkdirSync(folder)
  writeFileSync(join(folder, 'catalogue.md'), `# Catalogue\n\n- ${line}\n`)
  const map = `base = "${folder}"\n[keys]\nctx_Zq4xW8vT1nB6mK3jH9gF5dS2aP7oU0yR = { path = "catalogue.md", agents = ["scanner"] }\n`
  writeFileSync(join(home.path, 'config/context-map.toml'), map, { mode: 0o600 })
  const client = { name: 'claude-code', version: '', door: 'stdio' } as const
  const owner = { tenant: 'local', project: home.project }
  const session = createSessions(runtime.store, owner, Date.now, () => 'session-1').join(client, 'c1')
  const load = runtime.newCall({
    method: 'tool',
    tool: 'load_context',
    arguments: {},
    session,
    client,
    claims: { attested: { agent: 'scanner', instance: 'i1' } },
    signal: new AbortController().signal,
  })
  attest(door, 'c1', 'i1', 'scanner')
  attest(door, 'c1', 'i2', 'writer')
  const said = { ...question, messages: [{ role: 'user', content: `He wrote: ${line}.` }] }
  const seenBy = async (instance: string | undefined): Promise<string> => {
    expect((await ask(door, 'c1', instance, said)).status).toBe(200)
    return JSON.parse(String(door.provider.seen.at(-1)?.body)).messages[0].content as string
  }
  // What is stored about these must not be mistaken for later texts.
  expect(await seenBy('i2')).toBe(`He wrote: ${line}.`)
  expect(await seenBy('i1')).toBe(`He wrote: ${line}.`)
  expect(JSON.stringify(await runtime.handle(load))).toContain(line)
  expect(await seenBy('nobody-attested-it')).toBe('He wrote: [PRIVATE].')
  expect(await seenBy('i2')).toBe('He wrote: [PRIVATE].')
  expect(await seenBy(undefined)).toBe('He wrote: [PRIVATE].')
  expect(await seenBy('i1')).toBe(`He wrote: ${line}.`)
  expect(await seenBy('i2')).toBe('He wrote: [PRIVATE].')
  const records = (await outcomes(door, 8)).filter(({ method }) => method === 'model')
  expect(records.map(({ findings }) => String(findings).includes('private-context'))).toEqual([
    false,
    false,
    true,
    true,
    true,
    false,
    true,
  ])
})

test.each<[JsonObject, string]>([
  [{ text: 'say [SECRET_1]' }, secret],
  [{ job: { text: ['say [SECRET_1]'] } }, secret],
  [{ commands: ['say [SECRET_1]'] }, '[SECRET_1]'],
  [{ script_line: 'say [SECRET_1]' }, '[SECRET_1]'],
  [{ job: { argv: ['say [SECRET_1]'] } }, '[SECRET_1]'],
])('a reveal rule with a host, for %j', async (given, expected) => {
  const main = {
    allow: { servers: ['contextd'], capabilities: ['secret:reveal'] },
    reveal: [{ tool: 'Deploy', host: 'api.example.com' }],
  }
  const door = await startModelDoor({ rules: { agents: { main } } })
  const input = { url: 'https://api.example.com/', ...given }
  door.provider.answer((response) =>
    sendMessage(response, [{ type: 'tool_use', id: 'toolu_1', name: 'Deploy', input }]),
  )
  const body = { ...question, messages: [{ role: 'user', content: `It is ${secret}` }] }
  const { content } = JSON.parse((await ask(door, 'c1', undefined, body)).text) as {
    content: { input: JsonObject }[]
  }
  expect(content[0]?.input).toEqual(
    JSON.parse(JSON.stringify(input).replace('[SECRET_1]', expected)) as JsonObject,
  )
})
