import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Json, JsonObject } from '@contextd/shared/json/value'
import { makeTempHome, type TempHome } from './temp-home.ts'

const proxy = fileURLToPath(new URL('../../bin/contextd-proxy.js', import.meta.url))

export interface ProxyEnded {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface ProxyHome extends TempHome {
  /** Creates `.claude/tools/<tool>` in the project; returns its link. */
  link(tool: string, schema?: JsonObject): string
  /** Runs a link, or `contextd-proxy` by default, with this on stdin. */
  proxy(argv: readonly string[], options?: ProxyOptions): Promise<ProxyEnded>
  start(argv: readonly string[], options?: ProxyOptions): ChildProcessWithoutNullStreams
}

export interface ProxyOptions {
  readonly program?: string
  readonly stdin?: string | Buffer
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
}

/** The built program in a temporary home. */
export function makeProxyHome(): ProxyHome {
  const home = makeTempHome()
  const start: ProxyHome['start'] = (argv, { program = proxy, env = {}, cwd = home.project } = {}) =>
    spawn(process.execPath, [program, ...argv], {
      cwd,
      env: { PATH: process.env.PATH, HOME: home.path, ...home.env, ...env },
    })
  return {
    ...home,
    start,
    link(tool, schema) {
      const folder = join(home.project, '.claude', 'tools', tool)
      mkdirSync(folder, { recursive: true })
      symlinkSync(proxy, join(folder, tool))
      if (schema !== undefined) writeFileSync(join(folder, 'schema.json'), JSON.stringify(schema))
      return join(folder, tool)
    },
    proxy(argv, options = {}) {
      const child = start(argv, options)
      child.stdin.on('error', () => {})
      child.stdin.end(options.stdin ?? '')
      return endOf(child)
    },
  }
}

export function endOf(child: ChildProcessWithoutNullStreams): Promise<ProxyEnded> {
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...said })))
}

export interface ScriptedDaemon {
  readonly asked: readonly JsonObject[]
  /** Connections that the peer closed before they were answered. */
  readonly cut: () => number
  close(): void
}

/** Answers every line on the socket of that home with the result of `answer`; nothing if it is undefined. */
export async function scriptedDaemon(
  { path }: TempHome,
  answer: (asked: JsonObject, socket: Socket) => Json | undefined,
): Promise<ScriptedDaemon> {
  const asked: JsonObject[] = []
  const sockets = new Set<Socket>()
  let cut = 0
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    let pending = ''
    let isAnswered = false
    socket.on('error', () => {})
    socket.on('close', () => {
      if (!isAnswered) cut += 1
    })
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      pending += chunk
      if (!pending.endsWith('\n')) return
      const request = JSON.parse(pending) as JsonObject
      asked.push(request)
      pending = ''
      const said = answer(request, socket)
      if (said === undefined) return
      isAnswered = true
      socket.write(`${JSON.stringify(said)}\n`)
    })
  })
  mkdirSync(join(path, 'run'), { recursive: true })
  await new Promise<void>((resolve) => server.listen(join(path, 'run', 'hook.sock'), resolve))
  return {
    asked,
    cut: () => cut,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
