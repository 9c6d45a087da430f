import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { openRecords } from '../../src/compose.ts'
import { until } from '@contextd/shared/testing/until'
import { makeDaemonHome, type DaemonHome } from './daemon-home.ts'

const broken: [what: string, file: string, text: string, code: string][] = [
  ['configuration', 'config/config.toml', '[http]\nprot = 1\n', 'CONFIG_INVALID'],
  ['rules', 'config/rules.json', '{', 'RULES_INVALID'],
]

describe.each(broken)('broken %s', (what, file, text, code) => {
  test('at the start: reports the position in the file, and starts no daemon', async () => {
    const home = makeDaemonHome()
    const path = home.write(file, text)
    for (const start of [home.start('contextd', ['serve']), home.start('ctxd', ['server', 'start'])]) {
      const ended = await start.ended
      expect(ended.code).toBe(78)
      expect(ended.err).toContain(`${code}: ${path}:`)
      expect(ended.err).toContain('Correct the file at that position')
    }
    expect(existsSync(home.paths.pidFile)).toBe(false)
  })

  test('while the daemon runs: the previous version stays active, and status commands report it', async () => {
    const home = makeDaemonHome()
    await home.serve()
    const path = home.write(file, text)
    const look = async (): Promise<string> => (await home.ctxd('--json')).out
    await until(async () => (await look()).includes(`${path}:`))
    expect(JSON.parse(await look())).toMatchObject({ daemon: { running: true }, agents: ['main', 'default'] })
    expect(await home.proxy('safe_write', { path: 'a.txt', content: 'a' })).toMatchObject({ code: 0 })
    const { out, code: exit } = await home.ctxd('doctor')
    expect(exit).toBe(1)
    expect(out).toMatch(new RegExp(`^fail ${what} `, 'm'))
    if (what === 'rules') {
      await until(async () => (await home.ctxd('server', 'status')).out.includes('last change refused'))
    }
  })
})

const isRoot = process.getuid?.() === 0
test.skipIf(isRoot)(
  'a home that cannot be written (as an ordinary user): reported, and nothing is created',
  async () => {
    const home = makeDaemonHome()
    chmodSync(home.path, 0o500)
    try {
      for (const start of [home.start('contextd', ['serve']), home.start('ctxd', ['server', 'start'])]) {
        const { code, err } = await start.ended
        expect([code, err]).toEqual([74, expect.stringContaining(`${home.paths.state}: access was denied`)])
        expect(err).toContain('fix its permissions')
      }
      // Read-only commands need no files.
      expect(await home.ctxd()).toMatchObject({ code: 0, err: '' })
      expect(readdirSync(home.path).sort()).toEqual(['config', 'project'])
    } finally {
      chmodSync(home.path, 0o700)
    }
  },
)

test.each(['', 'relative'])('HOME=%j: reported, and nothing is created in the project', async (HOME) => {
  const home = makeDaemonHome()
  const env = { HOME, CONTEXTD_HOME: '' }
  for (const [program, argv] of [
    ['ctxd', []],
    ['ctxd', ['server', 'start']],
    ['ctxd', ['config', 'get', 'http.port']],
    ['contextd', ['serve']],
    ['contextd', ['mcp', 'serve']],
    ['contextd-proxy', ['safe_read', '--path', 'x']],
  ] as const) {
    const { code, err } = await home.start(program, argv, { env }).ended
    expect([program, code, err]).toEqual([
      program,
      78,
      expect.stringContaining('HOME is not set to an absolute path'),
    ])
  }
  expect(readdirSync(home.project)).toEqual([])
})

/** Read in this process, because starting a program may take longer than the operation it observes. */
function isOnRecord({ env, paths }: DaemonHome, tool: string): boolean {
  if (!existsSync(paths.database)) return false
  const records = openRecords(env)
  try {
    return records.audit.query({ tool }).length > 0
  } finally {
    records.close()
  }
}

describe('a signal', () => {
  const signals = ['SIGINT', 'SIGTERM'] as const

  test.each([...signals, 'SIGHUP'] as const)(
    '%s stops the daemon, which releases its sockets and files',
    async (signal) => {
      const home = makeDaemonHome()
      const { daemon } = await home.serve()
      daemon.kill(signal)
      expect(await daemon.ended).toMatchObject({ code: 0, err: '' })
      expect(readdirSync(home.paths.run)).toEqual([])
      expect((await home.ctxd('audit', 'query')).out).toContain('daemon-stopped')
    },
  )

  test.each(
    signals.flatMap(
      (signal) =>
        [
          [signal, 'the daemon'],
          [signal, 'nobody'],
        ] as const,
    ),
  )('%s ends `ctxd audit tail` that reads from %s, as the user intended', async (signal, asked) => {
    const home = makeDaemonHome()
    const { daemon } = await home.serve()
    if (asked === 'nobody') {
      daemon.kill('SIGTERM')
      await daemon.ended
    }
    const tail = home.start('ctxd', ['audit', 'tail', '--follow'])
    await tail.says('daemon-started')
    tail.kill(signal)
    expect(await tail.ended).toMatchObject({ code: 0, err: '' })
  })

  test.each(signals)(
    '%s ends `ctxd index` with partial results, and the next run continues',
    async (signal) => {
      const home = makeDaemonHome()
      mkdirSync(join(home.project, 'src'))
      for (let file = 0; file < 3000; file++)
        writeFileSync(join(home.project, 'src', `f${file}.ts`), `export const value${file} = ${file}\n`)
      const index = home.start('ctxd', ['index'])
      // Its start is recorded, so it runs.
      await until(() => isOnRecord(home, 'index.run'))
      index.kill(signal)
      const { code, err } = await index.ended
      expect([code, err]).toEqual([130, expect.stringContaining('CANCELLED')])
      // No record looks unfinished.
      const { out } = await home.ctxd('audit', 'query', '--agent', '@operator', '--json')
      expect(JSON.parse(out)).toMatchObject({ entries: [{ tool: 'index.run', status: 'done' }] })
      expect(await home.ctxd('index')).toMatchObject({ code: 0 })
      expect((await home.ctxd('index', '--status')).out).toContain('3000')
    },
  )

  test.each(signals)('%s ends `ctxd demo`, which leaves nothing behind', async (signal) => {
    const home = makeDaemonHome()
    const temporary = join(home.path, 'tmp')
    mkdirSync(temporary)
    const demo = home.start('ctxd', ['demo'], { env: { TMPDIR: temporary } })
    await demo.says('Real components')
    expect(readdirSync(temporary)).not.toEqual([])
    demo.kill(signal)
    expect((await demo.ended).code).toBe(130)
    expect(readdirSync(temporary)).toEqual([])
  })

  test.each(signals)('%s during `ctxd audit verify` changes nothing', async (signal) => {
    const home = makeDaemonHome()
    await home.serve()
    const verify = home.start('ctxd', ['audit', 'verify'])
    verify.kill(signal)
    await verify.ended
    expect(await home.ctxd('audit', 'verify')).toMatchObject({ code: 0, err: '' })
  })
})
