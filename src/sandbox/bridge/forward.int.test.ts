import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { sandboxHere } from '../../../test/support/sandbox-here.ts'
import { makeAuthority } from '../../../test/support/certificates.ts'
import { grantsOf, lookupIn } from '../../../test/support/http-egress.ts'
import { webServers } from '../../../test/support/web-servers.ts'
import { openBridge, type HttpBridge } from '../../tools/http/bridge.ts'
import type { RequestReport } from '../../tools/http/request-report.ts'
import { bridgeEnv, bridgeScript } from './forward.ts'

const bwrap = '/usr/bin/bwrap'
const { serve, listen, serveRaw } = webServers()
const authority = makeAuthority()
let folder = ''
let bridge: HttpBridge | undefined
let reports: RequestReport[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctxd-forward-'))
  writeFileSync(join(folder, 'forward.cjs'), bridgeScript)
  writeFileSync(join(folder, 'client.cjs'), client)
  writeFileSync(join(folder, 'ca.pem'), authority.ca)
  bridge = undefined
  reports = []
})

afterEach(async () => {
  await bridge?.close()
  rmSync(folder, { recursive: true })
})

/** A program that uses the proxy variables: `get URL`, `tls HOST PORT NAME`, `direct PORT`. */
const client = `
const { connect } = require('node:net')
const http = require('node:http')
const tls = require('node:tls')
const { readFileSync } = require('node:fs')
const proxy = process.env.http_proxy && new URL(process.env.http_proxy)
const [kind, ...args] = process.argv.slice(2)
const say = (text) => process.stdout.write(text)
const fail = (error) => say('failed ' + error.code)
const to = { host: proxy?.hostname, port: proxy?.port }
if (kind === 'get') {
  http.get({ ...to, path: args[0] }, (answer) => {
    say(answer.statusCode + ' ')
    answer.on('data', say)
  }).on('error', fail)
} else if (kind === 'tls') {
  const [host, port, servername] = args
  http.request({ ...to, method: 'CONNECT', path: host + ':' + port }).on('connect', (answer, socket) => {
    if (answer.statusCode !== 200) return say(String(answer.statusCode)), socket.destroy()
    const ca = readFileSync(process.env.CA)
    const secure = tls.connect({ socket, servername, ca }, () => secure.write('GET / HTTP/1.0\\r\\n\\r\\n'))
    secure.on('data', say).on('error', fail)
  }).on('error', fail).end()
} else {
  const socket = connect(Number(args[0]), '127.0.0.1').on('error', fail)
  socket.on('data', say)
}
`

async function openFor(port: number): Promise<void> {
  bridge = await openBridge({
    folder: join(folder, 'run'),
    grants: grantsOf([`app.example:${port}`, `127.0.0.1:${port}`]),
    lookup: lookupIn({ 'app.example': ['127.0.0.1'], 'other.example': ['127.0.0.1'] }),
    report: (report) => reports.push(report),
    timeMs: 100_000,
  })
}

const run = (file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> =>
  new Promise((resolve) => {
    execFile(file, args, { env, timeout: 150_000, killSignal: 'SIGKILL' }, (_error, stdout) =>
      resolve(stdout),
    )
  })

/** Runs a shell command where the bridge is the only network. */
function inside(command: string): Promise<string> {
  const start = `exec {ready}< <(exec env -i ${process.execPath} /mnt/forward.cjs /mnt/bridge.sock); IFS= read -r -u $ready line`
  const script = `${start}; [ "$line" = ready ] || exit 9; ${command}`
  const files = ['forward.cjs', 'client.cjs', 'ca.pem'].map(
    (name) => [join(folder, name), `/mnt/${name}`] as const,
  )
  const variables = { ...bridgeEnv({ toLoopback: false }), CA: '/mnt/ca.pem', PATH: '/usr/bin:/bin' }
  const args = [
    '--unshare-all --die-with-parent --new-session --cap-drop ALL --clearenv --ro-bind / /'.split(' '),
    '--proc /proc --dev /dev --tmpfs /mnt'.split(' '),
    Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]),
    files.flatMap(([from, to]) => ['--ro-bind', from, to]),
    ['--ro-bind', bridge!.socket, '/mnt/bridge.sock'],
    // Otherwise, bash would take a socket as input for a remote login and read start-up files.
    ['--', 'bash', '--norc', '-c', script],
  ].flat()
  return run(bwrap, args)
}

const program = (...args: (string | number)[]): Promise<string> =>
  inside(`exec ${process.execPath} /mnt/client.cjs ${args.join(' ')}`)

describe.runIf(sandboxHere)('inside a sandbox', () => {
  test('only granted hosts are reachable, and nothing is reachable without the bridge', async () => {
    const port = await serveRaw((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello'),
    )
    await openFor(port)
    expect(await program('get', `http://app.example:${port}/`)).toBe('200 hello')
    expect(await program('get', `http://other.example:${port}/`)).toBe(
      `403 contextd: no grant covers this host; the user can add "http:fetch:other.example:${port}" to allow.capabilities of this agent\n`,
    )
    expect(await program('direct', port)).toBe('failed ECONNREFUSED')
    // Outside, the same program can reach it.
    expect(await run(process.execPath, [join(folder, 'client.cjs'), 'direct', String(port)])).toMatch(
      /hello$/,
    )
    await bridge!.close()
    expect(reports.map(({ outcome }) => outcome)).toEqual(['answered', 'not_granted'])
  })

  test('a tunnel ends at the host, whose certificate the program verifies itself', async () => {
    const port = await listen(
      createTlsServer(authority.issue('app.example'), (_request, response) => response.end('private')),
    )
    await openFor(port)
    expect(await program('tls', 'app.example', port, 'app.example')).toMatch(/private$/)
    expect(await program('tls', 'app.example', port, 'bank.example')).toBe(
      'failed ERR_TLS_CERT_ALTNAME_INVALID',
    )
    expect(await program('tls', 'other.example', port, 'app.example')).toBe('403')
  })

  test('forwards many connections at once', async () => {
    const port = await serve((_request, response) => response.end('x'.repeat(300_000)))
    await openFor(port)
    const one = `${process.execPath} /mnt/client.cjs get http://app.example:${port}/ | tail -c +5 | wc -c`
    const counts = await inside(`for i in 1 2 3 4 5 6; do ${one} & pids="$pids $!"; done; wait $pids`)
    expect(counts.trim().split(/\s+/)).toEqual(Array(6).fill('300000'))
  })

  test.runIf(existsSync('/usr/bin/curl'))('curl uses the bridge without configuration', async () => {
    const port = await serve((request, response) => request.pipe(response))
    await openFor(port)
    expect(await inside(`curl -sS -d hello http://app.example:${port}/`)).toBe('hello')
    const own = `require('node:http').createServer((q, r) => r.end('own')).listen(8080, () => console.log())`
    const start = `exec {own}< <(exec ${process.execPath} -e "${own}"); IFS= read -r -u $own _`
    expect(await inside(`${start}; curl -sS http://localhost:8080/`)).toBe('own')
    expect(await inside('curl -sS http://evil.example/')).toContain('contextd: no grant covers this host; ')
    expect(await inside('curl -sS https://evil.example/ 2>&1')).toContain('403')
  })
})
