import { execFile } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { basename, dirname, join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { ask, askTunnel, bridgeProbe, closed, once, openTunnel } from '../../../test/support/http-bridge.ts'
import { lookupIn } from '../../../test/support/http-egress.ts'
import { webServers } from '../../../test/support/web-servers.ts'
import { removeDeadBridges } from './bridge-socket.ts'

const { serve, serveRaw } = webServers()
const { open, reports } = bridgeProbe()
const names = { 'app.example': ['127.0.0.1'] }
const scopesFor = (port: number): string[] => [`app.example:${port}`, `127.0.0.1:${port}`]

describe('bounds', () => {
  test('more than 64 connections at once are not taken', async () => {
    const bridge = await open([])
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

  test('who asks again without waiting opens no more connections', async () => {
    let most = 0
    const port = await serve((_request, response) => {
      most++
      setTimeout(() => response.end('late'), 200)
    })
    const bridge = await open(scopesFor(port), names)
    const line = `GET http://app.example:${port}/ HTTP/1.1\r\nHost: app.example\r\n\r\n`
    const connection = connect(bridge.socket).on('error', () => {})
    connection.write(line.repeat(100))
    await closed(connection)
    expect(most).toBeLessThan(2)
    // One after the other they are answered, over one connection.
    const patient = connect(bridge.socket).setEncoding('utf8')
    for (let count = 0; count < 3; count++) {
      patient.write(line)
      let text = ''
      while (!text.endsWith('late')) text += await once<string>(patient, 'data')
    }
    patient.destroy()
    // A server of Node does begin with all of them at once.
    most = 0
    const direct = connect(port, '127.0.0.1')
    direct.write(line.repeat(5))
    await once(direct, 'data')
    direct.destroy()
    expect(most).toBe(5)
  })

  test('a connection where nothing moves is closed', async () => {
    const silent = await serveRaw(() => {})
    const bridge = await open(scopesFor(silent), names, { idleMs: 1500 })
    const tunnel = await openTunnel(bridge, `app.example:${silent}`)
    const half = connect(bridge.socket)
    half.write('GET http://a')
    await Promise.all([closed(tunnel), closed(half)])
    await expect(ask(bridge, `http://app.example:${silent}/`)).rejects.toThrow()
    await bridge.close()
  })

  test('a host that is not reached in time is given up', async () => {
    const lookup = (): Promise<never> => new Promise(() => {})
    const bridge = await open(['*'], {}, { lookup, timeMs: 100 })
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
    const bridge = await open([...scopesFor(silent), 'slow.example'], names, { lookup })
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

  test('comes when a program disconnects midway', async () => {
    let hostEnd: Promise<void> | undefined
    const port = await serve((_request, response) => {
      hostEnd = new Promise((resolve) => response.once('close', resolve))
      response.write('x')
    })
    const bridge = await open(scopesFor(port), names)
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
    const bridge = await open(scopesFor(silent), names, { report })
    const tunnel = await openTunnel(bridge, `app.example:${silent}`)
    expect((await ask(bridge, 'http://evil.example/')).status).toBe(403)
    expect(tunnel.destroyed).toBe(false)
    isFull = true
    await ask(bridge, 'http://evil.example/').catch(() => {})
    await closed(tunnel)
    await expect(ask(bridge, 'http://evil.example/')).rejects.toThrow()
  })
})

test('only this user gets at the socket', async () => {
  const { socket } = await open([])
  expect(statSync(socket).mode & 0o777).toBe(0o600)
  expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700)
  await expect(open([], {}, { folder: join(dirname(socket), 'x'.repeat(90)) })).rejects.toMatchObject({
    code: 'LISTEN_FAILED',
  })
})

test('what a killed contextd left behind is removed, what is in use stays', async () => {
  const { socket } = await open([])
  const run = dirname(socket)
  const dead = join(run, 'dead.bridge')
  const script = `require('node:net').createServer().listen(${JSON.stringify(dead)}, () => process.kill(process.pid, 'SIGKILL'))`
  await new Promise<void>((resolve) => execFile(process.execPath, ['-e', script], () => resolve()))
  expect(readdirSync(run).sort()).toEqual([basename(socket), 'dead.bridge'].sort())
  await removeDeadBridges(run)
  expect(readdirSync(run)).toEqual([basename(socket)])
  await removeDeadBridges(join(run, 'not-there'))
})
