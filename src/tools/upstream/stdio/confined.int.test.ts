import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { openToolchains } from '../../../platform/toolchains.ts'
import { bridgeEnv } from '../../../sandbox/bridge/forward.ts'
import { openBubblewrap } from '../../../sandbox/bubblewrap.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import { roomyLimits } from '../../../../test/sandbox/confined-to.ts'
import { bridgeProbe } from '../../../../test/support/http-bridge.ts'
import { sandboxHere } from '../../../../test/support/sandbox-here.ts'
import { fixtureTransport } from '../../../../test/support/upstream-fixtures/stdio-transport.ts'
import { webServers } from '../../../../test/support/web-servers.ts'
import type { Connection } from '../connection.ts'
import type { StdioTransport } from '../server.ts'
import { confinedStarter } from './confined-process.ts'
import { connectStdio } from './connect.ts'

// Not below /tmp, because the sandbox has its own.
const cache = resolve('node_modules', '.cache')
mkdirSync(cache, { recursive: true })
const folder = realpathSync(mkdtempSync(join(cache, 'contextd-confined-')))
const project = join(folder, 'project')
const outside = join(folder, 'outside')
const secret = join(outside, 'secret')
for (const path of [project, outside, join(project, 'output')]) mkdirSync(path)
writeFileSync(secret, 'a secret')
afterAll(() => rmSync(folder, { recursive: true }))

const fixtures = resolve('test', 'support', 'upstream-fixtures')
const nodeFolder = dirname(dirname(realpathSync(process.execPath)))

describe.runIf(sandboxHere)('a server inside the sandbox', () => {
  const web = webServers()
  const bridges = bridgeProbe()
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await openBubblewrap({ folder: join(folder, 'sandbox') })
  })
  afterAll(() => sandbox.close())

  async function connect(transport: StdioTransport): Promise<Connection> {
    const startConfined = confinedStarter({
      sandbox,
      limits: { ...roomyLimits, memoryBytes: 1 << 30, processes: 256 },
      toolchains: openToolchains(nodeFolder === '/usr' ? [] : [nodeFolder]),
      ownFolders: [],
      protect: [],
      home: folder,
      async openBridge(grants) {
        const scopes = grants.flatMap(({ kind, scope = '' }) => (kind === 'http:fetch' ? [scope] : []))
        const { socket, close } = await bridges.open(scopes)
        return { socket, close, env: bridgeEnv({ toLoopback: true }) }
      },
    })
    return connectStdio(
      transport,
      'auto',
      { project, env: { ...process.env, ANTHROPIC_API_KEY: 'our own key' }, startConfined },
      { onNotice: () => {}, signal: new AbortController().signal, maxMessageBytes: 1 << 20 },
    )
  }
  const confined = (...capabilities: string[]): StdioTransport =>
    fixtureTransport('naughty', ['probe'], {
      env: { DECLARED: 'yes' },
      sandbox: { capabilities: [`fs:read:${fixtures}/**`, ...capabilities] },
    })
  async function probe(transport: StdioTransport, args: JsonObject): Promise<JsonObject> {
    const connection = await connect(transport)
    try {
      const exchange = { signal: new AbortController().signal, asks: [] }
      return await connection.request('tools/call', { name: 'probe', arguments: args }, exchange)
    } finally {
      await connection.close()
    }
  }

  test('has no undeclared access, unlike outside the sandbox', async () => {
    const port = await web.serve((_, response) => response.end('inner page'))
    const args = { read: secret, write: join(outside, 'marker'), url: `http://127.0.0.1:${port}/` }
    const found = await probe(confined(), args)
    expect(found).toMatchObject({ read: 'ENOENT', write: 'ENOENT', fetched: 'ECONNREFUSED', cwd: '/tmp' })
    expect(found.env).toMatchObject({ DECLARED: 'yes' })
    expect(found.env).not.toHaveProperty('ANTHROPIC_API_KEY')
    expect(existsSync(args.write)).toBe(false)

    const free = await probe(fixtureTransport('naughty', ['probe']), args)
    expect(free).toMatchObject({
      read: 'a secret',
      write: 'written',
      fetched: '200 inner page',
      cwd: project,
    })
    expect(existsSync(args.write)).toBe(true)
  })

  test('has the declared access to files and network', async () => {
    const port = await web.serve((_, response) => response.end('inner page'))
    const write = join(project, 'output', 'made')
    const found = await probe(
      confined(`fs:read:${outside}/**`, 'fs:read', 'fs:write:output/**', `http:fetch:127.0.0.1:${port}`),
      { read: secret, write, url: `http://127.0.0.1:${port}/` },
    )
    expect(found).toMatchObject({
      read: 'a secret',
      write: 'written',
      fetched: '200 inner page',
      cwd: project,
    })
    expect(readFileSync(write, 'utf8')).toBe('written')
    expect(bridges.reports).toMatchObject([{ host: '127.0.0.1', port }])
  })

  test('cannot reach other hosts through the proxy for one', async () => {
    const [granted, other] = await Promise.all([
      web.serve((_, response) => response.end('granted')),
      web.serve((_, response) => response.end('other')),
    ])
    const transport = confined(`http:fetch:127.0.0.1:${granted}`)
    const args = { read: secret, write: join(outside, 'marker 2') }
    const found = await probe(transport, { ...args, url: `http://127.0.0.1:${other}/` })
    expect(found.fetched).toMatch(/^403 /)
    expect(await probe(transport, { ...args, url: `http://127.0.0.1:${granted}/` })).toMatchObject({
      fetched: '200 granted',
    })
  })

  test('does not run if the sandbox cannot enforce its entry', async () => {
    await expect(connect(confined('fs:write'))).rejects.toMatchObject({
      name: 'ConnectionLost',
      message: expect.stringContaining('fs:write:output/**'),
      sent: false,
    })
    await expect(connect(confined('shell:exec'))).rejects.toThrow('fs:read, fs:write and http:fetch only')
    await expect(connect(confined('fs:reed'))).rejects.toThrow('fs:read, fs:write and http:fetch only')
    await expect(connect({ ...confined(), cwd: outside })).rejects.toThrow(
      'its working directory is not readable in the sandbox',
    )
  })

  test('that ignores signals is killed, and its last output is reported', async () => {
    const transport = confined()
    const [file = ''] = transport.args
    const stubborn = await connect({ ...transport, args: [file, 'ignores-all'] })
    await stubborn.close()
    await expect(stubborn.ended).resolves.toMatchObject({ message: expect.stringContaining('closed') })
    await expect(connect({ ...transport, args: [file, 'dies-at-start'] })).rejects.toMatchObject({
      message: expect.stringContaining('exit code 1'),
      lastLine: 'the configuration is wrong',
    })
  })
})
