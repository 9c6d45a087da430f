import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { status as grpcStatus } from '@grpc/grpc-js'
import { expect, test } from 'vitest'

import type { Glance } from '../../src/cli/commands/glance/facts.ts'
import { openRecords } from '../../src/compose.ts'
import { LOCAL_TENANT } from '../../src/core/call.ts'
import { openStore } from '../../src/platform/storage/store.ts'
import { openWebhooks } from '../../src/servers/webhooks/open-webhooks.ts'
import { createAuditReader } from '../../src/stages/audit/query.ts'
import { bundleScript } from '../support/bundled-script.ts'
import { sandboxHere, withoutSandboxNotice } from '../support/sandbox-here.ts'
import { until } from '@contextd/shared/testing/until'
import { textOf, webServers } from '../support/web-servers.ts'
import { makeDaemonHome, type DaemonHome } from './daemon-home.ts'
import { foreignClient } from './grpc-foreign.ts'

const servers = webServers()

/** The recorded calls of a tool, as seen when so much time has passed. */
function callsLater(home: DaemonHome, tool: string, ms: number): (string | undefined)[] {
  const store = openStore(home.paths.database)
  try {
    const audit = createAuditReader({ store, tenant: LOCAL_TENANT, clock: () => Date.now() + ms })
    return audit.query({ tool }).map(({ status }) => status)
  } finally {
    store.close()
  }
}

const day = 86_400_000

test('every kind of caller is notified that the daemon was killed, no call is made twice, and all are recorded', async () => {
  const home = makeDaemonHome()
  const script = await bundleScript('test/support/slow-daemon.ts')
  const daemon = home.node(script.path)
  try {
    await daemon.says('ready')
    const token = readFileSync(join(home.paths.keys, 'http-token'), 'utf8').trim()
    const { mcp } = JSON.parse((await home.ctxd('server', 'status', '--json')).out) as { mcp: string }

    const tail = home.start('ctxd', ['audit', 'tail', '--follow', '--json'])
    await tail.says('daemon-started')
    const proxy = home.proxy('endless', {})
    const client = foreignClient(`unix:${home.paths.controlSocket}`)
    const overGrpc = client.unary('Tools/Call', { name: 'endless' }).catch((error: unknown) => error)
    const overHttp = fetch(mcp.replace('/mcp', '/api/v1/tools/endless'), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    }).catch((error: unknown) => error)
    // All three calls have reached the tool.
    await until(() => daemon.said().split('running').length === 4)
    daemon.kill('SIGKILL')

    const lost = await proxy
    expect([lost.code, lost.out]).toEqual([11, ''])
    expect(JSON.parse(lost.err)).toMatchObject({
      error: { code: 'DAEMON_LOST', hint: expect.stringContaining('ctxd audit query') },
    })
    const cut = await tail.ended
    expect([cut.code, JSON.parse(cut.err)]).toEqual([
      11,
      { error: expect.objectContaining({ code: 'DAEMON_LOST', rpc: 'Audit/Tail' }) },
    ])
    expect(await overGrpc).toMatchObject({ code: grpcStatus.UNAVAILABLE })
    expect(await overHttp).toBeInstanceOf(TypeError)
    client.close()
  } finally {
    script.remove()
  }

  expect(callsLater(home, 'endless', 0)).toEqual(['open', 'open', 'open'])
  expect(callsLater(home, 'endless', day)).toEqual(['crashed', 'crashed', 'crashed'])
  const glance = JSON.parse((await home.ctxd('--json')).out) as Glance
  expect(glance.daemon).toEqual({ running: false })
  expect(withoutSandboxNotice(glance.attention)).toEqual([
    {
      problem: `${home.paths.pidFile} exists, but its daemon does not respond`,
      fix: 'Start it with `ctxd start`.',
    },
  ])

  // Leftovers of the dead daemon do not prevent the next one from starting, and no call is repeated.
  await home.serve()
  expect((await home.ctxd('audit', 'verify')).out).toContain('none changed, removed, added or moved')
  expect(callsLater(home, 'endless', 0)).toHaveLength(3)
})

test('an acknowledged file exists, and so does a memory', async () => {
  const home = makeDaemonHome()
  const { daemon } = await home.serve()
  const written = await home.proxy('safe_write', { path: 'kept.txt', content: 'kept\n' })
  expect(written).toMatchObject({ code: 0, err: '' })
  const stored = await home.proxy('memory_store', {
    title: 'Wait for the port',
    description: 'Why the first try fails',
    content: 'It opens late, so ask again before giving up.',
    outcome: 'success',
  })
  expect(stored).toMatchObject({ code: 0, err: '' })
  daemon.kill('SIGKILL')
  await daemon.ended
  expect(readFileSync(join(home.project, 'kept.txt'), 'utf8')).toBe('kept\n')
  await home.serve()
  expect((await home.ctxd('memory', 'list')).out).toContain('Wait for the port')
  expect((await home.ctxd('audit', 'query', '--tool', 'safe_write')).out).toContain('allow')
})

/** Processes of this machine that have this among their arguments. */
function processesWith(text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(join('/proc', pid, 'cmdline'), 'latin1').includes(text)
      } catch {
        return false
      }
    })
}

test.skipIf(!sandboxHere)('processes in a sandbox of the dead daemon are gone', async () => {
  const home = makeDaemonHome()
  const { daemon } = await home.serve()
  const length = `${86_000 + process.pid / 1e7}`
  const call = home.proxy('safe_bash', { command: `echo begun > begun; sleep ${length}` })
  await until(() => readdirSync(home.project).includes('begun') && processesWith(length).length > 0)
  daemon.kill('SIGKILL')
  expect((await call).code).toBe(11)
  await until(() => processesWith(length).length === 0)
})

test('pending webhook events are delivered by the next daemon', async () => {
  const home = makeDaemonHome()
  const received: string[] = []
  let isUp = false
  const port = await servers.serve(async (request, response) => {
    received.push(String((JSON.parse(await textOf(request)) as { event: unknown }).event))
    if (isUp) response.writeHead(204).end()
  })
  const records = openRecords(home.env)
  records.close()
  const store = openStore(home.paths.database)
  const { book } = openWebhooks(store, { keysDir: home.paths.keys, maxPerWebhook: 100 })
  book.add(`http://127.0.0.1:${port}/hook`, ['refusal'])
  store.close()

  const { daemon } = await home.serve()
  await home.proxy('execute_tool', { server: 'postgres', tool: 'query', args: {} })
  // Sent, but not answered yet.
  await until(() => received.length > 0)
  daemon.kill('SIGKILL')
  await daemon.ended
  isUp = true
  const before = received.length
  await home.serve()
  await until(() => received.length > before)
  await until(async () => / 0 +0 /.test((await home.ctxd('webhooks', 'list')).out))
  expect(new Set(received)).toEqual(new Set(['refusal']))
})
