import { Server, type ServerContext } from '@modelcontextprotocol/server'

import type { Runtime } from '../../compose.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { VERSION } from '@contextd/shared/version'
import { ATTEST, attestDefinition } from '../callers/caller-proof.ts'
import type { CallParams, CallTool } from './direct-call.ts'
import { announceChanges, notifierOf } from './changes.ts'
import { hookMessages, withOwnError } from './foreign-error.ts'
import { instructionsPlaceholder, introduce } from './instructions.ts'
import { clientCaller, handleRequest, type McpConnection, type Served, type Wanted } from './request.ts'
import { asProtocolError } from '../wire/mcp-result.ts'

/** How long a client of 2026-07-28 may cache a list. Changes are announced; this covers missed announcements. */
const listHint = { ttlMs: 60_000, cacheScope: 'private' } as const

/** The MCP server in front of the pipeline, for both transports and both protocol eras. */
export function createMcpServer(runtime: Runtime, connection: McpConnection): Server {
  // Capabilities are declared once per connection: servers added later bring no prompts or resources to connected
  // clients, though their tools show up.
  const { payloads } = runtime.catalogue
  const subscribe = payloads?.onChanged !== undefined
  const server = new Server(
    { name: 'contextd', version: VERSION },
    {
      capabilities: {
        tools: { listChanged: true },
        logging: {},
        ...(payloads !== undefined && {
          prompts: { listChanged: true },
          resources: { listChanged: true, ...(subscribe && { subscribe }) },
          completions: {},
        }),
      },
      cacheHints: {
        'tools/list': listHint,
        'prompts/list': listHint,
        'resources/list': listHint,
        'resources/templates/list': listHint,
      },
      instructions: instructionsPlaceholder,
      requestState: { verify: (state, ctx) => connection.rounds.verify(state, ctx) },
    },
  )
  const introduction = introduce({ runtime, connection, server })
  hookMessages(server, {
    received: introduction.received,
    sent: (message) => introduction.sent(withOwnError(message, (text) => runtime.scrub(text, 'door'))),
  })
  const served: Served = { runtime, connection, server, logLevel: 'debug' }
  const serve: Serve = async (wanted, ctx) => {
    try {
      // The SDK has a type per result; our content comes from the tool behind the pipeline.
      return (await handleRequest(served, wanted, ctx)) as never
    } catch (error) {
      throw asProtocolError(error, runtime)
    } finally {
      const { id, signal } = ctx.mcpReq
      if (signal.aborted) connection.onUnanswered?.(id)
    }
  }
  server.setRequestHandler('tools/list', async (_, ctx) => {
    const listed: { tools: unknown[] } = await serve({ method: 'list', tool: 'tools' }, ctx)
    return withAttest(served, listed, ctx) as never
  })
  const call: CallTool = async (params, ctx) =>
    attested(served, params, ctx) ?? serve({ method: 'tool', ...named(params) }, ctx)
  const calls = connection.direct?.attach(server, connection.era, call) ?? call
  server.setRequestHandler(
    'tools/call',
    ({ params }, ctx) => calls(params as CallParams, ctx) as Promise<never>,
  )
  server.setRequestHandler('logging/setLevel', ({ params: { level } }) => {
    served.logLevel = level
    return {}
  })
  if (payloads !== undefined) registerPayloads(server, serve)
  const subscribed = new Set<string>()
  if (subscribe && connection.era === 'legacy') registerSubscriptions(server, serve, subscribed)
  announceOn(served, subscribed)
  return server
}

type Serve = (wanted: Wanted, ctx: ServerContext) => Promise<never>

/** The tool for the client's hooks, for clients that hide it from models. */
function withAttest(served: Served, listed: { tools: unknown[] }, ctx: ServerContext): object {
  const { proofs } = served.connection
  if (proofs?.isOffered(clientCaller(served, ctx).client) !== true) return listed
  return { ...listed, tools: [...listed.tools, attestDefinition] }
}

/** A hook's statement about the next call. It is not a call itself, so it bypasses the pipeline. */
function attested(served: Served, { name, arguments: args }: CallParams, ctx: ServerContext) {
  const { proofs } = served.connection
  if (name !== ATTEST || proofs === undefined) return undefined
  const meta = (ctx.mcpReq._meta ?? {}) as JsonObject
  return proofs.attest(args ?? {}, meta, clientCaller(served, ctx).client)
}

function named(params: { name: string; arguments?: unknown }): { tool: string; arguments: JsonObject } {
  return { tool: params.name, arguments: (params.arguments ?? {}) as JsonObject }
}

function registerPayloads(server: Server, serve: Serve): void {
  const list =
    (what: string) =>
    (_: unknown, ctx: ServerContext): Promise<never> =>
      serve({ method: 'list', tool: what }, ctx)
  server.setRequestHandler('prompts/list', list('prompts'))
  server.setRequestHandler('resources/list', list('resources'))
  server.setRequestHandler('resources/templates/list', list('resourceTemplates'))
  server.setRequestHandler('prompts/get', ({ params }, ctx) =>
    serve({ method: 'prompt', ...named(params) }, ctx),
  )
  server.setRequestHandler('resources/read', ({ params }, ctx) =>
    serve({ method: 'resource', tool: params.uri }, ctx),
  )
  // No prompt or resource suggests values for its arguments, so the answer is the same for everyone.
  server.setRequestHandler('completion/complete', () => ({ completion: { values: [] } }))
}

/** For clients up to 2025-11-25. A session's upstream subscriptions end with the session. */
function registerSubscriptions(server: Server, serve: Serve, subscribed: Set<string>): void {
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }, ctx) => {
    await serve({ method: 'subscribe', tool: uri }, ctx)
    subscribed.add(uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }, ctx) => {
    subscribed.delete(uri)
    await serve({ method: 'unsubscribe', tool: uri }, ctx)
    return {}
  })
}

/** Persistent connections are notified of changes. On stateless HTTP, only clients that keep a stream open are. */
function announceOn(
  { server, runtime, connection: { era, current } }: Served,
  subscribed: ReadonlySet<string>,
): void {
  if (current === undefined) return
  const begin = (): void => {
    const lost = (error: Error): void =>
      runtime.log('debug', 'a change was not announced', { cause: error.message })
    // From 2026-07-28 on, the SDK tracks the client's subscriptions.
    const wanted = (uri: string): boolean => era === 'modern' || subscribed.has(uri)
    const notifier = notifierOf(server, wanted, lost)
    Object.assign(server, { onclose: announceChanges(runtime, notifier, current) })
    delete server.oninitialized
  }
  // Clients of older revisions accept no notifications before `initialized`.
  if (era === 'modern') begin()
  else server.oninitialized = begin
}
