import { createServer } from 'node:https'

import { describe, expect, test } from 'vitest'

import { makeAuthority } from '../../../test/support/certificates.ts'
import { textOf, webServers } from '../../../test/support/web-servers.ts'
import { createPost, type Posted } from './post.ts'

const servers = webServers()
const message = { headers: { 'content-type': 'application/json', 'contextd-event': 'test' }, body: '{"ä":1}' }
const post = (url: string, timeoutMs = 60_000): Promise<Posted> => createPost({ timeoutMs })(url, message)

test('sends a body unchanged, once, with its headers', async () => {
  const seen: unknown[] = []
  const port = await servers.serve(async (request, response) => {
    const { method, url, headers } = request
    const {
      host,
      connection,
      'content-type': type,
      'contextd-event': event,
      'content-length': length,
    } = headers
    seen.push({ method, url, host, connection, type, event, length, body: await textOf(request) })
    response.writeHead(202).end('thanks')
  })
  expect(await post(`http://127.0.0.1:${port}/hook?a=b`)).toEqual({ status: 202 })
  expect(seen).toEqual([
    {
      method: 'POST',
      url: '/hook?a=b',
      host: `127.0.0.1:${port}`,
      connection: 'close',
      type: 'application/json',
      event: 'test',
      length: '8',
      body: '{"ä":1}',
    },
  ])
})

test('returns a redirect without following it', async () => {
  let visits = 0
  const elsewhere = await servers.serve((_, response) => {
    visits += 1
    response.end()
  })
  const location = `http://127.0.0.1:${elsewhere}/`
  const port = await servers.serve((_, response) => response.writeHead(307, { location }).end())
  expect(await post(`http://127.0.0.1:${port}/`)).toEqual({ status: 307 })
  expect(visits).toBe(0)
  expect(await post(location)).toEqual({ status: 200 })
  expect(visits).toBe(1)
})

test('returns Retry-After', async () => {
  const port = await servers.serve((_, response) => response.writeHead(503, { 'retry-after': '30' }).end())
  expect(await post(`http://127.0.0.1:${port}/`)).toEqual({ status: 503, retryAfter: '30' })
})

test('reads only the headers of an endless response, and closes the connection', async () => {
  let written = 0
  let isOver: () => void = () => {}
  const over = new Promise<void>((resolve) => (isOver = resolve))
  const port = await servers.serve((_, response) => {
    response.writeHead(200)
    response.on('close', isOver)
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536))) written += 65_536
    }
    response.on('drain', more)
    more()
  })
  expect(await post(`http://127.0.0.1:${port}/`)).toEqual({ status: 200 })
  await over
  expect(written).toBeLessThan(64 << 20)
})

describe('a missing response is described', () => {
  test('nothing is listening', async () => {
    const port = await servers.closedPort()
    await expect(post(`http://127.0.0.1:${port}/`)).rejects.toThrow('nothing accepts connections there')
  })

  test('no response in time', async () => {
    const port = await servers.serveRaw(() => {})
    await expect(post(`http://127.0.0.1:${port}/`, 200)).rejects.toThrow('there was no answer within 200 ms')
  })

  test('endless headers', async () => {
    const port = await servers.serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const more = setInterval(() => socket.write(`x-${'y'.repeat(1000)}: z\r\n`), 1)
      socket.once('close', () => clearInterval(more))
    })
    await expect(post(`http://127.0.0.1:${port}/`)).rejects.toThrow(
      'the headers of the response are too large',
    )
  })

  test('not HTTP', async () => {
    const port = await servers.serveRaw((socket) => socket.end('220 smtp ready\r\n'))
    await expect(post(`http://127.0.0.1:${port}/`)).rejects.toThrow('what came back is not HTTP')
  })

  test('aborting ends it', async () => {
    const ending = new AbortController()
    const port = await servers.serveRaw(() => ending.abort())
    const sending = createPost({ timeoutMs: 60_000 })(`http://127.0.0.1:${port}/`, message, ending.signal)
    await expect(sending).rejects.toThrow('the request was cancelled')
  })
})

describe('checks the address when sending', () => {
  test('refuses a local name that resolves elsewhere', async () => {
    const port = await servers.serve((_, response) => response.end())
    const by = (address: string): Promise<Posted> =>
      createPost({ timeoutMs: 60_000, lookup: async () => [address] })(
        `http://hooks.localhost:${port}/`,
        message,
      )
    await expect(by('192.0.2.1')).rejects.toThrow('http is allowed only for addresses on this machine')
    expect(await by('127.0.0.1')).toEqual({ status: 200 })
  })

  test('refuses a public name that resolves to a metadata service', async () => {
    const send = createPost({ timeoutMs: 60_000, lookup: async () => ['169.254.169.254'] })
    await expect(send('https://hooks.example.com/', message)).rejects.toThrow('link-local')
  })

  test('https requires a valid certificate for that name', async () => {
    const authority = makeAuthority()
    const { key, cert } = authority.issue('hooks.example.com')
    const server = createServer({ key, cert }, (request, response) => {
      request.resume()
      response.end()
    })
    const port = await servers.listen(server)
    const to = (name: string, ca?: string): Promise<Posted> =>
      createPost({ timeoutMs: 60_000, lookup: async () => ['127.0.0.1'], ...(ca !== undefined && { ca }) })(
        `https://${name}:${port}/`,
        message,
      )
    expect(await to('hooks.example.com', authority.ca)).toEqual({ status: 200 })
    await expect(to('hooks.example.com')).rejects.toThrow('the certificate of the server is not trusted here')
    await expect(to('other.example.com', authority.ca)).rejects.toThrow('is for another host')
  })
})
