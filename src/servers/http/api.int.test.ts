import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import { composeRuntime, type Runtime } from '../../compose.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { controlTools } from '../control/control-tools.ts'
import { serveHttp, type HttpHandle } from './server.ts'

let home: TempHome
let runtime: Runtime
let http: HttpHandle
let base: string

beforeEach(async () => {
  home = makeTempHome()
  home.write('config/config.toml', '[http]\nport = 0\n[log]\nlevel = "error"\n')
  home.write('config/rules.json', {
    agents: {
      robot: { allow: { servers: ['contextd'], capabilities: ['fs:read:**'] } },
      keeper: {
        allow: { servers: ['contextd', 'control'], tools: { control: ['audit.*', 'policy.explain'] } },
      },
    },
  })
  home.write('project/notes.txt', 'first line\n')
  runtime = await composeRuntime({ env: home.env, cwd: home.project, control: controlTools })
  http = await serveHttp(runtime)
  base = http.url.replace('/mcp', '/api/v1/')
})
afterEach(async () => {
  await http.close()
  await runtime.close()
  home.remove()
})

interface Body {
  readonly error: { readonly code: string }
  readonly structured: JsonObject
  readonly entries: readonly JsonObject[]
  readonly tools: readonly { readonly name: string }[]
  readonly decision: string
  readonly openapi: string
  readonly paths: JsonObject
}

async function ask(
  agent: string,
  path: string,
  init: Omit<RequestInit, 'headers'> & { json?: unknown; headers?: Record<string, string> } = {},
) {
  const { secret } = runtime.tokens.create(agent, '')
  const { json, headers, ...rest } = init
  const response = await fetch(base + path, {
    ...rest,
    ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }),
    headers: {
      authorization: `Bearer ${secret}`,
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
  })
  return { status: response.status, body: (await response.json()) as Body }
}

describe('a tool by its name', () => {
  test('runs with the arguments in the body, as the agent of the token, and is recorded', async () => {
    const { status, body } = await ask('robot', 'tools/safe_read', { json: { path: 'notes.txt' } })
    expect([status, JSON.stringify(body.structured)]).toEqual([200, expect.stringContaining('first line')])
    const recorded = await ask('keeper', 'audit/query?tool=safe_read')
    expect(recorded.body.entries[0]).toMatchObject({
      agent: 'robot',
      door: 'http',
      decision: 'allow',
      level: 'token',
    })
  })

  test('is refused if the rules deny it, and fails with its own error', async () => {
    const refused = await ask('robot', 'tools/safe_write', { json: { path: 'x', content: 'y' } })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'CAPABILITY_NOT_GRANTED'])
    const wrong = await ask('robot', 'tools/safe_read', { json: { pth: 'notes.txt' } })
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'INVALID_ARGUMENTS'])
    expect((await ask('robot', 'tools/no_such_tool', { json: {} })).status).toBe(404)
  })
})

describe('a read-only call', () => {
  test('is called by its path, with its fields as a query or a body', async () => {
    const path = 'policy/explain?agent=robot&server=contextd&tool=safe_read'
    const explained = await ask('keeper', path)
    expect([explained.status, explained.body.decision]).toEqual([200, 'allow'])
    const posted = await ask('keeper', 'policy/explain', {
      json: { agent: 'robot', server: 'contextd', tool: 'safe_read' },
    })
    expect(posted).toEqual(explained)
    const { body } = await ask('robot', 'tools/list')
    expect(body.tools.map(({ name }) => name)).toContain('safe_read')
  })

  test('is available to agents as far as the rules allow', async () => {
    const refused = await ask('robot', 'audit/query')
    expect([refused.status, refused.body.error.code]).toEqual([403, 'DENIED_BY_POLICY'])
    expect((await ask('keeper', 'config/get?key=http.port')).status).toBe(403)
    expect((await ask('keeper', 'audit/query')).status).toBe(200)
  })
})

test.each([
  ['GET', 'audit/query?limt=5', 400, 'INVALID_REQUEST'],
  ['GET', 'audit/query?limit=many', 400, 'INVALID_REQUEST'],
  ['GET', 'audit/tail', 404, 'NOT_FOUND'],
  ['POST', 'config/set', 404, 'NOT_FOUND'],
  ['GET', 'audit/query/more', 404, 'NOT_FOUND'],
  ['GET', 'audit/%', 404, 'NOT_FOUND'],
  ['GET', '', 404, 'NOT_FOUND'],
  ['DELETE', 'audit/query', 400, 'INVALID_REQUEST'],
])('%s %s is answered with %i %s', async (method, path, status, code) => {
  const { status: got, body } = await ask('keeper', path, { method })
  expect([got, body.error.code]).toEqual([status, code])
})

test('refuses a body that is not a JSON object, too large, or of a type that any web page can send', async () => {
  const send = (body: string, type = 'application/json') =>
    ask('robot', 'tools/safe_read', { method: 'POST', body, headers: { 'content-type': type } })
  for (const body of ['{', '[1]', 'null']) expect((await send(body)).status).toBe(400)
  expect((await send('{"path": "notes.txt"}', 'text/plain')).status).toBe(400)
  expect((await send(`{"path": "${'x'.repeat(5_000_000)}"}`)).status).toBe(413)
  expect((await send('{"path": "notes.txt"}')).status).toBe(200)
})

test('reveals nothing without a token', async () => {
  for (const path of ['tools/list', 'openapi.json', 'nothing']) {
    const response = await fetch(base + path)
    expect([response.status, await response.json()]).toEqual([
      401,
      { error: expect.objectContaining({ code: 'UNAUTHORIZED' }) },
    ])
  }
})

test('serves its own description', async () => {
  const { status, body } = await ask('robot', 'openapi.json')
  expect([status, body.openapi, Object.keys(body.paths)]).toEqual([
    200,
    '3.1.0',
    expect.arrayContaining(['/api/v1/tools/{name}', '/api/v1/audit/query']),
  ])
})
