import { once } from 'node:events'
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { doorTools } from '../support/door-tools.ts'
import { grpcDoor, type GrpcDoor } from './grpc-door.ts'

let door: GrpcDoor
let session: ClientHttp2Session

beforeAll(async () => {
  door = await grpcDoor({ tools: doorTools() })
  session = connectHttp2('http://localhost', { createConnection: () => connect(door.socket) })
})
afterAll(async () => {
  session.destroy()
  await door.close()
})

interface Answered {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly trailers: Record<string, unknown>
  readonly body: Buffer
}

async function send(
  path: string,
  body: string | Buffer,
  { ':method': method = 'POST', ...more }: Record<string, string | string[]> & { ':method'?: string } = {},
): Promise<Answered> {
  const stream = session.request({
    ':path': path,
    ':method': method,
    'content-type': 'application/json',
    ...more,
  })
  const answered = once(stream, 'response')
  let trailers = {}
  stream.on('trailers', (found: object) => (trailers = found))
  if (method === 'POST') stream.end(body)
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  const [found] = (await answered) as [Record<string, unknown>]
  return { status: Number(found[':status']), headers: found, trailers, body: Buffer.concat(chunks) }
}

const bash = '/contextd.v1.SafeExec/Bash'
const query = '/contextd.v1.Audit/Query'

test('JSON requests get JSON responses, with the names of ctxd --json', async () => {
  const { status, body } = await send('/contextd.v1.Branch/List', '{"limit": 5}')
  expect([status, JSON.parse(body.toString())]).toEqual([200, { branches: [] }])
  const explained = await send(
    '/contextd.v1.Policy/Explain',
    '{"agent": "main", "server": "contextd", "tool": "safe_read"}',
  )
  expect(JSON.parse(explained.body.toString())).toMatchObject({
    decision: 'allow',
    matched: expect.any(Array),
  })
})

test('security-relevant headers must not be repeated', async () => {
  const list = (agent: string | string[]): Promise<Answered> =>
    send('/contextd.v1.Tools/List', '{}', { 'contextd-agent': agent })
  const { status, body } = await list(['main', 'main'])
  expect([status, body.toString()]).toEqual([400, expect.stringContaining('more than once')])
  expect((await list('main')).status).toBe(200)
})

const mistakes = [
  ['an unknown field', '{"commnd": "hunter2"}', 'has no field commnd'],
  ['a wrong type', '{"timeout_ms": "hunter2"}', 'the field timeout_ms'],
  ['a wrong type inside', '{"env": {"A": {"hunter2": 1}}}', 'the field env'],
  ['invalid JSON', '{"command": hunter2}', 'not JSON'],
  ['no object', '["hunter2"]', 'SafeExecBashRequest'],
  ['invalid UTF-8', Buffer.from('{"command": "hunter2\xFF"}', 'latin1'), 'not JSON'],
] as const

test.each(mistakes)('%s is rejected without quoting the input', async (_, body, said) => {
  const { status, body: answer } = await send(bash, body)
  expect(status).toBe(400)
  const { code, message, details } = JSON.parse(answer.toString()) as {
    code: string
    message: string
    details: { type: string; debug: { code: string; hint: string } }[]
  }
  expect([code, message]).toEqual(['invalid_argument', expect.stringContaining(said)])
  expect(details).toMatchObject([{ type: 'contextd.v1.Error', debug: { code: 'INVALID_REQUEST' } }])
  expect(answer.toString()).not.toContain('hunter2')
})

test.each(mistakes)('%s is rejected in the other JSON formats too', async (_, body) => {
  for (const type of ['application/grpc+json', 'application/grpc-web+json', 'application/connect+json']) {
    const path = type === 'application/connect+json' ? '/contextd.v1.Tools/Execute' : bash
    const {
      headers,
      trailers,
      body: answer,
    } = await send(path, framed(body), { 'content-type': type, te: 'trailers' })
    const all = JSON.stringify([headers, trailers, answer.toString()])
    expect(all).toMatch(/invalid_argument|"grpc-status":"3"|grpc-status: 3/)
    expect(decodeURIComponent(all)).not.toContain('hunter2')
  }
})

function framed(body: string | Buffer): Buffer {
  const bytes = Buffer.from(body)
  const head = Buffer.alloc(5)
  head.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([head, bytes])
}

test('an error is an HTTP status and the error object', async () => {
  const { status, body } = await send('/contextd.v1.Config/Get', '{"key": "no.such"}')
  expect(status).toBeGreaterThanOrEqual(400)
  expect(JSON.parse(body.toString())).toMatchObject({ details: [{ debug: { code: expect.any(String) } }] })
})

test('only POST to existing methods is accepted', async () => {
  expect((await send(`${query}?message={}&encoding=json`, '', { ':method': 'GET' })).status).toBe(404)
  expect((await send(query, '', { ':method': 'GET' })).status).toBe(405)
  expect((await send('/', '{}')).status).toBe(404)
  expect((await send('/contextd.v1.Secrets/List', '{}')).status).toBe(404)
  expect((await send(query, 'x', { 'content-type': 'text/plain' })).status).toBe(415)
  expect((await send(query, '{}')).status).toBe(200)
})

test('compressed requests are not decompressed', async () => {
  const { status, body } = await send(query, gzipSync('{}'), { 'content-encoding': 'gzip' })
  expect([status, JSON.parse(body.toString())]).toMatchObject([501, { code: 'unimplemented' }])
})

test('a client timeout applies here too', async () => {
  const { status, body } = await send('/contextd.v1.Tools/Call', '{"name": "wait"}', {
    'connect-timeout-ms': '300',
  })
  expect([status, JSON.parse(body.toString())]).toMatchObject([504, { code: 'deadline_exceeded' }])
})
