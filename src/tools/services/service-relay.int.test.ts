import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'

import { afterEach, describe, expect, test } from 'vitest'

import { sandboxHere } from '../../../test/support/sandbox-here.ts'
import { toolRuntime, type ToolRuntime } from '../../../test/support/tool-runtime.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { listenOnPort } from '../../servers/limits/listen.ts'

const usual = ['fs:read:**', 'fs:write:**', 'shell:exec']
const rulesWith = (...capabilities: string[]): object => ({
  agents: { default: { allow: { servers: ['contextd'], capabilities: [...usual, ...capabilities] } } },
  defaults: { deny_on_missing_agent: false },
})

let place: ToolRuntime | undefined
const open: Server[] = []

afterEach(async () => {
  await place?.close()
  for (const server of open.splice(0)) server.close()
})

async function start(...grants: string[]): Promise<void> {
  place = await toolRuntime({ rules: rulesWith(...grants) })
}

async function listen(server: Server, host = '127.0.0.1', port = 0): Promise<number> {
  open.push(server)
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  return (server.address() as AddressInfo).port
}

const echo = (): Server =>
  createServer((socket) => {
    socket.on('error', () => {}).pipe(socket)
  })

async function bash(command: string): Promise<JsonObject> {
  const result = await place!.call('safe_bash', { command })
  if (result.kind !== 'answer') throw new Error(JSON.stringify(result))
  return (result.structured as JsonObject).data as JsonObject
}

/** Says `hello` to an address, and prints what comes back. */
const hello = (host: string, port: number): string =>
  `timeout 20 bash -c 'exec 9<>/dev/tcp/${host}/${port} && echo hello >&9 && IFS= read -r -u 9 line && echo "$line"'`

const connections = (): (JsonObject | undefined)[] =>
  place!.records.audit
    .query({ kind: 'event' })
    .filter(({ event }) => event === 'service-connection')
    .map(({ details }) => details)

describe.runIf(sandboxHere)('a granted service', () => {
  test('is at its own address, and its connections are recorded', async () => {
    const port = await listen(echo())
    await start(`net:connect:127.0.0.1:${port}`)
    expect(await bash(hello('127.0.0.1', port))).toEqual({ exit_code: 0, stdout: 'hello\n', stderr: '' })
    expect(connections()).toEqual([
      {
        call: expect.any(String) as string,
        host: '127.0.0.1',
        port,
        outcome: 'connected',
        sent_bytes: 6,
        received_bytes: 6,
        duration_ms: expect.any(Number) as number,
      },
    ])
  })

  test('is not there without its grant', async () => {
    const [granted, other] = [await listen(echo()), await listen(echo())]
    await start(`net:connect:127.0.0.1:${granted}`)
    const { stdout, stderr } = await bash(`${hello('127.0.0.1', other)}; ${hello('127.0.0.1', granted)}`)
    expect([stdout, stderr]).toEqual(['hello\n', expect.stringContaining('Connection refused')])
    await place!.close()
    await start()
    expect(await bash(hello('127.0.0.1', granted))).toMatchObject({ stdout: '', exit_code: 1 })
  })

  test('opens nothing else of the machine, whatever the address is called', async () => {
    // A server on all addresses, and a sandbox that may reach another port.
    const [all, granted] = [await listen(echo(), '::'), await listen(echo())]
    await start(`net:connect:127.0.0.1:${granted}`)
    const names = [
      '127.0.0.1',
      '127.0.0.2',
      'localhost',
      'sandbox',
      '0.0.0.0',
      '::1',
      '::ffff:127.0.0.1',
      '2130706433',
    ]
    const { stdout } = await bash(names.map((name) => hello(name, all)).join('; '))
    expect(stdout).toBe('')
    // Every name that refers to the sandbox itself finds the service that is granted.
    const { stdout: found } = await bash(
      ['127.0.0.1', '2130706433', '0.0.0.0'].map((name) => hello(name, granted)).join('; '),
    )
    expect(found).toBe('hello\nhello\nhello\n')
    // The proxy applies its own grants, of which there are none.
    const proxied = await bash(`no_proxy= NO_PROXY= curl -sS http://127.0.0.1:${granted}/`)
    expect(proxied.stdout).toContain('no grant covers this host')
  })

  test('can be an IPv6 address', async () => {
    const port = await listen(echo(), '::1')
    await start(`net:connect:[::1]:${port}`)
    expect((await bash(hello('::1', port))).stdout).toBe('hello\n')
    expect((await bash(hello('127.0.0.1', port))).stdout).toBe('')
  })

  test('takes large amounts in both directions, half-closed connections and many at once', async () => {
    const port = await listen(echo())
    await start(`net:connect:127.0.0.1:${port}`)
    const one = `perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new("127.0.0.1:${port}"); if (!fork) { print $s "x" x 3000000; shutdown($s, 1); exit } $n += length while <$s>; print "$n\\n"'`
    const { stdout } = await bash(`for i in 1 2 3 4; do ${one} & done; wait`)
    expect(stdout).toBe('3000000\n'.repeat(4))
    expect(connections()).toHaveLength(4)
  })

  test('redirects nowhere: another port stays closed', async () => {
    const inner = await listen(createHttpServer((_request, response) => response.end('inner')))
    const to = `http://127.0.0.1:${inner}/`
    const port = await listen(
      createHttpServer((_request, response) => response.writeHead(302, { location: to }).end('moved')),
    )
    await start(`net:connect:127.0.0.1:${port}`)
    expect(await bash(`curl -sSL http://localhost:${port}/`)).toMatchObject({ stdout: '', exit_code: 7 })
    expect((await bash(`curl -sS http://localhost:${port}/`)).stdout).toBe('moved')
    await place!.close()
    await start(`net:connect:127.0.0.1:${port}`, `net:connect:127.0.0.1:${inner}`)
    expect((await bash(`curl -sSL http://localhost:${port}/`)).stdout).toBe('inner')
  })

  test('that does not run ends the connection', async () => {
    const server = echo()
    const port = await listen(server)
    await new Promise((resolve) => server.close(resolve))
    await start(`net:connect:127.0.0.1:${port}`)
    expect((await bash(hello('127.0.0.1', port))).stdout).toBe('')
    expect(connections()).toMatchObject([{ outcome: 'unreachable', sent_bytes: 0 }])
    await listen(echo(), '127.0.0.1', port)
    expect((await bash(hello('127.0.0.1', port))).stdout).toBe('hello\n')
  })

  test("is never contextd's own, in whichever process it listens", async () => {
    const own = echo()
    open.push(own)
    const address = await listenOnPort(own, { host: '127.0.0.1', port: 0 })
    const port = Number(address.split(':')[1])
    await start(`net:connect:127.0.0.1:${port}`, 'net:connect:[::1]:7391')
    expect(await bash(hello('127.0.0.1', port))).toMatchObject({
      stdout: '',
      refused_hosts: [`127.0.0.1:${port}`],
      refused_because: `127.0.0.1:${port}: the port belongs to contextd, which agents cannot connect to by any grant.`,
    })
    expect((await bash(hello('::1', 7391))).refused_hosts).toEqual(['[::1]:7391'])
    expect(connections()).toMatchObject([{ outcome: 'own_port' }, { outcome: 'own_port' }])
    // The same server without the mark of contextd.
    await new Promise((resolve) => own.close(resolve))
    await listen(echo(), '127.0.0.1', port)
    expect((await bash(hello('127.0.0.1', port))).stdout).toBe('hello\n')
  })

  test.runIf(existsSync('/usr/bin/redis-server'))('can be Redis', async () => {
    const port = await listen(echo())
    await new Promise((resolve) => open.pop()!.close(resolve))
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', '/tmp']
    const redis = spawn('/usr/bin/redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] })
    try {
      let said = ''
      for await (const chunk of redis.stdout) {
        said += String(chunk)
        if (said.includes('Ready to accept connections')) break
      }
      await start(`net:connect:127.0.0.1:${port}`)
      const client = `redis-cli -h 127.0.0.1 -p ${port}`
      expect((await bash(`${client} set greeting hello; ${client} get greeting`)).stdout).toBe('OK\nhello\n')
    } finally {
      redis.kill()
    }
  })
})
