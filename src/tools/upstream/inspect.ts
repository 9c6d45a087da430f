/** Inspects a server for the user: whether it starts, what it offers, and which tools are held back or suspicious. */

import { CodedError, ContextdError } from '../../core/errors/errors.ts'
import type { Clock } from '../../core/ports.ts'
import { ConnectionLost, ServerError, type Connection, type ConnectOptions } from './connection.ts'
import { readDefinitions, type Dropped, type UpstreamTool } from './definitions/definition.ts'
import { diffDefinitions } from './definitions/definition-diff.ts'
import type { PinnedServer } from './definitions/pinned-definition.ts'
import type { HeldTool, Pins } from './definitions/pins.ts'
import { suspiciousIn, type Suspicion } from './definitions/suspicious-text.ts'
import { createServerLists } from './server-lists.ts'
import type { UpstreamServer } from './server.ts'

export interface Inspection {
  readonly server: { readonly name: string; readonly version: string }
  readonly era: Connection['era']
  /** Time until it had listed its tools. */
  readonly tookMs: number
  readonly tools: readonly InspectedTool[]
  readonly dropped: readonly Dropped[]
  readonly prompts: number
  readonly resources: number
}

export interface InspectedTool {
  readonly tool: UpstreamTool
  readonly findings: readonly Suspicion[]
  /** Set if the tool differs from its pin. */
  readonly held?: HeldChange
}

export interface HeldChange {
  /** Hash of the new definition, which an approval must name. */
  readonly sha256: string
  readonly diff: readonly string[]
}

export type ApprovedPins = ReturnType<Pins['approve']>

export interface InspectOptions {
  readonly connect: (server: UpstreamServer, options: ConnectOptions) => Promise<Connection>
  readonly pins: Pins
  readonly pinnedAs: PinnedServer
  readonly clock: Clock
  readonly startMs: number
  readonly maxMessageBytes: number
}

/** Pins new tools, as any first use does. */
export async function inspect(server: UpstreamServer, options: InspectOptions): Promise<Inspection> {
  const { clock, pins, pinnedAs } = options
  const began = clock()
  return connected(server, options, async (connection, listed) => {
    const { tools, dropped } = readDefinitions(listed)
    const { held } = pins.judge(pinnedAs, tools)
    const tookMs = clock() - began
    const lists = createServerLists(connection, options.startMs)
    const [prompts, resources] = await Promise.all([lists.list('prompts'), lists.list('resources')])
    const names = tools.map(({ name }) => name)
    return {
      server: connection.server,
      era: connection.era,
      tookMs,
      tools: tools.map((tool) => inspected(tool, names, held)),
      dropped,
      prompts: prompts.length,
      resources: resources.length,
    }
  })
}

function inspected(tool: UpstreamTool, names: readonly string[], held: readonly HeldTool[]): InspectedTool {
  const change = held.find(({ name }) => name === tool.name)
  const findings = suspiciousIn(tool, names)
  return change === undefined ? { tool, findings } : { tool, findings, held: changeOf(change) }
}

/** Pins the tools whose definition still has the hash in `seen`. */
export async function approve(
  server: UpstreamServer,
  seen: ReadonlyMap<string, string>,
  options: InspectOptions,
): Promise<ApprovedPins> {
  return connected(server, options, async (_, listed) =>
    options.pins.approve(options.pinnedAs, readDefinitions(listed).tools, seen),
  )
}

function changeOf({ was, is, sha256 }: HeldTool): HeldChange {
  // Untruncated: hidden changes would be approved unseen.
  return { sha256, diff: diffDefinitions(was, is, Infinity) }
}

async function connected<T>(
  server: UpstreamServer,
  { connect, startMs, maxMessageBytes }: InspectOptions,
  work: (connection: Connection, listed: Parameters<typeof readDefinitions>[0]) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(startMs)
  try {
    const connection = await connect(server, { signal, maxMessageBytes, onNotice: () => {} })
    try {
      return await work(connection, await createServerLists(connection, startMs).list('tools'))
    } finally {
      await connection.close()
    }
  } catch (error) {
    throw explained(server, error, signal.aborted ? `it did not start within ${startMs} ms` : undefined)
  }
}

function explained(
  { name: server, transport }: UpstreamServer,
  error: unknown,
  late: string | undefined,
): unknown {
  const listHint = '`ctxd upstream list` shows its file and line.'
  const hint =
    transport.kind === 'stdio'
      ? `Run its command by hand to see more, or correct its entry: ${listHint}`
      : `Check that a server is running at its URL, or correct its entry: ${listHint}`
  if (error instanceof CodedError && error.code === 'SERVER_UNAVAILABLE') {
    return new ContextdError(error.code, {
      ...error.details,
      hint: `Set what is missing in the environment of contextd, or correct its entry: ${listHint}`,
    })
  }
  if (error instanceof ServerError) {
    const why = `it answered with the error ${error.code}: ${error.message}`
    return new ContextdError('SERVER_UNAVAILABLE', { server, why, hint })
  }
  if (!(error instanceof ConnectionLost) && late === undefined) return error
  const { message, lastLine } = error as ConnectionLost
  const why = [late ?? message, ...(lastLine === undefined ? [] : [`it last said: ${lastLine}`])].join('; ')
  return new ContextdError('SERVER_UNAVAILABLE', { server, why, hint })
}
