import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { resolvePaths } from '../../src/platform/files/paths.ts'
import { bundled, serve, type ServedProcess } from '../support/served.ts'

export interface Served extends ServedProcess {
  readonly socket: string
}

export interface Place {
  readonly home: string
  readonly project: string
  readonly env: NodeJS.ProcessEnv
}

/** A home whose limits do not affect the measurement. */
export function makePlace(folder: string): Place {
  const project = join(folder, 'project')
  mkdirSync(project, { recursive: true })
  mkdirSync(join(folder, 'config'))
  const limits = 'calls_per_minute = 1000000\ncalls_at_once = 10000\n'
  writeFileSync(join(folder, 'config', 'config.toml'), `[http]\nport = 0\n[control]\n${limits}`)
  const env = { PATH: process.env.PATH ?? '', HOME: folder, CONTEXTD_HOME: folder }
  return { home: folder, project, env }
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
  const program = bundled(`benchmarks/control/${name}.ts`)
  return { socket, ...(await serve([program, ...args], env, cwd)) }
}
