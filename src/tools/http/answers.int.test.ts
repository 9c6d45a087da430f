import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import { egressProbe } from '../../../test/support/http-egress.ts'
import { webServers } from '../../../test/support/web-servers.ts'

const { serve, serveRaw, closedPort } = webServers()
const { fetch, problem, reports } = egressProbe()

/** Where a server on this port is asked, by someone who may. */
const at = (port: number): [url: string, scopes: string[]] => [
  `http://127.0.0.1:${port}/`,
  [`127.0.0.1:${port}`],
]

describe('answers', () => {
  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('in %s are unpacked', async (encoding, pack) => {
    const port = await serve((_request, response) => {
      response.setHeader('content-encoding', encoding)
      response.end(pack(Buffer.from('unpacked text')))
    })
    const answer = await fetch(...at(port))
    expect(answer.body.toString()).toBe('unpacked text')
    expect(answer).toMatchObject({ truncated: false, packed: false })
  })

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('that blow up when unpacked (%s) are cut at the limit', async (encoding, pack) => {
    const bomb = pack(Buffer.alloc(5_000_000))
    const port = await serve((_request, response) => {
      response.setHeader('content-encoding', encoding)
      response.end(bomb)
    })
    const answer = await fetch(...at(port))
    expect(bomb.length).toBeLessThan(100_000)
    expect(answer.body.length).toBe(100_000)
    expect(answer.truncated).toBe(true)
  })

  test.each([
    ['plain', undefined, Buffer.alloc(1000, 'x')],
    ['packed into nothing', 'gzip', gzipSync('')],
  ])('without end, %s, are cut at the limit', async (_, encoding, chunk) => {
    let close = (): void => {}
    const closed = new Promise<void>((resolve) => (close = resolve))
    const port = await serve((_request, response) => {
      if (encoding !== undefined) response.setHeader('content-encoding', encoding)
      const pump = (): void => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', pump).on('close', close)
      pump()
    })
    const answer = await fetch(...at(port))
    expect(answer.truncated).toBe(true)
    expect(answer.body.length).toBe(encoding === undefined ? 100_000 : 0)
    await closed
  })

  test('of exactly the limit are whole', async () => {
    const port = await serve((_request, response) => response.end(Buffer.alloc(100_000)))
    expect(await fetch(...at(port))).toMatchObject({ truncated: false })
  })

  test('that cannot be unpacked are said to be so', async () => {
    const port = await serve((_request, response) => {
      response.setHeader('content-encoding', 'gzip')
      response.end('this is not gzip')
    })
    expect(await problem(...at(port))).toBe('broken')
    const other = await serve((_request, response) => {
      response.setHeader('content-encoding', 'zstd')
      response.end('packed')
    })
    expect(await fetch(...at(other))).toMatchObject({ packed: true })
  })

  test('without a body may claim to be packed', async () => {
    const port = await serve((_request, response) => {
      response.writeHead(204, { 'content-encoding': 'gzip' })
      response.end()
    })
    expect((await fetch(...at(port))).body.length).toBe(0)
  })

  test.each([
    ['nothing at all', ''],
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n'],
    ['a body that ends early', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['another protocol', 'HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
    ['headers without end', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(200_000)}\r\n\r\n`],
  ])('that are %s are an error', async (_, bytes) => {
    const port = await serveRaw((socket) => socket.end(bytes))
    expect(await problem(...at(port))).toBe('broken')
  })

  test.each([
    ['never starts', ''],
    ['never ends its headers', 'HTTP/1.1 200 OK\r\n'],
    ['never ends', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx'],
  ])('one that %s is given up after the time limit', async (_, start) => {
    const port = await serveRaw((socket) => socket.write(start))
    expect(await problem(...at(port), {}, { timeMs: 200 })).toBe('timeout')
    expect(reports).toMatchObject([{ outcome: 'timeout' }])
  })

  test('are cancelled immediately when no longer wanted', async () => {
    const controller = new AbortController()
    const port = await serve((_request, response) => {
      response.write('x')
      controller.abort()
    })
    const options = { signal: controller.signal }
    expect(await problem(...at(port), {}, options)).toBe('cancelled')
    expect(await problem(...at(port), {}, options)).toBe('cancelled')
  })

  test('a closed port, and a name server that never answers', async () => {
    expect(await problem(...at(await closedPort()))).toBe('unreachable')
    const lookup = (): Promise<never> => new Promise(() => {})
    expect(await problem('http://a.example/', ['*'], {}, { lookup, timeMs: 100 })).toBe('timeout')
  })
})
