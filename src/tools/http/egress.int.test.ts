import { get, type IncomingMessage } from 'node:http'
import { createServer as createTlsServer } from 'node:https'

import { describe, expect, test, vi } from 'vitest'

import { makeAuthority } from '../../../test/support/certificates.ts'
import { egressProbe } from '../../../test/support/http-egress.ts'
import { textOf, webServers, type Listener } from '../../../test/support/web-servers.ts'
import type { FetchRequest } from './request.ts'

const { listen, serve, serveRaw } = webServers()
const { fetch, problem, reports, resolved } = egressProbe()
const secretListener: Listener = (_request, response) => void response.end('inner secret')

const local = { 'app.example': ['127.0.0.1'] }

describe('a granted host', () => {
  test('is fetched, and the report tells all but what may be secret', async () => {
    const port = await serve(async (request, response) => {
      response.setHeader('x-seen', JSON.stringify(request.headers))
      response.writeHead(201, { 'content-type': 'text/plain' })
      response.end(`${request.method} ${request.url} ${await textOf(request)}`)
    })
    const answer = await fetch(
      {
        url: `http://app.example:${port}/path?token=hush#part`,
        method: 'post',
        headers: { Authorization: 'Bearer hush', 'Content-Type': 'text/x' },
        body: 'hush-body',
      },
      [`app.example:${port}`, `127.0.0.1:${port}`],
      local,
    )
    expect(answer).toMatchObject({ status: 201, truncated: false, packed: false })
    expect(answer.url).toBe(`http://app.example:${port}/path?token=hush`)
    expect(answer.body.toString()).toBe('POST /path?token=hush hush-body')
    expect(JSON.parse(String(answer.headers['x-seen']))).toMatchObject({
      host: `app.example:${port}`,
      authorization: 'Bearer hush',
      'content-type': 'text/x',
      'content-length': '9',
      connection: 'close',
    })
    expect(reports).toEqual([
      {
        method: 'POST',
        host: 'app.example',
        port,
        address: '127.0.0.1',
        status: 201,
        sentBytes: expect.any(Number) as number,
        receivedBytes: expect.any(Number) as number,
        durationMs: expect.any(Number) as number,
        outcome: 'answered',
      },
    ])
    expect(reports[0]!.sentBytes).toBeGreaterThan(100)
    expect(reports[0]!.receivedBytes).toBeGreaterThan(100)
    expect(JSON.stringify(reports)).not.toContain('hush')
  })

  test('with a second address is reached where the first is closed', async () => {
    const port = await serve((_request, response) => response.end('second'), '127.0.0.3')
    const names = { 'app.example': ['127.0.0.2', '127.0.0.3'] }
    const answer = await fetch(
      `http://app.example:${port}/`,
      [`app.example:${port}`, `127.0.0.0/8:${port}`],
      names,
    )
    expect(answer.body.toString()).toBe('second')
    expect(reports[0]!.address).toBe('127.0.0.3')
  })

  test('knows nothing of a proxy in the environment', async () => {
    const proxied = vi.fn()
    const trap = await serve((_request, response) => {
      proxied()
      response.end()
    })
    const port = await serve((_request, response) => response.end('direct'))
    for (const name of ['http_proxy', 'HTTP_PROXY', 'ALL_PROXY', 'all_proxy']) {
      vi.stubEnv(name, `http://127.0.0.1:${trap}`)
    }
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    const answer = await fetch(`http://127.0.0.1:${port}/`, [`127.0.0.1:${port}`])
    vi.unstubAllEnvs()
    expect(answer.body.toString()).toBe('direct')
    expect(proxied).not.toHaveBeenCalled()
  })
})

describe('what is not granted', () => {
  test.each([
    ['localhost', 'http://localhost:PORT/'],
    ['a number', 'http://2130706433:PORT/'],
    ['hexadecimal', 'http://0x7f.1:PORT/'],
    ['a short form', 'http://127.1:PORT/'],
    ['octal', 'http://0177.0.0.1:PORT/'],
    ['all zeros', 'http://0.0.0.0:PORT/'],
    ['IPv4 in IPv6', 'http://[::ffff:127.0.0.1]:PORT/'],
    ['a name that leads here', 'http://evil.example:PORT/'],
    ['a name with one good and one bad address, both bad', 'http://both.example:PORT/'],
  ])('is not reached as %s', async (_, template) => {
    const hits = vi.fn()
    const port = await serve((_request, response) => {
      hits()
      response.end()
    })
    const url = template.replace('PORT', String(port))
    const names = {
      localhost: ['127.0.0.1', '::1'],
      'evil.example': ['127.0.0.1'],
      'both.example': ['10.0.0.1', '127.0.0.1'],
    }
    expect(await problem(url, [`*:${port}`], names)).toBe('not_granted')
    expect(hits).not.toHaveBeenCalled()
    expect(reports).toMatchObject([{ port, outcome: 'not_granted', sentBytes: 0, receivedBytes: 0 }])

    // The same request gets through once the addresses are granted.
    const everywhere = ['0.0.0.0', '127.0.0.1', '[::ffff:127.0.0.1]'].map((address) => `${address}:${port}`)
    const ok = await fetch(url, [`*:${port}`, ...everywhere], names)
    expect(ok.status).toBe(200)
    expect(hits).toHaveBeenCalledOnce()
  })

  test('is not even resolved', async () => {
    const scopes = ['*.good.example']
    expect(await problem('http://secret-data.evil.example/', scopes)).toBe('not_granted')
    expect(resolved).toEqual([])
    expect(await problem('http://secret-data.good.example/', scopes)).toBe('unresolvable')
    expect(resolved).toEqual(['secret-data.good.example'])
  })

  test('is a method, or a port, that the grant does not name', async () => {
    const port = await serve(secretListener)
    const address = `127.0.0.1:${port}`
    const url = `http://${address}/`
    expect(await problem({ url, method: 'DELETE' }, [`GET@${address}`])).toBe('not_granted')
    expect(await problem({ url }, ['127.0.0.1', '127.0.0.1:1'])).toBe('not_granted')
    expect((await fetch({ url }, [`GET@${address}`])).status).toBe(200)
  })
})

describe('a name server that changes its mind', () => {
  /** First an address that is granted, then the one with the secret. */
  async function rebinding() {
    const port = await serve((_request, response) => response.end('harmless'), '127.0.0.2')
    await serve(secretListener, '127.0.0.1', port)
    let times = 0
    const lookup = async (): Promise<string[]> => (times++ === 0 ? ['127.0.0.2'] : ['127.0.0.1'])
    return { port, lookup, times: () => times }
  }

  test('is asked once, and what it said then is what is connected to', async () => {
    const { port, lookup, times } = await rebinding()
    const scopes = [`evil.example:${port}`, `127.0.0.2:${port}`]
    const answer = await fetch(`http://evil.example:${port}/`, scopes, {}, { lookup })
    expect(answer.body.toString()).toBe('harmless')
    expect(times()).toBe(1)
    expect(reports[0]!.address).toBe('127.0.0.2')
    // Now it says the other one, which is refused.
    expect(await problem(`http://evil.example:${port}/`, scopes, {}, { lookup })).toBe('not_granted')
  })

  test('fools who checks first and connects by name', async () => {
    const { port, lookup } = await rebinding()
    expect(await lookup()).toEqual(['127.0.0.2'])
    const second = await lookup()
    const leaked = await new Promise<IncomingMessage>((resolve) => {
      const options = { host: 'evil.example', port, autoSelectFamily: false }
      get({ ...options, lookup: (_name, _options, done) => done(null, second[0]!, 4) }, resolve)
    })
    expect(await textOf(leaked)).toBe('inner secret')
  })
})

describe('requests that are none', () => {
  test.each<[string, Partial<FetchRequest>]>([
    ['a header with a line break', { headers: { 'x-a': 'b\r\nHost: evil' } }],
    ['a header with a bare line feed', { headers: { 'x-a': 'b\nX: y' } }],
    ['a header name with a line break', { headers: { 'x-a\r\nHost': 'evil' } }],
    ['a header name with a colon', { headers: { 'x-a: b': 'c' } }],
    ['Host', { headers: { hOsT: 'evil' } }],
    ['Transfer-Encoding', { headers: { 'Transfer-Encoding': 'chunked' } }],
    ['Content-Length', { headers: { 'Content-Length': '1' } }],
    ['Connection', { headers: { Connection: 'upgrade' } }],
    ['Upgrade', { headers: { Upgrade: 'h2c' } }],
    ['a header twice', { headers: { 'x-a': '1', 'X-A': '2' } }],
    ['CONNECT', { method: 'CONNECT' }],
    ['TRACE', { method: 'TRACE' }],
    ['a method with a line break', { method: 'GET / HTTP/1.1\r\nX: ' }],
  ])('%s is refused before anything is sent', async (_, parts) => {
    const hits = vi.fn()
    const port = await serve((_request, response) => {
      hits()
      response.end()
    })
    const request = { url: `http://127.0.0.1:${port}/`, ...parts }
    expect(await problem(request, [`127.0.0.1:${port}`])).toBe('invalid')
    expect(hits).not.toHaveBeenCalled()
    expect(reports).toMatchObject([{ outcome: 'invalid' }])
  })

  test('a URL never adds a line', async () => {
    const seen = vi.fn()
    const port = await serve((request, response) => {
      seen(request.url, request.headers['x-evil'])
      response.end()
    })
    await fetch(`http://127.0.0.1:${port}/a%0d%0aX-Evil:%201?ü#x`, [`127.0.0.1:${port}`])
    expect(seen).toHaveBeenCalledWith('/a%0d%0aX-Evil:%201?%C3%BC', undefined)
  })
})

describe('over TLS', () => {
  const authority = makeAuthority()
  const serveTls = (...hosts: string[]): Promise<number> =>
    listen(createTlsServer(authority.issue(...hosts), (_request, response) => response.end('private')))
  const names = { 'app.example': ['127.0.0.1'], 'other.example': ['127.0.0.1'] }
  const scopesFor = (port: number): string[] => [`*.example:${port}`, `127.0.0.1:${port}`]

  test('a server must prove the name that was asked for', async () => {
    const port = await serveTls('app.example')
    const url = `https://app.example:${port}/`
    const answer = await fetch(url, scopesFor(port), names, { ca: authority.ca })
    expect(answer.body.toString()).toBe('private')
    expect(reports[0]!.receivedBytes).toBeGreaterThan(500)

    const wrong = `https://other.example:${port}/`
    expect(await problem(wrong, scopesFor(port), names, { ca: authority.ca })).toBe('insecure')
    expect(await problem(url, scopesFor(port), names)).toBe('insecure')
    expect(reports.map(({ outcome }) => outcome)).toEqual(['answered', 'insecure', 'insecure'])
  })

  test('an address must be in the certificate as one', async () => {
    const good = await serveTls('127.0.0.1')
    const options = { ca: authority.ca }
    expect((await fetch(`https://127.0.0.1:${good}/`, scopesFor(good), {}, options)).status).toBe(200)
    const bad = await serveTls('localhost', 'app.example')
    expect(await problem(`https://127.0.0.1:${bad}/`, scopesFor(bad), {}, options)).toBe('insecure')
  })

  test('no variable turns the check off', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    // Node says that it is dangerous; we know.
    vi.spyOn(process, 'emitWarning').mockReturnValue()
    const port = await serveTls('app.example')
    expect(await problem(`https://app.example:${port}/`, scopesFor(port), names)).toBe('insecure')
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
  })

  test('a server that speaks none, and one that says nothing', async () => {
    const plain = await serve(secretListener)
    expect(await problem(`https://app.example:${plain}/`, scopesFor(plain), names)).toBe('insecure')
    const silent = await serveRaw(() => {})
    const options = { timeMs: 200 }
    expect(await problem(`https://app.example:${silent}/`, scopesFor(silent), names, options)).toBe('timeout')
  })
})
