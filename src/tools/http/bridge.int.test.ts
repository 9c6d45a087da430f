import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { request, type IncomingMessage, type RequestOptions } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { connect as connectTls } from 'node:tls'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { makeAuthority } from '../../../test/support/certificates.ts'
import { grantsOf, lookupIn, type Names } from '../../../test/support/http-broker.ts'
import { textOf, webServers } from '../../../test/support/web-servers.ts'
import { openBridge, type Bridge, type BridgeOptions } from './bridge.ts'
import type { RequestReport } from './request-report.ts'

const { serve, serveRaw, listen, closedPort } = webServers()
const authority = makeAuthority()
let folder = ''
let bridges: Bridge[] = []
let reports: RequestReport[] = []
let looked: string[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctxd-bridge-'))
  bridges = []
  reports = []
  looked = []
})

afterEach(async () => {
  await Promise.all(bridges.map((bridge) => bridge.close()))
  rmSync(folder, { recursive: true })
})

async function bridgeFor(
  scopes: readonly string[],
  names: Names = {},
  options: Partial<BridgeOptions> = {},
): Promise<Bridge> {
  const bridge = await openBridge({
    folder: join(folder, 'run'),
    grants: grantsOf(scopes),
    report: (report) => reports.push(report),
    timeMs: 20_000,
    lookup: lookupIn(names, looked),
    ca: authority.ca,
    ...options,
  })
  bridges.push(bridge)
  return bridge
}

type Answer = { status: number; text: string; headers: IncomingMessage['headers'] }

/** Asks the bridge as programs with `http_proxy` do. */
function ask({ socket }: Bridge, url: string, options: RequestOptions = {}, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath: socket, path: url, agent: false, ...options }, (message) => {
      textOf(message).then(
        (text) => resolve({ status: message.statusCode!, text, headers: message.headers }),
        reject,
      )
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

/** Asks for a tunnel; the socket where there is one, else the answer. */
function askTunnel({ socket }: Bridge, authority: string): Promise<Socket | Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath: socket, method: 'CONNECT', path: authority, agent: false })
    asked.on('error', reject)
    asked.on('connect', (message, tunnel, head) => {
      tunnel.on('error', () => {})
      if (message.statusCode === 200) return resolve(tunnel)
      let text = String(head)
      tunnel.on('data', (chunk) => (text += String(chunk)))
      tunnel.on('end', () => resolve({ status: message.statusCode!, text, headers: message.headers }))
    })
    asked.end()
  })
}

async function openTunnel(bridge: Bridge, authority: string): Promise<Socket> {
  const tunnel = await askTunnel(bridge, authority)
  if ('status' in tunnel) throw new Error(`${tunnel.status} ${tunnel.text}`)
  return tunnel
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve()
    else socket.resume().once('close', () => resolve())
  })
}

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
    const bridge = await bridgeFor(scopesFor(port), names)
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

  test('over https are made private here, and the server must prove its name', async () => {
    const port = await listen(
      createTlsServer(authority.issue('app.example'), (_request, response) => response.end('private')),
    )
    const bridge = await bridgeFor([...scopesFor(port), `other.example:${port}`], {
      ...names,
      'other.example': ['127.0.0.1'],
    })
    expect(await ask(bridge, `https://app.example:${port}/`)).toMatchObject({ status: 200, text: 'private' })
    const refused = await ask(bridge, `https://other.example:${port}/`)
    expect(refused).toMatchObject({ status: 502, text: expect.stringContaining('certificate') as string })
  })

  test('of any size go through', async () => {
    const port = await serve((message, response) => message.pipe(response))
    const bridge = await bridgeFor(scopesFor(port), names)
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
    const bridge = await bridgeFor(scopes, inner)
    const answer = await ask(bridge, url.replace('PORT', String(port)))
    expect(answer).toMatchObject({ status: 403, text: expect.stringMatching(/^contextd: .+\n$/) as string })
    expect(hits).toBe(0)
    await bridge.close()
    expect(reports).toMatchObject([{ outcome: 'not_granted', sentBytes: 0 }])
    // The probe would notice.
    const open = await bridgeFor([...scopes, `*:${port}`, `127.0.0.1:${port}`], inner)
    expect((await ask(open, `http://inner.granted.example:${port}/`)).text).toBe('inner secret')
  })

  test('for names nobody granted are never looked up', async () => {
    const bridge = await bridgeFor(['*.good.example'])
    expect((await ask(bridge, 'http://secret.evil.example/')).status).toBe(403)
    expect(looked).toEqual([])
    expect((await ask(bridge, 'http://secret.good.example/')).status).toBe(502)
    expect(looked).toEqual(['secret.good.example'])
  })

  test('with a method that is not granted are refused', async () => {
    const port = await serve((message, response) => response.end(message.method))
    const bridge = await bridgeFor([`GET@app.example:${port}`, `127.0.0.1:${port}`], names)
    const url = `http://app.example:${port}/`
    expect((await ask(bridge, url)).text).toBe('GET')
    expect((await ask(bridge, url, { method: 'POST' })).status).toBe(403)
    expect((await askTunnel(bridge, `app.example:${port}`)) as Answer).toMatchObject({
      status: 403,
      text: expect.stringContaining('method') as string,
    })
  })

  test.each(['/path', '*', 'ftp://app.example/', 'http://user:pw@app.example/', 'http://a..b/'])(
    'for %s are none',
    async (url) => {
      const bridge = await bridgeFor(['*'], names)
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
    const bridge = await bridgeFor([`GET,DELETE@app.example:${port}`, `127.0.0.1:${port}`], names)
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
    const bridge = await bridgeFor(scopesFor(port), names)
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
    for (const port of [rude, switching, gone]) {
      const bridge = await bridgeFor(scopesFor(port), names)
      expect((await ask(bridge, `http://app.example:${port}/`)).status).toBe(502)
    }
  })
})

describe('tunnels', () => {
  test('to granted hosts carry what the program and the host say to each other', async () => {
    const port = await listen(
      createTlsServer(authority.issue('app.example'), (_request, response) => response.end('private')),
    )
    const bridge = await bridgeFor(scopesFor(port), names)
    const answerOver = async (servername: string): Promise<string> => {
      const tunnel = connectTls({
        socket: await openTunnel(bridge, `app.example:${port}`),
        servername,
        ca: authority.ca,
      })
      return new Promise((resolve, reject) => {
        let text = ''
        tunnel.on('error', reject)
        tunnel.on('data', (chunk) => (text += String(chunk)))
        tunnel.on('end', () => resolve(text))
        tunnel.write('GET / HTTP/1.1\r\nHost: app.example\r\nConnection: close\r\n\r\n')
      })
    }
    expect(await answerOver('app.example')).toContain('private')
    await expect(answerOver('other.example')).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    await bridge.close()
    expect(reports[0]).toMatchObject({
      method: 'CONNECT',
      host: 'app.example',
      port,
      status: 200,
      outcome: 'answered',
    })
    expect(reports[0]!.receivedBytes).toBeGreaterThan(500)
  })

  test('pass on the end of one side while the other still speaks', async () => {
    const port = await serveRaw((socket) => {
      let size = 0
      socket.on('data', (chunk) => (size += chunk.length))
      socket.on('end', () => socket.end(`${size} bytes ${'y'.repeat(2_000_000)}`))
    })
    const bridge = await bridgeFor(scopesFor(port), names)
    const tunnel = await openTunnel(bridge, `app.example:${port}`)
    let answer = ''
    tunnel.on('data', (chunk) => (answer += String(chunk)))
    tunnel.end('x'.repeat(1_000_000))
    await closed(tunnel)
    expect(answer).toMatch(/^1000000 bytes y+$/)
    expect(answer.length).toBe('1000000 bytes '.length + 2_000_000)
  })

  test.each([
    'evil.example:443',
    '127.0.0.1:PORT',
    'app.example:22',
    'inner.granted.example:PORT',
    '[::1]:443',
  ])('to %s get 403 and the reason', async (template) => {
    const port = await serve((_request, response) => response.end())
    const bridge = await bridgeFor(['app.example', `*.granted.example:${port}`], {
      'inner.granted.example': ['127.0.0.1'],
    })
    const answer = await askTunnel(bridge, template.replace('PORT', String(port)))
    expect(answer).toMatchObject({ status: 403, text: expect.stringMatching(/^contextd: /) as string })
  })

  test.each(['app.example', 'app.example:0', 'http://app.example/', 'user@app.example:443'])(
    'to %s are none',
    async (authority) => {
      expect(await askTunnel(await bridgeFor(['*'], names), authority)).toMatchObject({ status: 400 })
    },
  )

  test('go to the address that was checked, not to what the name says next', async () => {
    const port = await serveRaw((socket) => socket.end('never'))
    let times = 0
    const lookup = async (): Promise<string[]> => (times++ === 0 ? ['127.0.0.2'] : ['127.0.0.1'])
    const bridge = await bridgeFor([`evil.example:${port}`, `127.0.0.2:${port}`], {}, { lookup })
    // Nothing listens at 127.0.0.2.
    expect(await askTunnel(bridge, `evil.example:${port}`)).toMatchObject({ status: 502 })
    expect(times).toBe(1)
    expect(await askTunnel(bridge, `evil.example:${port}`)).toMatchObject({ status: 403 })
  })
})

describe('bounds', () => {
  test('more than 64 connections at once are not taken', async () => {
    const bridge = await bridgeFor([])
    const stalled = await Promise.all(
      Array.from(
        { length: 63 },
        () =>
          new Promise<Socket>((resolve) => {
            const socket = connect(bridge.socket, () => resolve(socket))
            socket.on('error', () => {}).write('GET http://a')
          }),
      ),
    )
    expect((await ask(bridge, 'http://a.example/')).status).toBe(403)
    const last = connect(bridge.socket)
    await new Promise((resolve) => last.once('connect', resolve))
    await expect(ask(bridge, 'http://a.example/')).rejects.toThrow()
    last.destroy()
    for (const socket of stalled) socket.destroy()
    await Promise.all(stalled.map(closed))
  })

  test('a connection where nothing moves is closed', async () => {
    const silent = await serveRaw(() => {})
    const bridge = await bridgeFor(scopesFor(silent), names, { idleMs: 200 })
    const tunnel = await openTunnel(bridge, `app.example:${silent}`)
    const half = connect(bridge.socket)
    half.write('GET http://a')
    await Promise.all([closed(tunnel), closed(half)])
    await expect(ask(bridge, `http://app.example:${silent}/`)).rejects.toThrow()
    await bridge.close()
  })

  test('a host that is not reached in time is given up', async () => {
    const lookup = (): Promise<never> => new Promise(() => {})
    const bridge = await bridgeFor(['*'], {}, { lookup, timeMs: 100 })
    expect((await ask(bridge, 'http://a.example/')).status).toBe(504)
    expect(await askTunnel(bridge, 'a.example:443')).toMatchObject({ status: 504 })
  })
})

describe('the end', () => {
  test('takes everything with it, and all of it was reported', async () => {
    const hostEnds: Promise<void>[] = []
    const silent = await serveRaw((socket) => hostEnds.push(closed(socket)))
    const names = { 'app.example': ['127.0.0.1'] }
    let slow = 0
    const lookup = (name: string): Promise<readonly string[]> => {
      if (name !== 'slow.example') return lookupIn(names)(name)
      slow++
      return new Promise(() => {})
    }
    const bridge = await bridgeFor([...scopesFor(silent), 'slow.example'], names, { lookup })
    const tunnel = await openTunnel(bridge, `app.example:${silent}`)
    const waiting = [
      ask(bridge, `http://app.example:${silent}/`),
      ask(bridge, 'http://slow.example/'),
      askTunnel(bridge, 'slow.example:443'),
    ].map((one) => one.then(String, () => 'ended'))
    while (hostEnds.length < 2 || slow < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(readdirSync(dirname(bridge.socket))).toHaveLength(1)
    await bridge.close()
    expect(await Promise.all(waiting)).toEqual(['ended', 'ended', 'ended'])
    await Promise.all([closed(tunnel), ...hostEnds])
    expect(reports.map(({ outcome }) => outcome).sort()).toEqual([
      'answered',
      'cancelled',
      'cancelled',
      'cancelled',
    ])
    expect(readdirSync(dirname(bridge.socket))).toEqual([])
  })

  test('comes when a program goes away in the middle', async () => {
    let hostEnd: Promise<void> | undefined
    const port = await serve((_request, response) => {
      hostEnd = new Promise((resolve) => response.once('close', resolve))
      response.write('x')
    })
    const bridge = await bridgeFor(scopesFor(port), names)
    await new Promise<void>((resolve) => {
      const asked = request({ socketPath: bridge.socket, path: `http://app.example:${port}/` }, () => {
        asked.destroy()
        resolve()
      })
      asked.end()
    })
    await hostEnd
    await bridge.close()
    expect(reports).toMatchObject([{ outcome: 'cancelled', status: 200 }])
  })

  test('comes when what happens cannot be reported', async () => {
    const silent = await serveRaw(() => {})
    let isFull = false
    const report = (): void => {
      if (isFull) throw new Error('the disk is full')
    }
    const bridge = await bridgeFor(scopesFor(silent), names, { report })
    const tunnel = await openTunnel(bridge, `app.example:${silent}`)
    expect((await ask(bridge, 'http://evil.example/')).status).toBe(403)
    expect(tunnel.destroyed).toBe(false)
    isFull = true
    await ask(bridge, 'http://evil.example/').catch(() => {})
    await closed(tunnel)
    await expect(ask(bridge, 'http://evil.example/')).rejects.toThrow()
    bridges = []
  })
})

test('only this user gets at the socket', async () => {
  const { socket } = await bridgeFor([])
  expect(statSync(socket).mode & 0o777).toBe(0o600)
  expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700)
  await expect(bridgeFor([], {}, { folder: join(folder, 'x'.repeat(90)) })).rejects.toMatchObject({
    code: 'LISTEN_FAILED',
  })
})
