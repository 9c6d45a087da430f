import type { ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'

import { expect, onTestFinished, test, vi } from 'vitest'

import { makeAuthority } from '../../../test/support/certificates.ts'
import { until } from '../../../test/support/http-connection.ts'
import { askModel, startModelDoor, type ModelReply } from '../../../test/support/model-door.ts'
import {
  messageEvents,
  messageOf,
  messageUsage,
  startModelProvider,
} from '../../../test/support/model-provider.ts'
import { sendRaw, statusOf } from '../../../test/support/raw-http.ts'

const question = { model: 'claude-test', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] }

async function portOf(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

/** A provider that answers every request with these bytes. */
async function startRawProvider(answer: string): Promise<string> {
  const server = createServer((socket) => socket.once('data', () => socket.write(answer)))
  return `http://127.0.0.1:${await portOf(server)}`
}

function behind(url: string): { config: string } {
  return { config: `[model.providers.raw]\nurl = "${url}"\napi = "anthropic"\n` }
}

/** A stream whose tool call does not end. */
function eventsOfTool(start: string, length: number): string {
  const events = messageEvents([
    { type: 'tool_use', id: 't', name: 'Write', input: start + 'x'.repeat(length / 100) },
  ])
  return events.slice(0, -3).join('')
}

const whole = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'

test.each([
  [
    'switches to another protocol',
    'HTTP/1.1 101 S\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    502,
  ],
  ['sends two lengths', whole.replace('\r\n\r\n', '\r\nTransfer-Encoding: chunked\r\n\r\n'), 502],
  ['speaks no HTTP', 'hello\r\n\r\n', 502],
  ['has the status 000', whole.replace('200', '000'), 502],
  ['has the status 099', whole.replace('200', '099'), 502],
  ['gives a reason that is no text', whole.replace('OK', 'O\u0001\u007fK'), 502],
  ['gives another reason', whole.replace('OK', "Isn't it"), 200],
  ['sends hints first', `HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${whole}`, 200],
  ['sends a second answer', `${whole}${whole.replace('{}', '[]')}`, 200],
])('a provider that %s', async (_what, answer, status) => {
  const { base } = await startModelDoor(behind(await startRawProvider(answer)))
  const reply = await askModel(`${base('raw')}/v1/messages`, { body: question })
  expect(reply.status).toBe(status)
  if (status === 200) expect(reply.text).toBe('{}')
})

test.each([300, 301, 302, 303, 307, 308])(
  'a client that follows redirects takes no request past the door: %i',
  async (status) => {
    const elsewhere = await startModelProvider()
    const { base, provider } = await startModelDoor()
    provider.answer((response) => {
      response.writeHead(status, { location: `${elsewhere.url}/v1/messages` })
      response.end()
    })
    const post = (url: string): Promise<Response> =>
      fetch(`${url}/v1/messages`, { method: 'POST', body: JSON.stringify(question) })
    const reply = await post(base())
    expect(reply.status).toBe(502)
    expect(await reply.text()).toContain('it redirects to another address')
    expect(provider.seen).toHaveLength(1)
    expect(elsewhere.seen).toEqual([])
    // Without the door, the client follows it.
    await post(provider.url)
    expect(elsewhere.seen).toHaveLength(status === 300 ? 0 : 1)
  },
)

test('supports client caching', async () => {
  const { base, provider } = await startModelDoor()
  provider.answer((response) => response.writeHead(304, { etag: '"1"' }).end())
  const reply = await askModel(`${base()}/v1/models`, { method: 'GET', headers: { 'if-none-match': '"1"' } })
  expect(reply).toMatchObject({ status: 304, headers: { etag: '"1"' } })
})

test('a provider cannot redirect an upload to another address', async () => {
  const elsewhere = await startModelProvider()
  const { base, provider } = await startModelDoor()
  provider.answer((response) => {
    response.writeHead(200, {
      'x-goog-upload-url': `${elsewhere.url}/upload`,
      'x-goog-upload-status': 'active',
    })
    response.end()
  })
  const start = (url: string): Promise<Response> =>
    fetch(`${url}/upload/v1beta/files`, { method: 'POST', body: '{}' })
  const { headers } = await start(base('gemini'))
  expect(headers.get('x-goog-upload-status')).toBe('active')
  expect(headers.get('x-goog-upload-url')).toBeNull()
  expect((await start(provider.url)).headers.get('x-goog-upload-url')).toBe(`${elsewhere.url}/upload`)
})

test('verifies certificates even if the environment disables that', async () => {
  const server = createTlsServer(makeAuthority().issue('127.0.0.1'), (_request, response) =>
    response.end('{}'),
  )
  const url = `https://127.0.0.1:${await portOf(server)}`
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  onTestFinished(() => void vi.unstubAllEnvs())
  // The setting applies to other programs.
  expect((await fetch(url)).status).toBe(200)
  const { base } = await startModelDoor(behind(url))
  const reply = await askModel(`${base('raw')}/v1/messages`, { body: question })
  expect(reply.status).toBe(502)
  expect(reply.text).toContain('UNABLE_TO_VERIFY_LEAF_SIGNATURE')
})

test.each(['gzip, chunked', 'chunked'])('a body with the transfer encoding %s', async (encoding) => {
  const { base, provider } = await startModelDoor()
  const { pathname } = new URL(base())
  const body = JSON.stringify(question)
  const head = `POST ${pathname}/v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nTransfer-Encoding: ${encoding}`
  const answer = await sendRaw(base(), `${head}\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)
  const isPlain = encoding === 'chunked'
  expect(statusOf(answer)).toBe(isPlain ? 200 : 415)
  expect(provider.seen).toHaveLength(isPlain ? 1 : 0)
})

test.each([true, false])('a stream whose key is revoked ends at the next sweep: %s', async (isRevoked) => {
  const { base, provider, runtime, http, key } = await startModelDoor()
  const events = messageEvents([{ type: 'text', text: 'Hello.' }])
  let goOn = (): void => {}
  provider.answer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(events[0])
    goOn = () => void response.end(events.slice(1).join(''))
  })
  const onData = (text: string): void => {
    if (text !== events[0]) return
    if (isRevoked) runtime.modelKeys.revoke(key.id)
    void http.sweep().then(goOn)
  }
  const reply = await askModel(`${base()}/v1/messages`, { body: { ...question, stream: true }, onData })
  expect(reply.isBroken).toBe(isRevoked)
  expect(reply.text).toBe(isRevoked ? events[0] : events.join(''))
})

const tokensOfOne = Object.values(messageUsage).reduce((sum, tokens) => sum + tokens, 0)
const allow = { servers: ['contextd'] }

test('agents without attestation share the limit of the default agent', async () => {
  const limits = { model_tokens_per_session: 2 * tokensOfOne }
  const { base } = await startModelDoor({
    rules: { agents: { main: { allow }, default: { allow, limits } } },
  })
  const ask = async (headers: Record<string, string>): Promise<number> =>
    (await askModel(`${base()}/v1/messages`, { body: question, headers })).status
  const session = { 'x-claude-code-session-id': 's1' }
  const statuses: number[] = []
  for (const agent of ['a', 'b', 'c']) {
    statuses.push(await ask({ ...session, 'x-claude-code-agent-id': agent }))
  }
  expect(statuses).toEqual([200, 200, 429])
  expect(await ask(session)).toBe(200)
})

test.each(['-1000000', '1e400', '0.5', '9007199254740993'])(
  'a provider that reports %s tokens does not lift the limit',
  async (reported) => {
    const limits = { model_tokens_per_session: 1 }
    const { base, provider } = await startModelDoor({ rules: { agents: { main: { allow, limits } } } })
    const text = JSON.stringify(messageOf([])).replace(/("input_tokens":)\d+/, `$1${reported}`)
    provider.answer((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(text)
    })
    const headers = { 'x-claude-code-session-id': 's1' }
    const ask = async (): Promise<number> =>
      (await askModel(`${base()}/v1/messages`, { body: question, headers })).status
    expect([await ask(), await ask(), await ask()]).toEqual([200, 429, 429])
  },
)

test.each([true, false])('limits the decoded bytes in flight for one key: %s', async (isLarge) => {
  const { base, provider } = await startModelDoor({ config: 'request_bytes = 2000\n' })
  const waiting: ServerResponse[] = []
  provider.answer((response) => void waiting.push(response))
  const body = gzipSync(JSON.stringify({ ...question, system: 'x'.repeat(isLarge ? 1800 : 18) }))
  const ask = (): Promise<ModelReply> =>
    askModel(`${base()}/v1/messages`, { body, headers: { 'content-encoding': 'gzip' } })
  const first = Array.from({ length: 15 }, ask)
  await until(() => waiting.length === first.length)
  const next = Array.from({ length: 3 }, ask)
  if (isLarge) {
    expect(await Promise.race(next)).toMatchObject({ status: 429, headers: { connection: 'close' } })
  } else {
    await until(() => waiting.length === first.length + next.length)
  }
  provider.answer((response) => response.end())
  for (const response of waiting) response.end()
  expect((await Promise.all(first)).map(({ status }) => status)).toEqual(first.map(() => 200))
  await Promise.all(next)
  // Answered requests use no memory.
  expect((await ask()).status).toBe(200)
})

test.each([
  ['a whole response', 'application/json', `{"content":"${'x'.repeat(40_000)}`, true],
  ['an event', 'text/event-stream', `data: ${'x'.repeat(40_000)}`, true],
  ['a tool input', 'text/event-stream', eventsOfTool('[SECRET_1]', 40_000), true],
  ['a tool input without a token', 'text/event-stream', eventsOfTool('x', 40_000), false],
  ['events', 'text/event-stream', `data: ${'x'.repeat(400)}\n\n`.repeat(100), false],
  ['another body', 'text/plain', 'x'.repeat(40_000), false],
])('limits the buffered response bytes of one key: %s', async (_what, type, text, isHeld) => {
  const { base, provider } = await startModelDoor({ config: 'request_bytes = 2000\n' })
  provider.answer((response) => {
    response.writeHead(200, { 'content-type': type })
    response.write(text)
    if (!isHeld) response.end()
  })
  const reply = await askModel(`${base()}/v1/messages`, { body: question })
  expect(reply.isBroken).toBe(isHeld)
  if (!isHeld) expect(reply.text).toBe(text)
  provider.answer((response) => response.end())
  expect((await askModel(`${base()}/v1/messages`, { body: question })).isBroken).toBe(false)
})

const secret = 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'
const messages = `[{"role":"user","content":"${secret}"}]`
const document = Buffer.from(`${'line\n'.repeat(20)}token = ${secret}\n`).toString('base64')
const source = (data: string): string =>
  JSON.stringify({ messages: [{ role: 'user', content: [{ type: 'document', source: base64Text(data) }] }] })
const base64Text = (data: string) => ({ type: 'base64', media_type: 'text/plain', data })
const escaped = Array.from(secret, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join('')

/** Whether a body contains the secret, literally or after a provider's decoding. */
function hasSecret(body: string): boolean {
  const unescaped = body.replaceAll(/\\u([0-9a-f]{4})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  const plain = unescaped.replaceAll('\0', '')
  const data = /"data":"([^"]*)"/.exec(plain)?.[1]?.replaceAll('\\n', '') ?? ''
  return plain.includes(secret) || Buffer.from(data, 'base64').includes(secret)
}

test.each([
  ['a name that is there twice', `{"messages":1,"messages":${messages}}`, 200],
  ['the same in the other order', `{"messages":${messages},"messages":1}`, 200],
  ['a block that is text in the end', signed('"type":"thinking","type":"text"'), 200],
  ["a signed block that is not the model's", signed('"type":"thinking"').replace('assistant', 'user'), 200],
  ['names in escapes', `{"m\\u0065ssages":[{"r\\u006fle":"user","cont\\u0065nt":"${secret}"}]}`, 200],
  ['a value in escapes', `{"messages":[{"role":"user","content":"${escaped}"}]}`, 200],
  ['a NUL within', `{"messages":["${secret.slice(0, 20)}\\u0000${secret.slice(20)}"]}`, 200],
  ['half a character', `{"messages":["\\ud800${secret}"]}`, 200],
  ['a secret as a name', `{"messages":[],"${secret}":1}`, 200],
  ['another root', `["${secret}"]`, 200],
  ['very many texts', `{"messages":[${'"a",'.repeat(100_000)}"${secret}"]}`, 200],
  ['a document in base64', source(document), 200],
  ['base64 in lines', source(document.replaceAll(/.{60}/g, '$&\n')), 200],
  ['deep nesting', `{"messages":${'['.repeat(600)}"${secret}"${']'.repeat(600)}}`, 400],
  ['more behind the JSON', `{"messages":[]} ${messages}`, 400],
  ['lines of JSON', `{"messages":[]}\n{"messages":${messages}}`, 400],
  ['a byte order mark', `\ufeff{"messages":${messages}}`, 400],
  ['a comment', `{"messages":/**/${messages}}`, 400],
  ['a line break in a string', `{"messages":["\n${secret}"]}`, 400],
  ['an unknown escape', `{"messages":["\\x${secret}"]}`, 400],
])('leaks no secret with %s', async (_what, body, status) => {
  expect(hasSecret(body)).toBe(true)
  const { base, provider } = await startModelDoor()
  expect((await askModel(`${base()}/v1/messages`, { body })).status).toBe(status)
  expect(provider.seen).toHaveLength(status === 200 ? 1 : 0)
  expect(provider.seen.some((request) => hasSecret(request.body.toString()))).toBe(false)
})

function signed(type: string): string {
  return `{"messages":[{"role":"assistant","content":[{${type},"text":"${secret}"}]}]}`
}

const encoded = Array.from(secret, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')

test.each([
  [`/v1/models/${secret}`, 400],
  [`/v1/models/${encoded}`, 400],
  [`/v1/models?after=${encoded}`, 400],
  [`/v1/models?after=${encoded.replaceAll('%', '%25')}`, 400],
  [`/v1/models?after=${encodeURIComponent(Buffer.from(`token ${secret}`).toString('base64'))}`, 400],
  [`/v1/models?after=claude-1`, 200],
])('leaks no secret in the address %s', async (path, status) => {
  const { base, provider } = await startModelDoor()
  const target = new URL(base()).pathname + path
  expect((await askModel(base(), { method: 'GET', path: target })).status).toBe(status)
  expect(provider.seen).toHaveLength(status === 200 ? 1 : 0)
})

const line = 'HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n'
const text = JSON.stringify(question)
const chunks = `${text.length.toString(16)}\r\n${text}\r\n0\r\n`

test.each([
  ['two lengths', `Content-Length: ${text.length}\r\nContent-Length: 3\r\n\r\n${text}`, 400],
  ['a list of lengths', `Content-Length: ${text.length}, ${text.length}\r\n\r\n${text}`, 400],
  ['a signed length', `Content-Length: +${text.length}\r\n\r\n${text}`, 400],
  ['a length and chunks', `Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n${chunks}\r\n`, 400],
  ['a space before the colon', `Transfer-Encoding : chunked\r\n\r\n${chunks}\r\n`, 400],
  ['two encodings', `Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n${chunks}\r\n`, 400],
  ['a folded header', `X-A: b\r\n c: d\r\nContent-Length: ${text.length}\r\n\r\n${text}`, 400],
  ['a length', `Content-Length: ${text.length}\r\n\r\n${text}`, 200],
  ['chunks and a trailer', `Transfer-Encoding: chunked\r\n\r\n${chunks}X-T: ${secret}\r\n\r\n`, 200],
])('a request with %s', async (_what, rest, status) => {
  const { base, provider } = await startModelDoor()
  const answer = await sendRaw(base(), `POST ${new URL(base()).pathname}/v1/messages ${line}${rest}`)
  expect(statusOf(answer)).toBe(status)
  expect(provider.seen).toHaveLength(status === 200 ? 1 : 0)
  if (status === 200) expect(provider.seen[0]?.body.toString()).toBe(text)
  expect(JSON.stringify(provider.seen)).not.toContain(secret)
})
