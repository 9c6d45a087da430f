import { once } from 'node:events'

import type { Runtime } from '../compose.ts'
import { ensurePrivateFolder } from '../platform/private-folder.ts'
import { VERSION } from '../platform/version.ts'
import type { SandboxState } from '../sandbox/sandbox.ts'
import type { RuleBookStatus } from '../stages/policy/rule-book.ts'
import { endCallerSessions } from './control/caller-sessions.ts'
import { callMethod } from './control/socket-calls.ts'
import { ensureFirstToken } from './first-token.ts'
import { hookMethod } from './hook-calls.ts'
import { askDaemon, serveHookSocket } from './hook-socket.ts'
import { serveHttp } from './http-server.ts'
import { takePidFile } from './pid-file.ts'
import { startWebhooks } from './webhooks/open-webhooks.ts'
import { createWorkspaces } from './workspaces.ts'

/** Where everything answers, as `contextd serve` prints it and `ctxd server status` asks for it. */
export interface DaemonStatus extends Record<string, string | number> {
  version: string
  pid: number
  mcp: string
  control: string
  store: string
  workspace: string
  sandbox: string
  rules: string
  upstream: string
  connect: string
  started_at: string
}

export interface DaemonOptions {
  readonly stop: AbortSignal
  readonly onReady: (status: DaemonStatus) => void
  /** contextd for another folder, when a caller on this machine is there. */
  readonly open: (folder: string) => Promise<Runtime>
}

/** Runs until it is told to stop, by `stop` on the control socket or by the signal. */
export async function runDaemon(runtime: Runtime, options: DaemonOptions): Promise<void> {
  ensurePrivateFolder(runtime.paths.run)
  const release = await takePidFile(runtime.paths.pidFile, () => isServing(runtime.paths.hookSocket))
  const asked = new AbortController()
  try {
    ensureFirstToken(runtime)
    const http = await serveHttp(runtime)
    const startedAt = new Date().toISOString()
    const sandbox = await runtime.sandbox()
    const status = (): DaemonStatus => ({
      version: VERSION,
      pid: process.pid,
      mcp: http.url,
      control: runtime.paths.hookSocket,
      store: runtime.store.path,
      workspace: runtime.project,
      sandbox: describeSandbox(sandbox),
      rules: describeRules(runtime.rules.status()),
      upstream: describeUpstream(runtime.upstream),
      // Asked anew each time: rules that change may leave the token without its agent.
      connect: connectCommand(http.url, ensureFirstToken(runtime)),
      started_at: startedAt,
    })
    const workspaces = createWorkspaces({ own: runtime, open: options.open })
    const socket = await serveHookSocket(runtime.paths.hookSocket, {
      call: callMethod(workspaces),
      hook: hookMethod(runtime),
      status,
      stop: () => {
        // Answered first, then done: whoever asked learns that it was heard.
        setImmediate(() => asked.abort())
        return { stopping: true }
      },
    })
    runtime.audit.event('daemon-started', { version: VERSION, pid: process.pid })
    options.onReady(status())
    void runtime.startTracing()
    const sending = startWebhooks(runtime)
    const watching = await watchRepositories(runtime)
    await aborted(AbortSignal.any([options.stop, asked.signal]))
    await watching?.close()
    await sending.close()
    socket.close()
    await http.close()
    await workspaces.close()
    await endCallerSessions(runtime)
    recordStop(runtime)
  } finally {
    release()
  }
}

/** After the doors are open: nobody waits for it. */
async function watchRepositories({
  config,
  memory,
  log,
}: Runtime): Promise<{ close(): Promise<void> } | undefined> {
  if (!config.index.watch) return undefined
  try {
    return await memory.watchRepositories()
  } catch (error) {
    log('warn', 'indexed repositories are not watched', { cause: String(error) })
    return undefined
  }
}

/** A store that cannot be written must not keep the daemon from stopping. */
function recordStop({ audit, log }: Runtime): void {
  try {
    audit.event('daemon-stopped', { pid: process.pid })
  } catch (error) {
    log('error', 'the stop could not be recorded', { cause: String(error) })
  }
}

/** Whether somebody answers: a process id alone may have been given to another program since. */
async function isServing(socket: string): Promise<boolean> {
  try {
    await askDaemon(socket, { method: 'status' }, 2000)
    return true
  } catch {
    return false
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}

function describeSandbox(state: SandboxState): string {
  if (!state.available) return `not available: ${state.cause}; ${state.fix}`
  if (state.driver === 'none') return 'OFF: commands of agents run with all your rights'
  return `ready (${state.version}, memory ${state.memory === 'cgroup' ? 'by cgroup' : 'best effort'})`
}

function describeRules({ files, lastError }: RuleBookStatus): string {
  const inForce = files
    .filter(({ state }) => state !== 'not trusted')
    .map(({ path, state }) => `${path} (${state})`)
  const untrusted = files
    .filter(({ state }) => state === 'not trusted')
    .map(({ path }) => `${path} is not trusted`)
  const problem = lastError === undefined ? [] : [`last change refused: ${lastError.problem}`]
  return [inForce.join(', ') || 'built-in', ...untrusted, ...problem].join('; ')
}

function describeUpstream({ status, health }: Runtime['upstream']): string {
  const { lastError, warnings } = status()
  const each = health().map(({ server, state, connections, why, since, last_line: said }) =>
    state === 'failing'
      ? `${server} (failing since ${since}: ${why}${said === undefined ? '' : `; it last said: ${said}`})`
      : `${server} (${state === 'connected' ? `${connections} connected` : state})`,
  )
  const problem = lastError === undefined ? [] : [`last change refused: ${lastError.problem}`]
  return [each.join(', ') || 'none', ...problem, ...warnings].join('; ')
}

/** The token stays in its file: what is printed can be copied, logged and shown. */
function connectCommand(url: string, tokenFile: string | undefined): string {
  if (tokenFile === undefined) return 'ctxd agents token create --agent <an agent of your rules>'
  return `claude mcp add --transport http contextd ${url} --header "Authorization: Bearer $(cat ${tokenFile})"`
}
