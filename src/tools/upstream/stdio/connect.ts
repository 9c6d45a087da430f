/** Connects to a server over the standard input and output of its own process. */

import { setTimeout as sleep } from 'node:timers/promises'

import { joinWrites } from '../../../platform/joined-writes.ts'
import { ConnectionLost, type Connection, type ConnectOptions } from '../connection.ts'
import { createConversation, type Conversation } from '../rpc/conversation.ts'
import type { StdioTransport, UpstreamServer } from '../server.ts'
import type { StartConfined } from './confined-process.ts'
import { environmentFor } from './environment.ts'
import { createLastLine } from './last-line.ts'
import { readMessages } from './message-reader.ts'
import type { ServerProcess } from './server-process.ts'
import { startProcess } from './start-process.ts'

export interface StdioParts {
  /** The default working directory of servers. */
  readonly project: string
  /** Our environment; servers inherit only some of it. */
  readonly env: NodeJS.ProcessEnv
  /** Starts sandboxed servers; without it, they cannot be started. */
  readonly startConfined?: StartConfined
}

/** The last output of a program may arrive after its exit. */
const lastOutputMs = 1000

/** `transport` has its variables expanded. Rejects with `ConnectionLost`, or with the reason of an aborted signal. */
export async function connectStdio(
  transport: StdioTransport,
  protocol: UpstreamServer['protocol'],
  parts: StdioParts,
  options: ConnectOptions,
): Promise<Connection> {
  const { signal } = options
  signal.throwIfAborted()
  const server = await start(transport, parts)
  const stream = openStream(server, options)
  const abort = (): void => stream.lose('the start was cancelled')
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    const introduction = await stream.conversation.begin(protocol)
    const { request, subscribe, unsubscribe } = stream.conversation
    const whileOpen =
      <Args extends unknown[], T>(action: (...args: Args) => Promise<T>) =>
      (...args: Args): Promise<T> =>
        stream.isEnding() ? stream.ended.then(rejectUnsent) : action(...args)
    return {
      ...introduction,
      request: whileOpen(request),
      subscribe: whileOpen(subscribe),
      unsubscribe: whileOpen(unsubscribe),
      ended: stream.ended,
      async close() {
        stream.lose('the connection was closed')
        await server.stop()
      },
    }
  } catch (error) {
    stream.lose(error instanceof Error ? error.message : String(error))
    // The caller may be about to exit, and relies on no process being left.
    if (signal.aborted) {
      await server.stop()
      throw unsent(await stream.ended)
    }
    if (!(error instanceof ConnectionLost)) throw error
    throw unsent((await stream.ended).lastLine === undefined ? error : await stream.ended)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function start(
  transport: StdioTransport,
  { project, env, startConfined }: StdioParts,
): Promise<ServerProcess> {
  if (transport.sandbox === undefined) {
    const { command, args, cwd = project } = transport
    return startProcess({ command, args, cwd, env: environmentFor(env, transport.env) })
  }
  if (startConfined === undefined)
    throw new ConnectionLost('no sandbox is available to run it in', { sent: false })
  return startConfined(transport, project)
}

interface MessageStream {
  readonly conversation: Conversation
  readonly ended: Promise<ConnectionLost>
  /** True from the first sign of its end: requests sent then get no answer. */
  isEnding(): boolean
  lose(why: string): void
}

function openStream(server: ServerProcess, { onNotice, maxMessageBytes }: ConnectOptions): MessageStream {
  const { stdin, stdout, stderr } = server
  const lastLine = createLastLine()
  let isEnding = false
  let isOver = false
  let resolveEnded: (lost: ConnectionLost) => void
  const ended = new Promise<ConnectionLost>((resolve) => (resolveEnded = resolve))

  const writes = joinWrites((text) => stdin.write(text))
  const conversation = createConversation(
    {
      send: writes.add,
      backlog: () => stdin.writableLength + writes.pending(),
    },
    onNotice,
  )
  const lose = (why: string): void => {
    isEnding = true
    if (isOver) return
    isOver = true
    stdout.off('data', read)
    stdout.destroy()
    const lost = new ConnectionLost(why, { sent: false, lastLine: lastLine.text() })
    conversation.end(lost)
    resolveEnded(lost)
    void server.stop()
  }
  const loseSoon = async (why: string): Promise<void> => {
    if (isEnding) return
    isEnding = true
    const timeout = sleep(lastOutputMs, undefined, { ref: false })
    const how = await Promise.race([server.exited, timeout.then(() => undefined)])
    await Promise.race([Promise.all([ending(stdout), ending(stderr)]), timeout])
    lose(how ?? why)
  }

  const read = readMessages(maxMessageBytes, {
    message: conversation.receive,
    onUnreadable: conversation.onUnreadable,
    onInvalidStream: lose,
  })
  stdout.on('data', read)
  stderr.on('data', lastLine.push)
  for (const stream of [stdin, stdout, stderr]) stream.on('error', () => {})
  stdout.once('close', () => void loseSoon('it closed its output'))
  stdin.once('close', () => void loseSoon('it closed its input'))
  void server.exited.then(loseSoon)
  return { conversation, ended, isEnding: () => isEnding, lose }
}

function ending(stream: ServerProcess['stdout']): Promise<unknown> {
  if (stream.readableEnded || stream.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    stream.once('end', resolve)
    stream.once('close', resolve)
  })
}

function rejectUnsent(lost: ConnectionLost): never {
  throw unsent(lost)
}

function unsent({ message, lastLine }: ConnectionLost): ConnectionLost {
  return new ConnectionLost(message, { sent: false, lastLine })
}
