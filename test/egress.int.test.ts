import { createServer } from 'node:http'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { composeRuntime, type Runtime } from '../src/compose.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { answer } from '../src/core/result.ts'
import { listenOnPort } from '../src/servers/limits/listen.ts'
import { aTool } from './support/door-tools.ts'
import { sampleSecrets } from './support/registry.ts'
import { sandboxHere } from './support/sandbox-here.ts'
import { makeTempHome, type TempHome } from './support/temp-home.ts'
import { webServers } from './support/web-servers.ts'

const [secret = ''] = sampleSecrets(1)
const { serve } = webServers()
const client = { name: 'test', version: '1', door: 'stdio' } as const

let home: TempHome
let runtime: Runtime | undefined

beforeEach(() => {
  home = makeTempHome()
})
afterEach(async () => {
  await runtime?.close()
  home.remove()
})

/** What reached the second of two granted hosts when the first, which may receive the secret, redirects to it. */
async function reachedAfter(carried: (value: string) => string): Promise<{ seen: string[]; reply: string }> {
  const seen: string[] = []
  const second = await serve((request, response) => {
    seen.push(request.url ?? '')
    response.end('arrived')
  })
  const first = await serve((request, response) => {
    const value = new URL(request.url ?? '', 'http://first').searchParams.get('k') ?? ''
    response.writeHead(302, { location: `http://127.0.0.1:${second}/${carried(value)}` }).end(`got ${value}`)
  })
  const hosts = [first, second].map((port) => `http:fetch:127.0.0.1:${port}`)
  home.write('config/rules.json', {
    agents: {
      main: {
        allow: { servers: ['contextd'], capabilities: ['secret:reveal', ...hosts] },
        reveal: [{ tool: 'http_fetch', host: `127.0.0.1:${first}` }],
      },
    },
    defaults: { deny_on_missing_agent: false },
  })
  const tools = [aTool('show', async () => answer(`the key is ${secret}`))]
  runtime = await composeRuntime({ env: home.env, cwd: home.project, agent: 'main', tools })
  const { newCall, handle, sessions } = runtime
  const session = sessions.begin(client)
  const call = async (tool: string, args: JsonObject): Promise<string> => {
    const { signal } = new AbortController()
    const made = newCall({ method: 'tool', tool, arguments: args, session, client, claims: {}, signal })
    return JSON.stringify(await handle(made))
  }
  expect(await call('show', {})).toContain('[SECRET_1]')
  const reply = await call('http_fetch', { url: `http://127.0.0.1:${first}/?k=[SECRET_1]` })
  expect(reply).not.toContain(secret)
  return { seen, reply }
}

test.each<[string, (value: string) => string]>([
  ['as it is', (value) => `?k=${value}`],
  ['percent-encoded', (value) => `?k=${Buffer.from(value).toString('hex').replace(/../g, '%$&')}`],
  ['in base64', (value) => Buffer.from(value).toString('base64url')],
])('a secret that was revealed to one host follows no redirect to another (%s)', async (_, carried) => {
  const { seen, reply } = await reachedAfter(carried)
  expect(seen).toEqual([])
  expect(reply).toContain('not followed: another origin would get a secret of this call')
})

test('a redirect without the secret is followed', async () => {
  const { seen, reply } = await reachedAfter((value) => `?length=${value.length}`)
  expect(seen).toEqual([`/?length=${secret.length}`])
  expect(reply).toContain('arrived')
})

test("a port of contextd is reached by no grant, the same one without contextd's mark is", async () => {
  const door = createServer((_request, response) => response.end('arrived'))
  const address = await listenOnPort(door, { host: '127.0.0.1', port: 0 })
  const port = Number(address.split(':')[1])
  home.write('config/rules.json', {
    agents: {
      main: { allow: { capabilities: ['shell:exec', 'fs:read', `http:fetch:127.0.0.1:${port}`] } },
    },
    defaults: { deny_on_missing_agent: false },
  })
  runtime = await composeRuntime({ env: home.env, cwd: home.project, agent: 'main' })
  const { newCall, handle, sessions } = runtime
  const session = sessions.begin(client)
  const call = async (tool: string, args: JsonObject): Promise<string> => {
    const { signal } = new AbortController()
    const made = newCall({ method: 'tool', tool, arguments: args, session, client, claims: {}, signal })
    return JSON.stringify(await handle(made))
  }
  const replies = async (): Promise<string[]> => {
    const url = `http://127.0.0.1:${port}/`
    const fetched = await call('http_fetch', { url })
    return sandboxHere
      ? [
          fetched,
          await call('safe_bash', { command: `curl -sS ${url}` }),
          await call('safe_bash', { command: `curl -sSp ${url}` }),
        ]
      : [fetched]
  }
  for (const reply of await replies()) {
    expect(reply).toContain('the port belongs to contextd')
    expect(reply).not.toContain('arrived')
    expect(reply).not.toContain('The user can add')
  }
  await new Promise((resolve) => door.close(resolve))
  const other = createServer((_request, response) => response.end('arrived'))
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  try {
    for (const reply of await replies()) expect(reply).toContain('arrived')
  } finally {
    other.closeAllConnections()
    await new Promise((resolve) => other.close(resolve))
  }
})
