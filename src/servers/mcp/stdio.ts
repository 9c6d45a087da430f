import { randomBytes } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import type { Readable, Writable } from 'node:stream'

import { serveStdio } from '@modelcontextprotocol/server/stdio'

import type { Runtime } from '../../compose.ts'
import type { Client } from '../../core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { createCallerProofs } from '../callers/caller-proof.ts'
import { serveClientHooks } from '../hooks/client-hooks.ts'
import { createRoundCodec } from './ask.ts'
import { createDirectCalls } from './direct-call.ts'
import { countCalls, drain, within } from './drain.ts'
import { createMcpServer } from './server.ts'
import { honourListening } from './stdio-listening.ts'
import { createStdioTransport } from './stdio-transport.ts'
import { createStdioSessions } from '../sessions/stdio-sessions.ts'

export interface McpStdioOptions {
  readonly stdin?: Readable
  readonly stdout?: Writable
  /** Source of SIGINT and SIGTERM. */
  readonly signals?: Pick<EventEmitter, 'on' | 'off'>
  /** Process id of the client, if its hooks are to be answered here too. */
  readonly client?: number
  /** How long running calls may continue after the client has disconnected. */
  readonly graceMs?: number
}

/** Serves one client until it disconnects or a signal arrives, then closes the runtime. */
export async function serveMcpStdio(runtime: Runtime, options: McpStdioOptions = {}): Promise<void> {
  const { stdin = process.stdin, stdout = process.stdout, signals = process, graceMs = 1000 } = options
  const maxMessageBytes = runtime.config.limits.message_bytes
  const calls = countCalls((call) => runtime.handle(call))
  const counted: Runtime = { ...runtime, handle: calls.handle }
  const rounds = createRoundCodec(randomBytes(32))
  const sessions = createStdioSessions(runtime.sessions)
  let end: () => void = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))

  const direct = createDirectCalls({
    pass: (message) => transport.onmessage?.(message),
    write: (id, line) => transport.writeAnswer(id, line),
    failed: (error) => transport.onerror?.(error),
  })
  const transport = createStdioTransport({
    stdin,
    stdout,
    maxMessageBytes,
    scrub: (text) => runtime.scrub(text, 'door'),
    take: direct.take,
    onEnd: end,
  })
  const parts = {
    door: 'stdio',
    session: (client: Client, _meta: JsonObject, clientSession?: string) =>
      sessions.of(client, clientSession),
    current: sessions.current,
    claims: {},
    rounds,
    proofs: createCallerProofs(runtime),
    onUnanswered: transport.giveUp,
  } as const
  const connection = serveStdio(
    ({ era }) =>
      createMcpServer(counted, {
        ...parts,
        era,
        direct,
      }),
    {
      transport: honourListening(transport, counted, parts),
      onerror: (error) => runtime.log('debug', 'mcp stdio', { cause: error.message }),
    },
  )
  // Clients that send a signal send SIGKILL within half a second, so running calls are cancelled immediately.
  const hurry = new AbortController()
  const onSignal = (): void => {
    hurry.abort()
    end()
  }
  signals.on('SIGINT', onSignal)
  signals.on('SIGTERM', onSignal)
  const probe = setTimeout(() => void reportSandbox(runtime), probeAfterMs)
  let stopHooks = (): void => {}
  const hooks = setTimeout(() => {
    const lost = (error: unknown): void =>
      runtime.log('warn', "this process does not answer the client's hooks", { cause: String(error) })
    if (options.client !== undefined) {
      serveClientHooks(runtime, options.client).then((stop) => (stopHooks = stop), lost)
    }
  }, hooksAfterMs)
  try {
    await ended
    clearTimeout(probe)
    clearTimeout(hooks)
    stopHooks()
    const grace = { ms: graceMs, hurry: hurry.signal }
    await drain(calls, grace, () => {
      direct.close()
      return connection.close()
    })
    // The process may exit after this, regardless of what the client has read.
    await within(flushed(stdout), grace)
    sessions.endAll()
  } finally {
    signals.off('SIGINT', onSignal)
    signals.off('SIGTERM', onSignal)
    await runtime.close()
  }
}

/** After the client's first requests, which have priority, but before its first hook and the first command. */
const hooksAfterMs = 100
const probeAfterMs = 1000

async function reportSandbox({ sandbox, log }: Runtime): Promise<void> {
  const state = await sandbox()
  if (!state.available)
    log('warn', 'tools that run code are disabled', { cause: state.cause, fix: state.fix })
}

function flushed(stdout: Writable): Promise<void> {
  return stdout.destroyed ? Promise.resolve() : new Promise((resolve) => stdout.write('', () => resolve()))
}
