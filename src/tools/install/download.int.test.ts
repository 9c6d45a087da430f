import { createServer as createTlsServer } from 'node:https'

import { describe, expect, it } from 'vitest'

import { makeAuthority } from '../../../test/support/certificates.ts'
import { webServers } from '../../../test/support/web-servers.ts'
import { download, type DownloadOptions } from './download.ts'

const web = webServers()
const maxBytes = 1000
const get = (url: string, options: Partial<DownloadOptions> = {}): Promise<string> =>
  download(url, { maxBytes, ...options }).then(String)

describe('a download', () => {
  it('is whole, and says how far it is', async () => {
    const port = await web.serve((_, response) => {
      response.setHeader('content-length', 10)
      response.write('hello')
      response.end('world')
    })
    const seen: object[] = []
    expect(await get(`http://127.0.0.1:${port}/a`, { onProgress: (progress) => seen.push(progress) })).toBe(
      'helloworld',
    )
    expect(seen.at(-1)).toEqual({ done: 10, total: 10 })
  })

  it('asks for the bytes as they are, with no credentials and no cookies', async () => {
    let headers: object = {}
    const port = await web.serve((request, response) => {
      headers = request.headers
      response.end('x')
    })
    await get(`http://localhost:${port}/a?b=c`)
    expect(Object.keys(headers).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ])
    expect(headers).toMatchObject({ 'accept-encoding': 'identity' })
  })

  it.each([404, 403, 500, 204, 206])('fails with what the server says: %i', async (status) => {
    const port = await web.serve((_, response) => {
      response.statusCode = status
      response.end()
    })
    await expect(get(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      code: 'SOURCE_UNAVAILABLE',
      message: expect.stringContaining(String(status)) as string,
    })
  })

  it('that is cut off is none', async () => {
    const port = await web.serve((_, response) => {
      response.setHeader('content-length', 100)
      response.write('half')
      response.socket?.destroySoon()
    })
    await expect(get(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' })
    const chunked = await web.serve((_, response) => {
      response.write('half')
      setTimeout(() => response.socket?.destroy(), 20)
    })
    await expect(get(`http://127.0.0.1:${chunked}/`)).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' })
  })

  it('that is too large is stopped, before it comes or while it does', async () => {
    let isStopped: Promise<unknown> = Promise.reject(new Error('not asked'))
    isStopped.catch(() => {})
    const said = await web.serve((_, response) => {
      response.setHeader('content-length', maxBytes + 1)
      response.end('x'.repeat(maxBytes + 1))
    })
    await expect(get(`http://127.0.0.1:${said}/`)).rejects.toThrow(/larger than/)
    const endless = await web.serve((_, response) => {
      isStopped = new Promise((resolve) => response.on('close', resolve))
      const more = (): void => void (response.destroyed || response.write('x'.repeat(100), more))
      more()
    })
    await expect(get(`http://127.0.0.1:${endless}/`)).rejects.toThrow(/larger than/)
    await isStopped
    const fitting = await web.serve((_, response) => void response.end('x'.repeat(maxBytes)))
    expect((await get(`http://127.0.0.1:${fitting}/`)).length).toBe(maxBytes)
  })

  it('that is packed once more is refused', async () => {
    const port = await web.serve((_, response) => {
      response.setHeader('content-encoding', 'gzip')
      response.end('x')
    })
    await expect(get(`http://127.0.0.1:${port}/`)).rejects.toThrow(/compresses the file/)
  })

  it('reports a server that does not respond', async () => {
    await expect(get(`http://127.0.0.1:${await web.closedPort()}/`)).rejects.toThrow(
      /nothing accepts connections/,
    )
  })
})

describe('a redirect', () => {
  const leading = (location: string): Promise<number> =>
    web.serve((request, response) => {
      if (request.url === '/there') return response.end('found')
      response.writeHead(302, { location })
      response.end()
    })

  it('is followed where it stays with the one that was named', async () => {
    expect(await get(`http://127.0.0.1:${await leading('/there')}/`)).toBe('found')
  })

  it.each([
    ['a file', 'file:///etc/passwd', /other than a web URL/],
    ['another protocol', 'ftp://example.com/x', /other than a web URL/],
    ['http elsewhere', 'http://example.com/x', /unencrypted/],
    ['nowhere', 'http://', /invalid URL/],
    ['a password', 'https://a:b@example.com/', /other than a web URL/],
    ['a private address', 'https://10.0.0.1/x', /that is private/],
    ['this machine', 'https://127.0.0.1:1/x', /that is loopback/],
    ['this machine in another spelling', 'https://0x7f.1/x', /that is loopback/],
    ['the neighbours', 'https://169.254.169.254/latest', /that is link-local/],
    ['this machine by IPv6', 'https://[::1]/x', /that is loopback/],
    ['a name that leads inside', 'https://inside.example/x', /that is private/],
  ])('to %s is not followed', async (_, location, why) => {
    const lookup = async (): Promise<string[]> => ['192.168.1.1']
    await expect(get(`http://127.0.0.1:${await leading(location)}/`, { lookup })).rejects.toThrow(why)
  })

  it('to another port of this machine is not followed, which would be reached if it were', async () => {
    let reached = 0
    const other = await web.serve((_, response) => {
      reached += 1
      response.end('inside')
    })
    await expect(get(`http://127.0.0.1:${await leading(`http://127.0.0.1:${other}/`)}/`)).rejects.toThrow(
      /unencrypted/,
    )
    expect(reached).toBe(0)
    expect(await get(`http://127.0.0.1:${other}/`)).toBe('inside')
  })

  it('that never ends is ended', async () => {
    let asked = 0
    const port = await web.serve((_, response) => {
      asked += 1
      response.writeHead(302, { location: `/${asked}` })
      response.end()
    })
    await expect(get(`http://127.0.0.1:${port}/`)).rejects.toThrow(/too many times/)
    expect(asked).toBe(6)
  })

  it('of a signed request is not followed, because the signature is for one host', async () => {
    const port = await leading('/there')
    await expect(get(`http://127.0.0.1:${port}/`, { headers: { authorization: 'x' } })).rejects.toThrow(
      /another URL/,
    )
    expect(await get(`http://127.0.0.1:${port}/there`, { headers: { authorization: 'x' } })).toBe('found')
  })
})

describe('over TLS', () => {
  const authority = makeAuthority()
  const lookup = async (): Promise<string[]> => ['127.0.0.1']
  const serve = async (answer: string, location?: string): Promise<number> => {
    const server = createTlsServer(authority.issue('tools.example'), (_, response) => {
      if (location !== undefined) response.writeHead(302, { location })
      response.end(answer)
    })
    return web.listen(server)
  }

  it('the server must be the one that was named', async () => {
    const port = await serve('secret')
    const { ca } = authority
    expect(await get(`https://tools.example:${port}/`, { lookup, ca })).toBe('secret')
    await expect(get(`https://other.example:${port}/`, { lookup, ca })).rejects.toThrow(/for another host/)
    await expect(get(`https://tools.example:${port}/`, { lookup })).rejects.toThrow(/not trusted/)
  })

  it('an unencrypted redirect is not followed, not even to the same name', async () => {
    const plain = await web.serve((_, response) => void response.end('plain'))
    const port = await serve('', `http://tools.example:${plain}/`)
    await expect(get(`https://tools.example:${port}/`, { lookup, ca: authority.ca })).rejects.toThrow(
      /unencrypted/,
    )
  })
})
