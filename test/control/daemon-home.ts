import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { onTestFinished } from 'vitest'

import { LOCAL_TENANT } from '../../src/core/call.ts'
import { resolvePaths, type Paths } from '../../src/platform/files/paths.ts'
import { openStore } from '../../src/platform/storage/store.ts'
import { setUpTls } from '../../src/platform/tls/changes.ts'
import type { DaemonStatus } from '../../src/servers/local/running-daemon.ts'
import { makeTempHome, type TempHome } from '../support/temp-home.ts'

export interface Ended {
  /** Null if a signal ended the process. */
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Started extends Pick<ChildProcessWithoutNullStreams, 'kill' | 'pid'> {
  readonly ended: Promise<Ended>
  /** The output on stdout so far. */
  said(): string
  /** Resolves when stdout contains the text, or when the process exits without it. */
  says(text: string): Promise<void>
}

export interface StartOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly stdin?: string
  readonly cwd?: string
}

type Program = 'ctxd' | 'contextd' | 'contextd-proxy'

/** A temporary home, and the built programs as a user starts them. Removed after the test. */
export interface DaemonHome extends TempHome {
  readonly paths: Paths
  start(program: Program, argv: readonly string[], options?: StartOptions): Started
  /** Runs a script instead of a program. */
  node(script: string, options?: StartOptions): Started
  ctxd(...argv: string[]): Promise<Ended>
  proxy(tool: string, args: object, options?: StartOptions): Promise<Ended>
  /** Creates certificates like `ctxd tls init`, optionally with another clock. */
  setUpTls(clock?: () => number): void
  /** Starts `contextd serve` and resolves once it is ready. */
  serve(): Promise<{ readonly daemon: Started; readonly status: DaemonStatus }>
}

export function makeDaemonHome(config = ''): DaemonHome {
  const home = makeTempHome()
  const running = new Set<Started>()
  onTestFinished(async () => {
    for (const one of running) one.kill('SIGKILL')
    await Promise.all([...running].map(({ ended }) => ended))
    home.remove()
  })
  home.write('config/config.toml', `${config}[http]\nport = 0\n[control]\nport = 0\nautostart = false\n`)
  const node: DaemonHome['node'] = (script, options) => launch([script], options)
  const start: DaemonHome['start'] = (program, argv, options) =>
    launch([fileURLToPath(new URL(`../../bin/${program}.js`, import.meta.url)), ...argv], options)

  function launch(argv: readonly string[], { env = {}, stdin = '', cwd }: StartOptions = {}): Started {
    const child = spawn(process.execPath, argv, {
      cwd: cwd ?? home.project,
      env: { PATH: process.env.PATH, HOME: home.path, NO_COLOR: '1', ...home.env, ...env },
    })
    const said = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text))
    child.stdin.on('error', () => {})
    child.stdin.end(stdin)
    const ended = once(child, 'close').then(([code]): Ended => ({ code: code as number | null, ...said }))
    const started: Started = {
      pid: child.pid,
      kill: (signal) => child.kill(signal),
      ended,
      said: () => said.out,
      async says(text) {
        while (!said.out.includes(text)) {
          const more = await Promise.race([once(child.stdout, 'data'), ended])
          if ('code' in more) return
        }
      },
    }
    running.add(started)
    void ended.then(() => running.delete(started))
    return started
  }

  return {
    ...home,
    paths: resolvePaths(home.env),
    start,
    node,
    ctxd: (...argv) => start('ctxd', argv).ended,
    proxy: (tool, args, options) =>
      start('contextd-proxy', [tool], { ...options, stdin: JSON.stringify(args) }).ended,
    setUpTls(clock = Date.now) {
      const { database, tls: folder } = resolvePaths(home.env)
      const store = openStore(database)
      setUpTls({ folder, store, tenant: LOCAL_TENANT, clock }, ['localhost', '127.0.0.1'])
      store.close()
    },
    async serve() {
      const daemon = start('contextd', ['serve', '--json'])
      await daemon.says('\n')
      if (daemon.said() === '') throw new Error((await daemon.ended).err)
      return { daemon, status: JSON.parse(daemon.said()) as DaemonStatus }
    },
  }
}
