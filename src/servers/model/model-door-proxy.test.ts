import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, Socket, type AddressInfo } from 'node:net'

import { expect, test } from 'vitest'

import { makeAuthority, trustInThisProcess } from '../../../test/support/certificates.ts'
import { startConnectProxy } from '../../../test/support/connect-proxy.ts'
import { askModel, bytesBelow, startModelDoor, type DoorFixture } from '../../../test/support/model-door.ts'
import { startModelProvider, type ModelProvider } from '../../../test/support/model-provider.ts'
import { createModelAgents } from './agents.ts'
import { createModelForwarder } from './forward.ts'
import { createProxyChoice } from './proxy.ts'

const question = { model: 'claude-test', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] }

const authority = makeAuthority()

interface Fixture extends DoorFixture {
  readonly far: ModelProvider
  readonly target: string
  readonly ask: (body?: object) => ReturnType<typeof askModel>
}

/** The provider has an address of this machine that is not loopback, so that a proxy is used. */
async function startBehindProxy(env: NodeJS.ProcessEnv, setting?: string): Promise<Fixture> {
  trustInThisProcess(authority)
  const far = await startModelProvider(authority.issue('0.0.0.0'))
  const target = `0.0.0.0:${new URL(far.url).port}`
  const proxy = setting === undefined ? '' : `proxy = "${setting}"\n`
  const config = `${proxy}[model.providers.far]\nurl = "https://${target}"\napi = "anthropic"\n`
  const door = await startModelDoor({ config, env })
  const ask = (body: object = question) => askModel(`${door.base('far')}/v1/messages`, { body })
  return { ...door, far, target, ask }
}

test('requests to an https provider share one tunnel', async () => {
  const proxy = await startConnectProxy()
  const { ask, far, target } = await startBehindProxy({ HTTPS_PROXY: `http://${proxy.host}` })
  for (const _ of [1, 2, 3]) expect(await ask()).toMatchObject({ status: 200, isBroken: false })
  expect(far.seen).toHaveLength(3)
  expect(proxy.seen).toMatchObject([{ target, headers: { host: target } }])
  expect(proxy.seen[0]?.headers['proxy-authorization']).toBeUndefined()
  // The proxy sees only encrypted data.
  expect(proxy.passed().length).toBeGreaterThan(0)
  expect(proxy.passed().includes('claude-test')).toBe(false)
})

test('supports a TLS connection to the proxy', async () => {
  const proxy = await startConnectProxy({ certified: authority.issue('localhost') })
  const { ask, far, target } = await startBehindProxy({ HTTPS_PROXY: `https://localhost:${proxy.port}` })
  for (const _ of [1, 2]) expect(await ask()).toMatchObject({ status: 200, isBroken: false })
  expect(far.seen).toHaveLength(2)
  expect(proxy.seen).toMatchObject([{ target }])
})

test.each([
  ['NO_PROXY', { NO_PROXY: 'other.example,0.0.0.0' }, undefined],
  ['the setting none', {}, 'none'],
])('with %s, requests go directly', async (_, env, setting) => {
  const proxy = await startConnectProxy()
  const { ask, far } = await startBehindProxy({ HTTPS_PROXY: `http://${proxy.host}`, ...env }, setting)
  expect(await ask()).toMatchObject({ status: 200 })
  expect(far.seen).toHaveLength(1)
  expect(proxy.seen).toEqual([])
})

test('the configured proxy overrides the one in the environment', async () => {
  const [configured, other] = [await startConnectProxy(), await startConnectProxy()]
  const env = { HTTPS_PROXY: `http://${other.host}` }
  const { ask } = await startBehindProxy(env, `http://${configured.host}`)
  expect(await ask()).toMatchObject({ status: 200 })
  expect(configured.seen).toHaveLength(1)
  expect(other.seen).toEqual([])
})

test('never uses a proxy for a provider on this machine', async () => {
  const proxy = await startConnectProxy()
  const { base, provider } = await startBehindProxy({
    HTTP_PROXY: `http://${proxy.host}`,
    ALL_PROXY: `http://${proxy.host}`,
  })
  expect(await askModel(`${base()}/v1/messages`, { body: question })).toMatchObject({ status: 200 })
  expect(provider.seen).toHaveLength(1)
  expect(proxy.seen).toEqual([])
})

test('sends credentials only to the proxy', async () => {
  const proxy = await startConnectProxy()
  const password = 'Xq7-tunnel@Passw0rd-93'
  const basic = Buffer.from(`me:${password}`).toString('base64')
  const env = { HTTPS_PROXY: `http://me:${encodeURIComponent(password)}@${proxy.host}` }
  const { ask, far, home, logged } = await startBehindProxy(env)
  // No rule detects this secret: it is masked because its value is known.
  const content = `somewhere else ${password} alone`
  expect(await ask({ ...question, messages: [{ role: 'user', content }] })).toMatchObject({ status: 200 })
  expect(proxy.seen).toMatchObject([{ headers: { 'proxy-authorization': `Basic ${basic}` } }])
  expect(far.seen).toHaveLength(1)
  const elsewhere = [
    JSON.stringify(far.seen.map(({ rawHeaders, body }) => [rawHeaders, body.toString()])),
    ...logged,
    bytesBelow(home.path),
  ].join('\n')
  for (const form of [password, encodeURIComponent(password), basic]) expect(elsewhere).not.toContain(form)
})

test.each([
  [407, 'credentials'],
  [403, 'refuses'],
])(
  'a proxy that answers %i is named, and its response is not taken for the provider’s',
  async (status, word) => {
    const proxy = await startConnectProxy({ refuseWith: status })
    const password = 'Xq7-tunnel-Passw0rd-93'
    const { ask, far, logged, home } = await startBehindProxy({
      HTTPS_PROXY: `http://me:${password}@${proxy.host}`,
    })
    const reply = await ask()
    expect(reply.status).toBe(502)
    const { error } = JSON.parse(reply.text) as { error: { message: string } }
    expect(error.message).toContain(`the proxy ${proxy.host}`)
    expect(error.message).toContain(`status ${status}`)
    expect(error.message).toContain(word)
    expect(reply.text).not.toContain('sorry')
    expect(reply.text + logged.join('\n') + bytesBelow(home.path)).not.toContain(password)
    expect(far.seen).toEqual([])
  },
)

test('names an unreachable proxy, without its credentials', async () => {
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  const { ask } = await startBehindProxy({ HTTPS_PROXY: `http://me:Xq7-hidden@127.0.0.1:${port}` })
  const reply = await ask()
  expect(reply.status).toBe(502)
  expect(reply.text).toContain(`the proxy 127.0.0.1:${port} cannot be reached (ECONNREFUSED)`)
  expect(reply.text).toContain('model.proxy')
  expect(reply.text).not.toContain('Xq7-hidden')
})

test('names the provider if it fails behind a working proxy', async () => {
  const proxy = await startConnectProxy()
  const { ask, far } = await startBehindProxy({ HTTPS_PROXY: `http://${proxy.host}` })
  far.answer((response) => response.destroy())
  const reply = await ask()
  expect(reply.status).toBe(502)
  expect(reply.text).toContain('ECONNRESET')
  expect(reply.text).not.toContain('the proxy')
})

test('sends nothing without a proxy if its kind is not supported', async () => {
  const { ask, far } = await startBehindProxy({ ALL_PROXY: 'socks5://me:Xq7-hidden@127.0.0.1:1080' })
  const reply = await ask()
  expect(reply.status).toBe(502)
  expect(reply.text).toContain('ALL_PROXY')
  expect(reply.text).not.toContain('Xq7-hidden')
  expect(far.seen).toEqual([])
})

test('a request ends when its client disconnects, even before the proxy answers', async () => {
  const silent = createServer()
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  const proxyFor = createProxyChoice(`http://127.0.0.1:${port}`, {})
  const forwarder = createModelForwarder(createModelAgents(proxyFor))
  const gone = new AbortController()
  const url = new URL('https://models.provider.example')
  const forwarded = forwarder.forward(
    {
      provider: { name: 'far', api: 'anthropic', url },
      method: 'GET',
      path: '/v1/models',
      rawHeaders: [],
      body: undefined,
    },
    {
      response: new ServerResponse(new IncomingMessage(new Socket())),
      signal: gone.signal,
      hold() {},
      onReport() {},
    },
  )
  const [socket] = (await once(silent, 'connection')) as [Socket]
  gone.abort()
  await expect(forwarded).rejects.toMatchObject({ name: 'AbortError' })
  socket.destroy()
  silent.close()
  forwarder.close()
})
