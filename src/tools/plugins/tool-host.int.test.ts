import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test as anyTest } from 'vitest'

import { sandboxHere } from '../../../test/support/sandbox-here.ts'
import { secret } from '../../../test/support/door-tools.ts'
import { dataOf, errorIn, toolRuntime, type ToolRuntime } from '../../../test/support/tool-runtime.ts'
import { until } from '@contextd/shared/testing/until'
import type { Call } from '../../core/call.ts'
import type { Json } from '@contextd/shared/json/value'

const test = anyTest.runIf(sandboxHere)

let web: Server
let other: Server
let place: ToolRuntime
const portOf = (server: Server): number => (server.address() as AddressInfo).port
const as = (agent: string): Partial<Call> => ({ claims: { environment: agent } })

beforeAll(async () => {
  other = createServer((_, response) => response.end('from the other')).listen(0, '127.0.0.1')
  web = createServer(({ url, headers }, response) => {
    if (url === '/elsewhere')
      response.writeHead(302, { location: `http://127.0.0.1:${portOf(other)}/` }).end()
    else response.end(`hello ${String(headers['x-name'])}`)
  }).listen(0, '127.0.0.1')
  await Promise.all([web, other].map((server) => new Promise((resolve) => server.once('listening', resolve))))
  const hosts = [web, other].map((server) => `http:fetch:127.0.0.1:${portOf(server)}`)
  const allow = { servers: ['contextd'] }
  place = await toolRuntime({
    rules: {
      agents: {
        default: { allow: { ...allow, capabilities: ['fs:read:**', 'fs:write:**', ...hosts] } },
        offline: { allow: { ...allow, capabilities: ['fs:read:**'] } },
        narrow: { allow: { ...allow, capabilities: ['fs:read:docs/**'] } },
        careful: {
          allow: { ...allow, capabilities: ['fs:read:**'] },
          deny: { capabilities: ['fs:read:src/private/**'] },
        },
      },
      defaults: { deny_on_missing_agent: false },
    },
  })
  for (const folder of ['src/private', 'docs']) mkdirSync(join(place.project, folder), { recursive: true })
  writeFileSync(join(place.project, 'src/a.txt'), 'plain ')
  writeFileSync(join(place.project, 'src/private/b.txt'), 'private')
})
afterAll(async () => {
  await place.close()
  for (const server of [web, other]) server.close()
})

/** One request over descriptor 3, its answer on standard output. */
function ask(method: string, params: Json): string {
  const line = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return `cat >/dev/null; printf '%s\\n' ${JSON.stringify(line).replaceAll('$', '\\$')} >&3; IFS= read -r answer <&3; printf '%s' "$answer"`
}

describe('secrets', () => {
  test('that a tool lets out are masked by us, and the record says so', async () => {
    await place.approved({ name: 'leaky', script: `echo 'token: ${secret}'` })
    await place.approved({ name: 'clean', script: `echo 'token: none'` })
    expect(JSON.stringify(dataOf(await place.call('leaky')))).toContain('token: [SECRET_')
    dataOf(await place.call('clean'))
    const [clean, leaky] = place.records.audit.query({ kind: 'call', limit: 2 })
    expect([leaky?.tool, leaky?.found_c2, clean?.tool, clean?.found_c2]).toEqual(['leaky', 1, 'clean', 0])
    expect(place.records.audit.query({ leaks: true }).map(({ tool }) => tool)).toContain('leaky')
  })

  test('that a tool has masked itself do not count as let out', async () => {
    await place.approved({
      name: 'tidy',
      required: ['scrubber:scan'],
      script: ask('scrub', { text: secret }),
    })
    expect(JSON.stringify(dataOf(await place.call('tidy')))).toMatch(/\[SECRET_\d+\]/)
    const [tidy] = place.records.audit.query({ kind: 'call', limit: 1 })
    expect([tidy?.tool, tidy?.found_c1, tidy?.found_c2]).toEqual(['tidy', 1, 0])
  })

  test('that a tool writes to standard error are masked too', async () => {
    await place.approved({ name: 'angry', script: `echo 'cannot use ${secret}' >&2; exit 1` })
    const text = JSON.stringify(await place.call('angry'))
    expect(text).toContain('cannot use [SECRET_')
    expect(text).not.toContain(secret)
  })
})

describe('the web', () => {
  const url = (path: string): string => `http://127.0.0.1:${portOf(web)}${path}`
  const required = (): string[] => [`http:fetch:127.0.0.1:${portOf(web)}`]

  test('is reached where the tool was approved for it', async () => {
    const script = ask('fetch', { url: url('/'), headers: { 'x-name': 'tool' } })
    await place.approved({ name: 'fetcher', required: required(), script })
    expect(dataOf(await place.call('fetcher'))).toMatchObject({ result: { status: 200, body: 'hello tool' } })
  })

  test('is not reached elsewhere, not even by a redirect to where the agent may go', async () => {
    const elsewhere = url('/elsewhere')
    await place.approved({ name: 'astray', required: required(), script: ask('fetch', { url: elsewhere }) })
    expect(dataOf(await place.call('astray'))).toMatchObject({
      error: { data: { code: 'HOST_NOT_GRANTED' } },
    })
    // The agent itself may follow it.
    expect(JSON.stringify(dataOf(await place.call('http_fetch', { url: elsewhere })))).toContain(
      'from the other',
    )
  })

  test('is not there for a tool without it, or for an agent without it', async () => {
    await place.approved({ name: 'poor', script: ask('fetch', { url: url('/') }) })
    expect(dataOf(await place.call('poor'))).toMatchObject({ error: { data: { code: 'HOST_NOT_GRANTED' } } })
    await place.approved({ name: 'fetcher', required: required(), script: ask('fetch', { url: url('/') }) })
    expect(await place.listed(as('offline'))).not.toContain('fetcher')
    expect(errorIn(await place.call('fetcher', {}, as('offline')))).toMatchObject({
      code: 'CAPABILITY_NOT_GRANTED',
    })
    expect(await place.listed()).toContain('fetcher')
  })
})

describe('an agent that may do less than the tool', () => {
  const script = 'cd "$CONTEXTD_WORKSPACE/src"; cat a.txt private/b.txt 2>/dev/null; true'

  test('does not get more through it', async () => {
    await place.approved({ name: 'reader', required: ['fs:read:src/**'], script })
    expect(dataOf(await place.call('reader', {}, as('offline')))).toBe('plain private')
    expect(dataOf(await place.call('reader', {}, as('careful')))).toBe('plain ')
    expect(errorIn(await place.call('reader', {}, as('narrow')))).toMatchObject({
      code: 'CAPABILITY_NOT_GRANTED',
      message: 'Agent narrow is not granted fs:read:src/**',
    })
  })
})

describe('a tool that floods its descriptor', () => {
  const line = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'progress', params: { progress: 1 } })
  const script = `perl -e 'open(my $fd, ">&=", 3); syswrite($fd, q(${line}) . "\\n") while 1'`

  test('ends when its time is over', async () => {
    await place.approved({ name: 'brief', limits: 'max_execution_time = "1500ms"', script })
    expect(errorIn(await place.call('brief'))).toMatchObject({ code: 'TOOL_FAILED', limit: 'time' })
  })

  test('affects only itself', async () => {
    await place.approved({ name: 'flood', limits: 'max_execution_time = "600s"', script })
    await place.approved({ name: 'calm', script: 'echo calm' })
    const enough = new AbortController()
    let floods = 0
    const onProgress = (): void => void (floods += 1)
    const flooding = place.call('flood', {}, { signal: enough.signal, onProgress })
    await until(() => floods > 0)
    for (let calls = 0; calls < 3; calls++) expect(dataOf(await place.call('calm'))).toBe('calm\n')
    enough.abort()
    expect(errorIn(await flooding)).toMatchObject({ code: 'CANCELLED' })
  })

  test('or never ends its line is cut off, and the record says so', async () => {
    await place.approved({
      name: 'endless',
      script: `perl -e '$SIG{PIPE} = "IGNORE"; open(my $fd, ">&=", 3); 1 while syswrite($fd, "x" x 65536); print "cut off"'`,
    })
    expect(dataOf(await place.call('endless'))).toBe('cut off')
    const [record] = place.records.audit.query({ kind: 'call', tool: 'endless' })
    expect(record?.notes).toEqual(['endless sent a line longer than 1048576 bytes'])
  })
})

test('a tool gets a clear error for a feature that is not available', async () => {
  await place.approved({
    name: 'rememberer',
    required: ['memory:read'],
    script: ask('memory.search', { query: 'x' }),
  })
  expect(errorIn(await place.call('rememberer')).code).toBe('CAPABILITY_NOT_GRANTED')
  await place.approved({ name: 'mystery', script: ask('reveal', { text: 'x' }) })
  expect(dataOf(await place.call('mystery'))).toMatchObject({ error: { code: -32601 } })
})

test('a state folder in the workspace stays hidden, and the refusal says how to move it', async () => {
  const inner = await toolRuntime({ homeIn: 'project' })
  try {
    await inner.approved({ name: 'reader', required: ['fs:read:**'], script: 'echo read' })
    await inner.approved({ name: 'blind', script: 'echo blind' })
    expect(errorIn(await inner.call('reader'))).toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      hint: expect.stringContaining('CONTEXTD_HOME') as string,
    })
    expect(dataOf(await inner.call('blind'))).toBe('blind\n')
  } finally {
    await inner.close()
  }
})

test('what a tool may not reach is recorded as refused', async () => {
  await place.approved({ name: 'curious', script: ask('fetch', { url: 'http://evil.example/hush' }) })
  expect(dataOf(await place.call('curious'))).toMatchObject({ error: { data: { code: 'HOST_NOT_GRANTED' } } })
  const [record] = place.records.audit.query({ kind: 'event', event: 'http-request' })
  expect(record?.details).toMatchObject({ host: 'evil.example', outcome: 'not_granted' })
})
