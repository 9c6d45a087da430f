import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { fakeIo, type FakeIo } from '@contextd/shared/testing/cli-io'
import { sampleSecrets } from '../../../../test/support/registry.ts'
import { withoutSandboxNotice } from '../../../../test/support/sandbox-here.ts'
import { makeTempHome, type TempHome } from '../../../../test/support/temp-home.ts'
import { until } from '@contextd/shared/testing/until'
import { composeRuntime, type Runtime } from '../../../compose.ts'
import { controlTools } from '../../../servers/control/control-tools.ts'
import { runDaemon } from '../../../servers/daemon/daemon.ts'
import { runCli } from '@contextd/shared/cli/output'
import { textWidth } from '@contextd/shared/cli/text-width'
import { glanceCommand } from './glance.ts'
import type { Glance } from './facts.ts'

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

async function look(argv: string[] = [], columns?: number): Promise<FakeIo> {
  const fake = fakeIo({ env: home.env, cwd: home.project, ...(columns !== undefined && { columns }) })
  await runCli(glanceCommand('ctxd', fake.io), fake.io, argv)
  return fake
}

async function facts(): Promise<Glance> {
  const glance = JSON.parse((await look(['--json'])).out()) as Glance
  return { ...glance, attention: withoutSandboxNotice(glance.attention) }
}

/** An agent that reads a file with a secret, and one that the rules refuse. */
async function makeHistory(): Promise<void> {
  writeFileSync(join(home.project, 'notes.txt'), `token: ${sampleSecrets(1)[0]}\n`)
  const runtime = await composeRuntime({ env: home.env, cwd: home.project, log: () => {} })
  const session = runtime.sessions.begin({ name: 'test', version: '1', door: 'cli' })
  const call = (tool: string, declared: string): ReturnType<typeof runtime.handle> =>
    runtime.handle(
      runtime.newCall({
        method: 'tool',
        session,
        client: { name: 'test', version: '1', door: 'cli' },
        claims: { declared },
        tool,
        arguments: tool === 'safe_read' ? { path: 'notes.txt' } : {},
        signal: new AbortController().signal,
      }),
    )
  await call('safe_read', 'reader')
  await call('safe_bash', 'reader')
  await runtime.close()
}

const rules = {
  agents: {
    reader: {
      allow: { servers: ['contextd'], tools: { contextd: ['safe_read'] }, capabilities: ['fs:read:**'] },
    },
  },
}

describe('with an empty home', () => {
  test('says so and creates nothing', async () => {
    const before = readdirSync(home.path, { recursive: true })
    const { out, err, code } = await look()
    expect([err(), code()]).toEqual(['', 0])
    expect(out()).toContain('daemon    not running')
    expect(out()).toContain('agents    main, default (built-in rules)')
    expect(out()).toContain('servers   none')
    expect(out()).toContain('secrets   0 held back today')
    expect(out()).not.toContain('refusals')
    expect(readdirSync(home.path, { recursive: true })).toEqual(before)
  })
})

describe('after some calls', () => {
  beforeEach(async () => {
    home.write('config/rules.json', rules)
    home.write('config/servers.json', {
      mcpServers: { notes: { command: 'notes', env: { KEY: '${NO_SUCH}' } } },
    })
    await makeHistory()
  })

  test('shows refusals with their rule, and held-back secrets', async () => {
    const glance = await facts()
    expect(glance).toMatchObject({
      daemon: { running: false },
      agents: ['reader'],
      rules: [{ path: join(home.path, 'config/rules.json'), state: 'in force' }],
      servers: [{ name: 'notes', state: 'incomplete' }],
      refusals: [{ agent: 'reader', server: 'contextd', tool: 'safe_bash', code: 'DENIED_BY_POLICY' }],
      held_back_today: { secrets: 1, answers: 1 },
    })
    const { out } = await look()
    expect(out()).toContain('secrets   1 held back today, in 1 answer')
    expect(out()).toMatch(
      /last refusals\n {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}reader {2}contextd\.safe_bash {2}DENIED_BY_POLICY\n {4}by \S+/,
    )
    expect(out()).toContain('! server notes:')
  })

  test.each([80, 60, 40])('fits %i columns', async (columns) => {
    const { out } = await look([], columns)
    const plain = stripVTControlCharacters(out())
    expect(plain).not.toBe(out())
    expect(Math.max(...plain.split('\n').map(textWidth))).toBeLessThanOrEqual(columns)
  })
})

async function whileDaemonRuns(work: () => Promise<void>): Promise<void> {
  home.write('config/config.toml', '[http]\nport = 0\n[control]\nport = 0\n[log]\nlevel = "error"\n')
  const open = (cwd: string): Promise<Runtime> =>
    composeRuntime({ env: home.env, cwd, log: () => {}, control: controlTools })
  const runtime = await open(home.project)
  const stop = new AbortController()
  let ended: Promise<void> = Promise.resolve()
  await new Promise<void>((resolve) => {
    ended = runDaemon(runtime, { stop: stop.signal, onReady: () => resolve(), open })
  })
  try {
    await work()
  } finally {
    stop.abort()
    await ended
  }
}

describe('with a daemon', () => {
  test('shows its start time, address and server health', async () => {
    home.write('config/servers.json', { mcpServers: { notes: { command: 'notes' } } })
    await whileDaemonRuns(async () => {
      expect(await facts()).toMatchObject({
        daemon: {
          running: true,
          pid: process.pid,
          mcp: expect.stringMatching(/^http:/),
          started_at: expect.stringMatching(/Z$/),
        },
        servers: [{ name: 'notes', state: 'not started' }],
        agents: ['main', 'default'],
        attention: expect.not.arrayContaining([
          expect.objectContaining({ problem: expect.stringContaining('notes') }),
        ]),
      })
      expect((await look()).out()).toMatch(/^daemon {4}running since \d{4}-/m)
      home.write('config/rules.json', '{')
      const broken = await facts()
      expect(broken.agents).toEqual(['main', 'default'])
      expect(broken.attention[0]?.problem).toContain('rules.json')
    })
    expect((await facts()).daemon).toEqual({ running: false })
  })

  test('reports that rules still apply although their file was deleted', async () => {
    const file = home.write('config/rules.json', { agents: { main: { allow: { servers: ['contextd'] } } } })
    await whileDaemonRuns(async () => {
      expect((await facts()).attention).toEqual([])
      rmSync(file)
      await until(async () => (await facts()).attention[0]?.problem.includes('rules.json is gone') === true)
    })
    expect((await facts()).attention).toEqual([])
  })
})

describe('with a problem', () => {
  test.each([
    ['config/rules.json', '{', /rules/],
    ['config/config.toml', '[http\n', /config\.toml/],
    ['config/servers.json', '{"mcpServers": 3}', /servers\.json/],
  ])('%s is reported, and the rest still shown', async (file, content, named) => {
    home.write(file, content)
    const { attention, ...glance } = await facts()
    expect(attention.map(({ problem }) => problem).join('\n')).toMatch(named)
    expect(attention.every(({ fix }) => fix.length > 0)).toBe(true)
    expect(glance.agents === undefined).toBe(file === 'config/rules.json')
    expect((await look()).out()).toContain('to do\n  ! ')
    rmSync(join(home.path, file))
    expect((await facts()).attention.map(({ problem }) => problem).join('\n')).not.toMatch(named)
  })

  test('reports a store that is not a database', async () => {
    mkdirSync(join(home.path, 'state'))
    home.write('state/contextd.db', 'not a database, but long enough to be looked at as one'.repeat(20))
    const { attention, agents } = await facts()
    expect(attention).toHaveLength(1)
    expect(agents).toEqual(['main', 'default'])
  })

  test('reports a leftover pid file', async () => {
    home.write('run/contextd.pid', '999999\n')
    expect((await facts()).attention).toEqual([
      { problem: expect.stringContaining('contextd.pid'), fix: expect.stringContaining('ctxd start') },
    ])
  })

  test('escapes control characters in names from files', async () => {
    home.write('config/servers.json', { mcpServers: { 'a\u001B[2Jb': { command: 'x' } } })
    expect((await look()).out()).not.toContain('\u001B')
  })
})
