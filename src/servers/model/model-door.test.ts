import { gzipSync, brotliCompressSync, deflateSync } from 'node:zlib'

import { expect, test } from 'vitest'

import { until } from '../../../test/support/http-connection.ts'
import { askModel, startModelDoor } from '../../../test/support/model-door.ts'
import { messageEvents, messageOf, startModelProvider } from '../../../test/support/model-provider.ts'

const question = { model: 'claude-test', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] }

test('passes a request and its response unchanged', async () => {
  const { base, provider } = await startModelDoor()
  const headers = {
    'anthropic-version': '2023-06-01',
    'anthropic-beta': 'a,b',
    'X-Custom': 'Kept',
    authorization: 'Bearer sk-ant-oat01-aVerySecretLoginToken000',
    'x-contextd-session': 's1',
    'accept-encoding': 'gzip',
  }
  const body = JSON.stringify(question, null, 1)
  provider.answer((response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'request-id': 'req_1' })
    response.end(JSON.stringify(messageOf([{ type: 'text', text: 'Hello.' }]), null, 2))
  })
  const reply = await askModel(`${base()}/v1/messages?beta=true`, { headers, body })
  expect(reply).toMatchObject({ status: 200, isBroken: false })
  expect(reply.text).toBe(JSON.stringify(messageOf([{ type: 'text', text: 'Hello.' }]), null, 2))
  expect(reply.headers['request-id']).toBe('req_1')
  const [seen] = provider.seen
  expect(seen).toMatchObject({ method: 'POST', url: '/v1/messages?beta=true' })
  expect(seen?.body.toString()).toBe(body)
  expect(seen?.headers).toMatchObject({
    'anthropic-version': '2023-06-01',
    'anthropic-beta': 'a,b',
    authorization: headers.authorization,
    'accept-encoding': 'identity',
    host: new URL(provider.url).host,
  })
  expect(seen?.rawHeaders).toContain('X-Custom')
  expect(Object.keys(seen?.headers ?? {}).filter((name) => name.startsWith('x-contextd'))).toEqual([])
})

test('passes a stream incrementally', async () => {
  const { base, provider } = await startModelDoor()
  const events = messageEvents([{ type: 'text', text: 'Hello.' }])
  let goOn = (): void => {}
  provider.answer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(events[0])
    goOn = () => void response.end(events.slice(1).join(''))
  })
  // The rest is sent after the beginning has arrived.
  const onData = (text: string): void => (text === events[0] ? goOn() : undefined)
  const reply = await askModel(`${base()}/v1/messages`, { body: { ...question, stream: true }, onData })
  expect(reply).toMatchObject({ status: 200, isBroken: false, text: events.join('') })
  expect(reply.headers['content-type']).toBe('text/event-stream')
})

test.each([
  ['POST', '/v1/messages/count_tokens', { messages: [] }],
  ['GET', '/v1/models?limit=5', undefined],
  ['HEAD', '/', undefined],
  ['HEAD', '', undefined],
  ['DELETE', '/v1/files/file_1', undefined],
])('passes %s %s', async (method, path, body) => {
  const { base, provider } = await startModelDoor()
  provider.answer((response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 13 })
    response.end('{"tokens": 7}')
  })
  const reply = await askModel(base() + path, { method, ...(body && { body }) })
  expect(reply.status).toBe(200)
  expect(reply.text).toBe(method === 'HEAD' ? '' : '{"tokens": 7}')
  expect(reply.headers['content-length']).toBe('13')
  expect(provider.seen).toMatchObject([{ method, url: path === '' ? '/' : path }])
})

test.each([
  [429, { 'retry-after': '7', 'anthropic-ratelimit-requests-remaining': '0' }],
  [529, {}],
  [401, { 'www-authenticate': 'Bearer' }],
])("passes the provider's status %i with its headers", async (status, headers) => {
  const { base, provider } = await startModelDoor()
  provider.answer((response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end('{"type":"error","error":{"type":"x","message":"y"}}')
  })
  const reply = await askModel(`${base()}/v1/messages`, { body: question })
  expect(reply).toMatchObject({
    status,
    headers,
    text: '{"type":"error","error":{"type":"x","message":"y"}}',
  })
})

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const)('decodes a body in %s', async (encoding, compress) => {
  const { base, provider } = await startModelDoor()
  const body = compress(JSON.stringify(question))
  const headers = { 'content-encoding': encoding }
  expect(await askModel(`${base()}/v1/messages`, { body, headers })).toMatchObject({ status: 200 })
  expect(provider.seen[0]?.body.toString()).toBe(JSON.stringify(question))
  expect(provider.seen[0]?.headers['content-encoding']).toBeUndefined()
})

test('refuses bodies that are unreadable or too large, also after decompression', async () => {
  const { base, provider } = await startModelDoor({ config: 'request_bytes = 2000\n' })
  const url = `${base()}/v1/messages`
  const large = JSON.stringify({ ...question, system: 'x'.repeat(3000) })
  const cases = [
    [413, large, {}],
    [413, gzipSync(large), { 'content-encoding': 'gzip' }],
    [400, 'no gzip', { 'content-encoding': 'gzip' }],
    [415, JSON.stringify(question), { 'content-encoding': 'zstd' }],
    [400, Buffer.from('{"model":"\xff"}', 'latin1'), {}],
    [400, '{"model":', {}],
  ] as const
  for (const [status, body, headers] of cases) {
    const reply = await askModel(url, { body, headers })
    expect(reply.status, String(body).slice(0, 20)).toBe(status)
    expect(JSON.parse(reply.text)).toMatchObject({ type: 'error', error: { message: expect.any(String) } })
  }
  expect(provider.seen).toEqual([])
  expect(await askModel(url, { body: question })).toMatchObject({ status: 200 })
  expect(provider.seen).toHaveLength(1)
})

test('requires a valid key, and reveals nothing else', async () => {
  const { base, runtime, key, provider } = await startModelDoor()
  const ask = (secret: string) => askModel(`${base('anthropic', secret)}/v1/messages`, { body: question })
  const bearer = runtime.tokens.create('main', '').secret
  const other = runtime.modelKeys.create('opencode')
  runtime.modelKeys.revoke(other.id)
  const refused = await Promise.all([ask('nobody'), ask(bearer), ask(other.secret)])
  for (const { status, text } of refused) {
    expect(status).toBe(401)
    expect(text).toBe(refused[0]?.text)
    expect(JSON.parse(text)).toMatchObject({ type: 'error', error: { type: 'authentication_error' } })
  }
  expect(provider.seen).toEqual([])
  expect((await ask(key.secret)).status).toBe(200)
  runtime.modelKeys.revoke(key.id)
  expect((await ask(key.secret)).status).toBe(401)
})

test('a model door key is not valid for other doors', async () => {
  const { http, key, runtime } = await startModelDoor()
  const ask = (secret: string) =>
    askModel(http.url, { body: {}, headers: { authorization: `Bearer ${secret}` } })
  expect((await ask(key.secret)).status).toBe(401)
  expect((await ask(runtime.tokens.create('main', '').secret)).status).not.toBe(401)
})

test('responds only to its own host names', async () => {
  const { base, provider } = await startModelDoor()
  const ask = (headers: Record<string, string>) =>
    askModel(`${base()}/v1/messages`, { body: question, headers })
  for (const headers of [{ host: 'evil.example' }, { origin: 'https://evil.example' }]) {
    const reply = await ask(headers)
    expect(reply.status).toBe(403)
    expect(JSON.parse(reply.text)).toMatchObject({ error: { type: 'permission_error' } })
  }
  expect(provider.seen).toEqual([])
  expect((await ask({ origin: 'http://localhost:3000' })).status).toBe(200)
})

test("is not an open relay: a provider's address comes from the configuration", async () => {
  const { base, key, provider } = await startModelDoor()
  const evil = provider.url.replace('http:', '')
  const root = new URL(base()).pathname
  const tries = [
    [404, `/model/${key.secret}/evil/v1/messages`],
    [404, `/model/${key.secret}/${encodeURIComponent(provider.url)}/v1/messages`],
    [404, `/model/${key.secret}/__proto__/v1/messages`],
    [400, `${root}/${evil}/v1/messages`],
    [400, `${root}/../openai/v1/messages`],
    [400, `${root}/v1%2f..%2fmessages`],
    [400, `${root}/@${evil}`],
    [401, `${provider.url}/v1/messages`],
    [401, `${provider.url}${root}/v1/messages`],
    [401, `${evil}/v1/messages`],
  ] as const
  for (const [status, path] of tries) {
    const reply = await askModel(base(), { body: question, path })
    expect([reply.status, provider.seen.length], path).toEqual([status, 0])
  }
  expect(await askModel(base(), { body: question, path: `${root}/v1/messages` })).toMatchObject({
    status: 200,
  })
})

test('reaches configured providers below their base paths', async () => {
  const { base, provider, home } = await startModelDoor()
  expect(home).toBeDefined()
  const reply = await askModel(`${base('gemini')}/v1beta/models/g:generateContent?key=abc`, {
    body: { contents: [{ parts: [{ text: 'Hi' }] }] },
  })
  expect(reply.status).toBe(200)
  expect(provider.seen).toMatchObject([{ url: '/v1beta/models/g:generateContent?key=abc' }])
})

test("reports an unreachable provider in the provider's format", async () => {
  const { base } = await startModelDoor({
    config: '[model.providers.gone]\nurl = "http://127.0.0.1:9/x"\napi = "openai"\n',
  })
  const reply = await askModel(`${base('gone')}/v1/chat/completions`, { body: { messages: [] } })
  expect(reply.status).toBe(502)
  expect(JSON.parse(reply.text)).toMatchObject({ error: { message: expect.stringContaining('gone') } })
})

test('decompresses an unrequested compressed response', async () => {
  const { base, provider } = await startModelDoor()
  const text = JSON.stringify(messageOf([{ type: 'text', text: 'Hello.' }]))
  provider.answer((response, { url }) => {
    const isKnown = url.startsWith('/v1/messages?known')
    const headers = { 'content-type': 'application/json', 'content-encoding': isKnown ? 'gzip' : 'zstd' }
    response.writeHead(200, headers).end(isKnown ? gzipSync(text) : 'unreadable')
  })
  const reply = await askModel(`${base()}/v1/messages?known`, { body: question })
  expect(reply).toMatchObject({ status: 200, text })
  expect(reply.headers['content-encoding']).toBeUndefined()
  expect(await askModel(`${base()}/v1/messages?other`, { body: question })).toMatchObject({ status: 502 })
})

test("a provider's broken connection breaks the client's too", async () => {
  const { base, provider, runtime } = await startModelDoor()
  const events = messageEvents([{ type: 'text', text: 'Hello.' }])
  const begun = events.slice(0, 4).join('')
  provider.answer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(begun, () => response.destroy())
  })
  const reply = await askModel(`${base()}/v1/messages`, { body: { ...question, stream: true } })
  expect(reply).toMatchObject({ status: 200, isBroken: true, text: begun })
  await until(() => runtime.store.rows('model_usage', { tenant: 'local' }).all().length === 1)
  // The usage reported until then.
  expect(runtime.store.rows('model_usage', { tenant: 'local' }).first()).toMatchObject({
    input_tokens: 10,
    output_tokens: 1,
    cache_read_tokens: 100,
  })
})

test('a client that disconnects ends the request to the provider', async () => {
  const { base, provider, runtime } = await startModelDoor()
  const gone = new AbortController()
  let ended = false
  provider.answer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(messageEvents([])[0])
    response.once('close', () => (ended = true))
  })
  const asked = askModel(`${base()}/v1/messages`, {
    body: question,
    signal: gone.signal,
    onData: () => gone.abort(),
  })
  expect(await asked.catch(() => 'gone')).toBeDefined()
  await until(() => ended)
  const outcomes = (): unknown[] => runtime.store.rows('audit', { tenant: 'local' }).all({ kind: 'outcome' })
  await until(() => outcomes().length === 1)
  expect(outcomes()).toMatchObject([{ error: 'CANCELLED', method: 'model' }])
  expect(runtime.store.rows('model_usage', { tenant: 'local' }).all()).toHaveLength(1)
})

test('gives up when the model takes too long', async () => {
  const { base, provider } = await startModelDoor({ config: 'timeout_ms = 1000\n' })
  provider.answer(() => {})
  const reply = await askModel(`${base()}/v1/messages`, { body: question })
  expect(reply.status).toBe(504)
  expect(JSON.parse(reply.text)).toMatchObject({ type: 'error', error: { type: 'api_error' } })
})

test('uses the current configuration without a restart', async () => {
  const { base, provider, home } = await startModelDoor()
  const other = await startModelProvider()
  const ask = (name: string) => askModel(`${base(name)}/v1/messages`, { body: question })
  expect((await ask('anthropic')).status).toBe(200)
  expect((await ask('work')).status).toBe(404)
  expect([provider.seen.length, other.seen.length]).toEqual([1, 0])
  const changed = `anthropic = "${other.url}"\n[model.providers.work]\nurl = "${other.url}"\napi = "anthropic"\n`
  home.write('config/config.toml', `[http]\nport = 0\n[model]\n${changed}`)
  expect((await ask('anthropic')).status).toBe(200)
  expect((await ask('work')).status).toBe(200)
  expect([provider.seen.length, other.seen.length]).toEqual([1, 2])
  // A typo must not send requests to the vendor's own address.
  home.write('config/config.toml', '[model]\nanthropic = 1\n')
  expect((await ask('anthropic')).status).toBe(200)
  expect([provider.seen.length, other.seen.length]).toEqual([1, 3])
})
