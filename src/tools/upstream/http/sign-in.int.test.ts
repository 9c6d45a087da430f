import type { IncomingHttpHeaders } from 'node:http'

import { expect, test } from 'vitest'

import { serveAuthorization, serveProtected } from '../../../../test/support/authorization-server.ts'
import { callTool, httpConnector, temporarySignIns } from '../../../../test/support/http-connection.ts'
import { discovered, serveByHand } from '../../../../test/support/http-upstreams.ts'
import { webServers } from '../../../../test/support/web-servers.ts'
import type { HttpTransport } from '../server.ts'
import { signIn, type SignInParts } from './sign-in.ts'
import { SignInNeeded } from './sign-in-needed.ts'
import type { SignIns } from './sign-ins.ts'

const web = webServers()
const { signIns } = temporarySignIns()
const proxy: SignIns = {
  find: (...args) => signIns().find(...args),
  save: (...args) => signIns().save(...args),
  want: (...args) => signIns().want(...args),
  remove: (...args) => signIns().remove(...args),
}
const { connect } = httpConnector(proxy)

/** A browser whose user grants access immediately. */
const browse = (address: URL): void => void fetch(address)

function login(url: string, more: Partial<SignInParts> = {}): Promise<void> {
  const transport: HttpTransport = { kind: 'http', url, headers: {} }
  return signIn({
    name: 'there',
    transport,
    protocol: 'auto',
    signIns: proxy,
    clock: Date.now,
    show: browse,
    signal: new AbortController().signal,
    ...more,
  })
}

test('a server requires a sign-in and accepts its tokens', async () => {
  const { url } = await serveProtected(web)
  const stranger = connect(url)
  await expect(stranger).rejects.toBeInstanceOf(SignInNeeded)
  await expect(stranger).rejects.toMatchObject({
    sent: false,
    message: 'it needs a sign-in: `ctxd upstream login there`, or a token in its `headers`',
    challenge: { scope: 'read' },
  })
  await login(url)
  expect(await callTool(await connect(url), 'read')).toMatchObject({ scope: 'read' })
})

test('refused declared credentials are reported as such', async () => {
  const { url, seen } = await serveProtected(web)
  for (const headers of [{ Authorization: 'Bearer wrong' }, { 'X-Api-Key': 'wrong' }]) {
    await expect(connect({ url, headers })).rejects.toThrow('the credentials in its headers were refused')
  }
  expect(seen.map(({ authorization }) => authorization)).toContain('Bearer wrong')
})

test('declared headers are never sent to the authorization server', async () => {
  const { url, as, seen } = await serveProtected(web)
  const transport: HttpTransport = { kind: 'http', url, headers: { 'X-Tenant': 'declared' } }
  await login(url, { transport })
  await connect(transport)
  expect(seen.every((headers) => headers['x-tenant'] === 'declared')).toBe(true)
  expect(as.requests.map(({ path }) => path)).toContain('/token')
  expect(as.requests.some(({ headers }) => 'x-tenant' in headers)).toBe(false)
})

test('an expired token is refreshed without the user, and each refresh token is used once', async () => {
  const { url, as } = await serveProtected(web)
  await login(url)
  const connection = await connect(url)
  as.tokens.clear()
  const calls = await Promise.all([
    callTool(connection, 'a'),
    callTool(connection, 'b'),
    callTool(connection, 'c'),
  ])
  expect(calls.map(({ scope }) => scope)).toEqual(['renewed', 'renewed', 'renewed'])
  expect(as.requests.filter(({ body }) => body.includes('refresh_token=')).length).toBe(1)
})

test('a token that is about to expire is refreshed first', async () => {
  const { url, as, seen } = await serveProtected(web)
  as.lifetime = 10
  await login(url)
  const { access_token: first } = proxy.find('there', url)!.tokens
  as.lifetime = 3600
  const connection = await connect(url)
  await callTool(connection, 'a')
  expect(seen.some(({ authorization }) => authorization === `Bearer ${first}`)).toBe(false)
})

test('without a refresh token the user must sign in', async () => {
  const { url, as } = await serveProtected(web)
  await login(url)
  const connection = await connect(url)
  as.tokens.clear()
  as.refreshTokens.clear()
  await expect(callTool(connection, 'a')).rejects.toBeInstanceOf(SignInNeeded)
  await connection.ended
})

test('a missing scope is requested at the next sign-in', async () => {
  const { url } = await serveProtected(web)
  await login(url)
  const call = callTool(await connect(url), 'write')
  await expect(call).rejects.toThrow('it needs a sign-in with more rights: `ctxd upstream login there`')
  await login(url)
  expect(await callTool(await connect(url), 'write')).toMatchObject({ scope: 'read write' })
})

test('a manually registered client is used unchanged', async () => {
  const { url, as } = await serveProtected(web)
  const oauth = { clientId: 'by-hand', scope: 'write' }
  await login(url, { transport: { kind: 'http', url, headers: {}, oauth } })
  expect(as.requests.map(({ path }) => path)).not.toContain('/register')
  expect(await callTool(await connect(url), 'write')).toMatchObject({ scope: 'write' })
})

test('only the expected redirect is accepted', async () => {
  const { url } = await serveProtected(web)
  const answers: number[] = []
  let visited: Promise<void> | undefined
  const visit = async (address: URL): Promise<void> => {
    const back = new URL(address.searchParams.get('redirect_uri')!)
    const forged = new URL(back)
    forged.search = '?code=stolen&state=guessed'
    answers.push((await fetch(forged)).status)
    forged.search = '?code=stolen'
    answers.push((await fetch(forged)).status)
    answers.push((await fetch(new URL('/other', back))).status)
    answers.push((await fetch(forged, { method: 'POST' })).status)
    // The expected redirect is still accepted, once.
    answers.push((await fetch(address)).status)
  }
  await login(url, { show: (address) => void (visited = visit(address)) })
  await visited
  expect(answers).toEqual([400, 400, 404, 404, 200])
  expect(proxy.find('there', url)).toBeDefined()
})

test('a refusal is reported and nothing is saved', async () => {
  const { url } = await serveProtected(web)
  const refuse = (address: URL): void => {
    const back = new URL(address.searchParams.get('redirect_uri')!)
    back.searchParams.set('error', 'access_denied')
    back.searchParams.set('error_description', 'anything at all')
    back.searchParams.set('state', address.searchParams.get('state')!)
    void fetch(back)
  }
  const failure = login(url, { show: refuse })
  await expect(failure).rejects.toMatchObject({ code: 'SERVER_UNAVAILABLE' })
  await expect(failure).rejects.toThrow('the sign-in failed: it was refused (access_denied)')
  await expect(failure).rejects.not.toThrow('anything at all')
  expect(proxy.find('there', url)).toBeUndefined()
})

test('a cancelled sign-in leaves no state', async () => {
  const { url } = await serveProtected(web)
  let back: URL | undefined
  const abort = new AbortController()
  const show = (address: URL): void => {
    back = new URL(address.searchParams.get('redirect_uri')!)
    abort.abort(new Error('enough'))
  }
  await expect(login(url, { show, signal: abort.signal })).rejects.toThrow('enough')
  await expect(fetch(back!)).rejects.toThrow()
  expect(proxy.find('there', url)).toBeUndefined()
})

test('a remote server cannot name an authorization server on this machine without TLS', async () => {
  const { openAuthFetch } = await import('./auth-fetch.ts')
  const { origin, requests } = await serveAuthorization(web)
  const remote = openAuthFetch('https://mcp.example.com/mcp', Date.now)
  const local = openAuthFetch('http://127.0.0.1:1/mcp', Date.now)
  const at = `${origin}/.well-known/oauth-authorization-server`
  await expect(remote.fetch(at)).rejects.toThrow('which is not encrypted')
  expect(requests).toEqual([])
  expect((await local.fetch(at)).status).toBe(200)
  await expect(local.fetch('http://192.0.2.1/')).rejects.toThrow('which is not encrypted')
  remote.close()
  local.close()
})

test('a sign-in is not used at another origin', async () => {
  const { url, as } = await serveProtected(web)
  await login(url)
  const seen: IncomingHttpHeaders[] = []
  const thief = await serveByHand(web, ({ request, reply }) => {
    seen.push(request.headers)
    reply(discovered)
  })
  await connect(thief)
  expect(seen.some(({ authorization }) => authorization !== undefined)).toBe(false)
  await connect(url)
  expect(as.tokens.size).toBe(1)
})
