/** The API for commands: the daemon if it runs, another machine if `CONTEXTD_ADDR` is set, else this process. */

import type { Runtime } from '../../compose.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import { resolvePaths } from '../../platform/files/paths.ts'
import { VERSION } from '@contextd/shared/version'
import { converse, NoAnswer } from '../../servers/local/hook-socket.ts'
import { daemonStatus } from '../../servers/local/running-daemon.ts'
import type { CliIo } from '@contextd/shared/cli/output'
import { withRuntime } from './with-runtime.ts'

export interface ControlApi {
  /** Which of the three is used. */
  readonly where: 'daemon' | 'remote' | 'here'
  call(rpc: string, request: JsonObject, options?: ControlOptions): Promise<JsonObject>
  /** Delivers events while it runs; resolves to the result, `{}` if the stream has none. */
  stream(
    rpc: string,
    request: JsonObject,
    onEvent: (event: JsonObject) => void,
    options?: ControlOptions,
  ): Promise<JsonObject>
}

export interface ControlOptions {
  readonly signal?: AbortSignal
  /** The agent to call as, for agents' tools. */
  readonly agent?: string
}

/** How one call is made; the rest is the same everywhere. */
type Ask = (
  rpc: string,
  request: JsonObject,
  options: ControlOptions,
  onEvent?: (event: JsonObject) => void,
) => Promise<JsonObject>

/**
 * The same results wherever it runs; errors are `ContextdError`s from the catalogue. What needs only the store brings its
 * own implementation for `here`, without a pipeline: that works even if the rules or the configuration do not load, or
 * nothing can be recorded.
 */
export async function withControl<T>(
  io: CliIo,
  work: (api: ControlApi) => Promise<T>,
  here: () => Promise<T> = () => withOwn(io, work),
): Promise<T> {
  if (io.env.CONTEXTD_ADDR) return withRemote(io, work)
  const paths = resolvePaths(io.env)
  const isServed = (await daemonStatus(paths)) !== undefined
  return isServed ? work(daemonApi(paths.hookSocket, io.cwd)) : here()
}

function apiOf(where: ControlApi['where'], ask: Ask): ControlApi {
  return {
    where,
    call: (rpc, request, options = {}) => ask(rpc, request, options),
    stream: (rpc, request, onEvent, options = {}) => ask(rpc, request, options, onEvent),
  }
}

function daemonApi(socket: string, workspace: string): ControlApi {
  return apiOf('daemon', async (rpc, request, { signal, agent }, onEvent) => {
    const asked = { method: 'call', rpc, request, workspace, ...(agent !== undefined && { agent }) }
    try {
      const answered = await converse(socket, asked, {
        ...(signal !== undefined && { signal }),
        ...(onEvent !== undefined && { onEvent }),
      })
      return isJsonObject(answered) ? answered : {}
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      if (signal?.aborted === true) throw new ContextdError('CANCELLED')
      throw new ContextdError('DAEMON_LOST', { rpc }, { cause: error })
    }
  })
}

async function withRemote<T>(io: CliIo, work: (api: ControlApi) => Promise<T>): Promise<T> {
  const { openRemote, remotePlace } = await import('../../servers/control/remote.ts')
  const remote = await openRemote(remotePlace(io.env))
  const api = apiOf('remote', (rpc, request, options, onEvent) =>
    onEvent === undefined
      ? remote.call(rpc, request, options)
      : remote.stream(rpc, request, onEvent, options),
  )
  try {
    return await work(api)
  } finally {
    remote.close()
  }
}

/** contextd in this process while the command runs, in its own session. */
async function withOwn<T>(io: CliIo, work: (api: ControlApi) => Promise<T>): Promise<T> {
  const [{ controlTools }, { perform }, { localCaller }, { endCallerSessions }] = await Promise.all([
    import('../../servers/control/control-tools.ts'),
    import('../../servers/control/perform.ts'),
    import('../../servers/sessions/callers.ts'),
    import('../../servers/sessions/caller-sessions.ts'),
  ])
  const client = { name: 'ctxd', version: VERSION, door: 'cli' } as const
  const apiIn = (runtime: Runtime): ControlApi =>
    apiOf('here', (rpc, request, { signal = new AbortController().signal, agent }, onEvent) =>
      perform(runtime, rpc, request, localCaller(client, agent === undefined ? {} : { agent }), {
        signal,
        ...(onEvent !== undefined && { onEvent }),
      }),
    )
  return withRuntime(
    io,
    async (runtime) => {
      try {
        return await work(apiIn(runtime))
      } finally {
        await endCallerSessions(runtime)
      }
    },
    { control: controlTools },
  )
}
