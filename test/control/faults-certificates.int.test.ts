import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import type { Glance } from '../../src/cli/commands/glance/facts.ts'
import { LOCAL_TENANT } from '../../src/core/call.ts'
import { openStore } from '../../src/platform/storage/store.ts'
import { day } from '../../src/platform/tls/authority.ts'
import { certifyCaller } from '../../src/platform/tls/changes.ts'
import { writeClientTls } from '../../src/platform/tls/client-files.ts'
import { ownPort } from '../support/own-port.ts'
import { withoutSandboxNotice } from '../support/sandbox-here.ts'
import { makeDaemonHome, type DaemonHome } from './daemon-home.ts'
import { foreignClient } from './grpc-foreign.ts'

/** Every file of the certificate folder with its content. */
function filesOf({ paths }: DaemonHome): Record<string, string> {
  const names = readdirSync(paths.tls).sort()
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(paths.tls, name), 'utf8')]))
}

/** Reserves a port for other machines. */
async function withControlPort(home: DaemonHome, more = ''): Promise<number> {
  const port = await ownPort()
  home.write('config/config.toml', `[http]\nport = 0\n${more}[control]\nport = ${port}\n`)
  return port
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}

interface Check {
  readonly id: string
  readonly status: string
  readonly message: string
  readonly fix?: string
}

async function certificatesCheck(home: DaemonHome): Promise<Check | undefined> {
  const { checks } = JSON.parse((await home.ctxd('doctor', '--json')).out) as { checks: Check[] }
  return checks.find(({ id }) => id === 'certificates')
}

async function attention(home: DaemonHome): Promise<string> {
  const glance = JSON.parse((await home.ctxd('--json')).out) as Glance
  return JSON.stringify(withoutSandboxNotice(glance.attention))
}

const damages: [file: string, how: string, damage: (path: string) => void][] = [
  ['ca.pem', 'is missing', (path) => rmSync(path)],
  ['ca.key', 'is empty', (path) => truncateSync(path)],
  ['server.pem', 'contains no readable certificate', (path) => truncateSync(path, 100)],
  [
    'server.key',
    'is not the key of server.pem',
    (path) => writeFileSync(path, readFileSync(join(path, '..', 'ca.key'))),
  ],
]

describe('an incomplete certificate folder', () => {
  test.each(damages)(
    '%s %s: other machines are rejected, local callers are served',
    async (file, how, damage) => {
      const home = makeDaemonHome()
      home.setUpTls()
      const port = await withControlPort(home)
      const path = join(home.paths.tls, file)
      damage(path)
      const before = filesOf(home)

      const { status } = await home.serve()
      expect(status.grpc).toContain('closed to other machines: ')
      expect(status.grpc).toContain(`${path} ${how}`)
      expect(await isOpen(port)).toBe(false)
      expect(await home.ctxd('agents', 'list')).toMatchObject({ code: 0, err: '' })
      const client = foreignClient(`unix:${home.paths.controlSocket}`)
      expect(await client.unary('Policy/List')).toHaveProperty('agents')
      client.close()

      const listed = await home.ctxd('tls', 'list')
      expect([listed.code, listed.out]).toEqual([74, ''])
      expect(listed.err).toContain(
        `TLS_FOLDER_DAMAGED: The certificate folder cannot be used: ${path} ${how}`,
      )
      expect(listed.err).toContain('ctxd tls init --force')
      expect(await certificatesCheck(home)).toMatchObject({
        status: 'fail',
        message: expect.stringContaining(`${path} ${how}`),
        fix: expect.stringContaining('ctxd tls init --force'),
      })
      expect(await attention(home)).toContain(`${path} ${how}`)
      expect(filesOf(home)).toEqual(before)
    },
  )

  test('HTTPS does not fall back to HTTP', async () => {
    const home = makeDaemonHome()
    home.setUpTls()
    await withControlPort(home, 'tls = true\n')
    rmSync(join(home.paths.tls, 'server.pem'))
    const { code, err } = await home.start('contextd', ['serve']).ended
    expect([code, err]).toEqual([74, expect.stringContaining('TLS_FOLDER_DAMAGED')])
    expect(readdirSync(home.paths.run)).toEqual([])
  })

  test('control: a complete one opens the port', async () => {
    const home = makeDaemonHome()
    home.setUpTls()
    const port = await withControlPort(home)
    const { status } = await home.serve()
    expect([status.grpc, await isOpen(port)]).toEqual([`127.0.0.1:${port}`, true])
    expect(await certificatesCheck(home)).toEqual({
      id: 'certificates',
      status: 'ok',
      message: home.paths.tls,
    })
    expect(await attention(home)).toBe('[]')
  })
})

/** A certificate for the user on another machine, issued at that time. */
function issueTo(home: DaemonHome, clock: () => number): NodeJS.ProcessEnv {
  const store = openStore(home.paths.database)
  const place = { folder: home.paths.tls, store, tenant: LOCAL_TENANT, clock }
  const made = certifyCaller(place, { kind: 'operator', id: 'ada' }, day)
  store.close()
  writeClientTls(join(home.path, 'ada'), made, made.authority.certificate)
  return { CONTEXTD_TLS: join(home.path, 'ada') }
}

describe('a wrong clock', () => {
  const clocks: [string, number, string, string][] = [
    ['behind', 40 * day, 'is valid from', 'not yet valid'],
    ['far ahead', -20 * 365 * day, 'was valid until', 'expired'],
  ]
  test.each(clocks)(
    '%s: reported with both times, and nothing is replaced',
    async (_, ahead, words, state) => {
      const home = makeDaemonHome()
      const then = (): number => Date.now() + ahead
      home.setUpTls(then)
      const port = await withControlPort(home)
      const before = filesOf(home)
      const env = issueTo(home, then)

      const { status } = await home.serve()
      for (const text of [status.grpc, (await certificatesCheck(home))?.message, await attention(home)]) {
        expect(text).toContain(words)
        expect(text).toContain("this machine's clock says")
      }
      expect((await certificatesCheck(home))?.fix).toContain('Correct the clock if it is wrong')
      const listed = await home.ctxd('tls', 'list')
      expect([listed.code, listed.out]).toEqual([0, expect.stringContaining(state)])
      expect(await home.ctxd('agents', 'list')).toMatchObject({ code: 0, err: '' })

      const addr = { CONTEXTD_ADDR: `127.0.0.1:${port}`, ...env }
      const { code, err } = await home.start('ctxd', ['server', 'status'], { env: addr }).ended
      expect([code, err]).toEqual([78, expect.stringContaining("this machine's clock says")])
      expect(filesOf(home)).toEqual(before)
    },
  )

  test('the server renews its own certificate if its authority is valid, and records it', async () => {
    const home = makeDaemonHome()
    home.setUpTls(() => Date.now() - 60 * day)
    const port = await withControlPort(home)
    const before = filesOf(home)
    const env = { CONTEXTD_ADDR: `127.0.0.1:${port}`, ...issueTo(home, Date.now) }
    const { status } = await home.serve()
    expect(status.grpc).toBe(`127.0.0.1:${port}`)
    expect(await home.start('ctxd', ['server', 'status'], { env }).ended).toMatchObject({ code: 0 })
    const after = filesOf(home)
    expect([after['ca.pem'], after['ca.key']]).toEqual([before['ca.pem'], before['ca.key']])
    expect(after['server.pem']).not.toBe(before['server.pem'])
    expect((await home.ctxd('audit', 'query', '--event', 'certificate-renewed')).out).toContain(
      'certificate-renewed',
    )
  })
})
