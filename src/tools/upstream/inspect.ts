/** One look at a server, for the person: does it start, what does it offer, and what of that is held back or odd. */

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
  /** Until it had listed its tools. */
  readonly tookMs: number
  readonly tools: readonly InspectedTool[]
  readonly dropped: readonly Dropped[]
  readonly prompts: number
  readonly resources: number
}

export interface InspectedTool {
  readonly tool: UpstreamTool
  readonly findings: readonly Suspicion[]
  /** Where it is not the tool that was pinned. */
  readonly held?: HeldChange
}

export interface HeldChange {
  /** Of what it is now; to be given with a yes to it. */
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

/** Connects, looks, and leaves. Tools that nobody has seen before are pinned by that, as by any first use. */
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

/** Pins the tools as they are now, where that is what the person saw. */
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
  // All of it: what is not shown would be approved unseen.
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
  const look = '`ctxd upstream list` says where it is named.'
  const hint =
    transport.kind === 'stdio'
      ? `Run its command by hand to see more, or correct its entry: ${look}`
      : `Check that something answers at its address, or correct its entry: ${look}`
  if (error instanceof CodedError && error.code === 'SERVER_UNAVAILABLE') {
    return new ContextdError(error.code, {
      ...error.details,
      hint: `Set what is missing where contextd is started, or correct its entry: ${look}`,
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
