import { createServer as createTlsServer } from 'node:https'
import { connect } from 'node:net'

import { describe, expect, test } from 'vitest'

import { makeAuthority } from '../../../test/support/certificates.ts'
import { ask, askTunnel, bridgeProbe, closed } from '../../../test/support/http-bridge.ts'
import { textOf, webServers } from '../../../test/support/web-servers.ts'

const { serve, serveRaw, listen, closedPort } = webServers()
const { open, reports, looked } = bridgeProbe()
const authority = makeAuthority()
const names = { 'app.example': ['127.0.0.1'] }
const scopesFor = (port: number): string[] => [`app.example:${port}`, `127.0.0.1:${port}`]

describe('requests', () => {
  test('to granted hosts are passed on as they are, but for what belongs to a connection', async () => {
    const port = await serve(async (message, response) => {
      response.setHeader('set-cookie', ['a=1', 'b=2'])
      response.setHeader('connection', 'x-of-this-connection')
      response.setHeader('x-of-this-connection', '1')
      response.writeHead(418, 'Teapot')
      response.end(JSON.stringify({ ...message.headers, url: message.url, body: await textOf(message) }))
    })
    const bridge = await open(scopesFor(port), names)
    const headers = {
      host: 'other.example',
      connection: 'x-private, keep-alive',
      'x-private': '1',
      'proxy-authorization': 'hush',
      'proxy-connection': 'keep-alive',
      upgrade: 'h2c',
      'x-kept': ['1', '2'],
    }
    const answer = await ask(
      bridge,
      `http://app.example:${port}/a?token=hush`,
      { method: 'PUT', headers },
      'body',
    )
    expect(answer.status).toBe(418)
    expect(answer.headers['set-cookie']).toEqual(['a=1', 'b=2'])
    expect(answer.headers).not.toHaveProperty('x-of-this-connection')
    expect(JSON.parse(answer.text)).toEqual({
      host: `app.example:${port}`,
      connection: 'close',
      'x-kept': '1, 2',
      'content-length': '4',
      url: '/a?token=hush',
      body: 'body',
    })
    await bridge.close()
    expect(reports).toMatchObject([
      { method: 'PUT', host: 'app.example', port, address: '127.0.0.1', status: 418, outcome: 'answered' },
    ])
    expect(JSON.stringify(reports)).not.toContain('hush')
  })

  test.each<[string, { headers?: Record<string, string>; query?: string; body?: string }]>([
    ['a body', { body: 'delete it' }],
    ['a body of unknown length', { headers: { 'transfer-encoding': 'chunked' }, body: 'delete it' }],
    ['a method override', { headers: { 'X-HTTP-Method-Override': 'DELETE' } }],
    ['the same in another spelling', { headers: { X_HTTP_Method: 'DELETE' } }],
    ['the same in the query', { query: '?_method=DELETE' }],
  ])('that may only read bring %s nowhere', async (_, { headers = {}, query = '', body }) => {
    const seen: unknown[] = []
    const port = await serve(async (message, response) => {
      seen.push(message.method, await textOf(message))
      response.end('done')
    })
    const url = `http://127.0.0.1:${port}/${query}`
    const length =
      body === undefined || 'transfer-encoding' in headers ? {} : { 'content-length': body.length }
    const options = { method: 'GET', headers: { ...headers, ...length } }
    const refused = await ask(await open([`GET@127.0.0.1:${port}`]), url, options, body)
    expect([refused.status, seen]).toEqual([403, []])
    expect(refused.text).toContain('granted for some methods only')
    const passed = await ask(await open([`127.0.0.1:${port}`]), url, options, body)
    expect([passed.status, seen]).toEqual([200, ['GET', body ?? '']])
    const plain = await ask(await open([`GET@127.0.0.1:${port}`]), `http://127.0.0.1:${port}/`)
    expect(plain.status).toBe(200)
  })

  test('over https are made private here, and the server must prove its name', async () => {
    const port = await listen(
      createTlsServer(authority.issue('app.example'), (_request, response) => response.end('private')),
    )
    const bridge = await open(
      [...scopesFor(port), `other.example:${port}`],
      { ...names, 'other.example': ['127.0.0.1'] },
      { ca: authority.ca },
    )
    expect(await ask(bridge, `https://app.example:${port}/`)).toMatchObject({ status: 200, text: 'private' })
    const refused = await ask(bridge, `https://other.example:${port}/`)
    expect(refused).toMatchObject({ status: 502, text: expect.stringContaining('certificate') as string })
  })

  test('of any size go through', async () => {
    const port = await serve((message, response) => message.pipe(response))
    const bridge = await open(scopesFor(port), names)
    const body = 'x'.repeat(3_000_000)
    const url = `http://app.example:${port}/`
    for (const headers of [{ 'content-length': body.length }, { 'transfer-encoding': 'chunked' }]) {
      expect((await ask(bridge, url, { method: 'POST', headers }, body)).text.length).toBe(body.length)
    }
  })

  test.each([
    ['another host', 'http://evil.example/'],
    ['another port', 'http://app.example:81/'],
    ['an address inside', 'http://127.0.0.1:PORT/'],
    ['an address inside as a number', 'http://2130706433:PORT/'],
    ['a name that leads inside', 'http://inner.granted.example:PORT/'],
  ])('to %s get 403 and the reason', async (_, url) => {
    let hits = 0
    const port = await serve((_request, response) => {
      hits++
      response.end('inner secret')
    })
    const inner = { ...names, 'inner.granted.example': ['127.0.0.1'] }
    const scopes = [`*.granted.example:${port}`, 'app.example']
    const bridge = await open(scopes, inner)
    const answer = await ask(bridge, url.replace('PORT', String(port)))
    expect(answer).toMatchObject({ status: 403, text: expect.stringMatching(/^contextd: .+\n$/) as string })
    expect(hits).toBe(0)
    await bridge.close()
    expect(reports).toMatchObject([{ outcome: 'not_granted', sentBytes: 0 }])
    // The probe would notice.
    const wide = await open([...scopes, `*:${port}`, `127.0.0.1:${port}`], inner)
    expect((await ask(wide, `http://inner.granted.example:${port}/`)).text).toBe('inner secret')
  })

  test('for ungranted names are never resolved', async () => {
    const bridge = await open(['*.good.example'])
    expect((await ask(bridge, 'http://secret.evil.example/')).status).toBe(403)
    expect(looked).toEqual([])
    expect((await ask(bridge, 'http://secret.good.example/')).status).toBe(502)
    expect(looked).toEqual(['secret.good.example'])
  })

  test('with a method that is not granted are refused', async () => {
    const port = await serve((message, response) => response.end(message.method))
    const bridge = await open([`GET@app.example:${port}`, `127.0.0.1:${port}`], names)
    const url = `http://app.example:${port}/`
    expect((await ask(bridge, url)).text).toBe('GET')
    expect((await ask(bridge, url, { method: 'POST' })).status).toBe(403)
    expect(await askTunnel(bridge, `app.example:${port}`)).toMatchObject({
      status: 403,
      text: expect.stringContaining('method') as string,
    })
  })

  test.each(['/path', '*', 'ftp://app.example/', 'http://user:pw@app.example/', 'http://a..b/'])(
    'for %s are none',
    async (url) => {
      const bridge = await open(['*'], names)
      expect((await ask(bridge, url, { method: 'OPTIONS' })).status).toBe(400)
      expect(reports).toMatchObject([{ outcome: 'invalid' }])
    },
  )

  test('a request hidden in the body of another stays a body', async () => {
    const seen: string[] = []
    const port = await serve(async (message, response) => {
      seen.push(`${message.method} ${message.url} ${(await textOf(message)).length}`)
      response.end('ok')
    })
    const hidden = `POST /hidden HTTP/1.1\r\nHost: app.example\r\nContent-Length: 0\r\n\r\n`
    const url = `http://app.example:${port}/open`
    const bridge = await open([`GET,POST,DELETE@app.example:${port}`, `127.0.0.1:${port}`], names)
    for (const method of ['GET', 'DELETE']) {
      for (const headers of [{ 'transfer-encoding': 'chunked' }, { 'content-length': hidden.length }]) {
        expect((await ask(bridge, url, { method, headers }, hidden)).text).toBe('ok')
      }
    }
    expect(seen).toEqual(
      ['GET', 'GET', 'DELETE', 'DELETE'].map((method) => `${method} /open ${hidden.length}`),
    )
    // Sent as it is, the server does see two.
    const direct = connect(port, '127.0.0.1')
    direct.end(`GET /open HTTP/1.1\r\nHost: app.example\r\n\r\n${hidden}`)
    await closed(direct)
    expect(seen.slice(4)).toEqual(['GET /open 0', 'POST /hidden 0'])
  })

  test('with two lengths are broken off', async () => {
    const port = await serve((_request, response) => response.end())
    const bridge = await open(scopesFor(port), names)
    const raw = connect(bridge.socket)
    raw.write(
      `POST http://app.example:${port}/ HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    )
    await closed(raw.on('error', () => {}))
    expect(reports).toEqual([])
  })

  test('that fail on the other side get 502', async () => {
    const rude = await serveRaw((socket) => socket.end('SSH-2.0-x\r\n'))
    const switching = await serveRaw((socket) =>
      socket.end('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    )
    const gone = await closedPort()
    // Node reads these, and refuses to write them.
    const odd = await Promise.all(
      ['099 OK', '000 OK', '200 O\u0001K'].map((status) =>
        serveRaw((socket) => socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 2\r\n\r\nhi`)),
      ),
    )
    for (const port of [rude, switching, gone, ...odd]) {
      const bridge = await open(scopesFor(port), names)
      expect((await ask(bridge, `http://app.example:${port}/`)).status).toBe(502)
    }
  })
})
