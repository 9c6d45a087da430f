import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { resolvePaths } from '../../src/platform/paths.ts'

/** A server that was started for the bench, and ends with it. */
export interface Served {
  readonly socket: string
  /** Resident memory in MB. */
  rss(): number
  stop(): Promise<void>
}

export interface Place {
  readonly home: string
  readonly project: string
  readonly env: NodeJS.ProcessEnv
}

/** A home whose limits are no part of what is measured. */
export function makePlace(folder: string): Place {
  const project = join(folder, 'project')
  mkdirSync(project, { recursive: true })
  mkdirSync(join(folder, 'config'))
  const limits = 'calls_per_minute = 1000000\ncalls_at_once = 10000\n'
  writeFileSync(join(folder, 'config', 'config.toml'), `[http]\nport = 0\n[control]\n${limits}`)
  const env = { PATH: process.env.PATH ?? '', HOME: folder, CONTEXTD_HOME: folder }
  return { home: folder, project, env }
}

/** Bundled the way the product is. */
function bundled(name: string): string {
  const folder = 'node_modules/.cache/contextd/bench'
  execFileSync(process.execPath, ['scripts/bundle.mjs', `benchmarks/control/${name}.ts`, folder])
  return resolve(folder, `${name}.js`)
}

export function startDaemon({ env, project }: Place): Promise<Served> {
  return start('empty-tool-daemon', [], resolvePaths(env).controlSocket, env, project)
}

export function startBareEcho({ home, env, project }: Place): Promise<Served> {
  const socket = join(home, 'bare.sock')
  return start('bare-connect-echo', [socket], socket, env, project)
}

async function start(
  name: string,
  args: readonly string[],
  socket: string,
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<Served> {
  const child: ChildProcess = spawn(process.execPath, [bundled(name), ...args], {
    env,
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (child.stdout === null) throw new Error('no pipe')
  await once(child.stdout, 'data')
  return {
    socket,
    rss: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
