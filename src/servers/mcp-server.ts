import { Server, type ServerContext } from '@modelcontextprotocol/server'

import type { Runtime } from '../compose.ts'
import type { JsonObject } from '../core/json.ts'
import { VERSION } from '../platform/version.ts'
import { announceChanges, notifierOf } from './mcp-changes.ts'
import { refuseInOwnWords } from './mcp-foreign-error.ts'
import { handleRequest, type McpConnection, type Wanted } from './mcp-request.ts'
import { asProtocolError } from './mcp-result.ts'

/** How long a client of 2026-07-28 may keep a list. Changes are announced; this bounds what an announcement missed. */
const listHint = { ttlMs: 60_000, cacheScope: 'private' } as const

/** Without it, an agent goes on using the shell and file tools of its client, which know no border. */
const instructions =
  'Use safe_bash, safe_read and safe_write instead of your own shell and file tools: they are confined to the workspace, and secrets in what they return are replaced by tokens such as [SECRET_1].'

/** MCP in front of the pipeline, for both doors and both eras. */
export function createMcpServer(runtime: Runtime, connection: McpConnection): Server {
  const { payloads } = runtime.catalogue
  // From 2026-07-28 on the SDK takes subscriptions to resources itself, without a place to ask whether the caller may read them.
  const subscribe = payloads?.onChanged !== undefined && connection.era === 'legacy'
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
      instructions,
      requestState: { verify: (state, ctx) => connection.rounds.verify(state, ctx) },
    },
  )
  refuseInOwnWords(server, (text) => runtime.scrub(text, 'door'))
  const serve: Serve = async (wanted, ctx) => {
    try {
      // The SDK names a type for each result; what is in ours was decided by the tool behind the pipeline.
      return (await handleRequest(runtime, connection, server, wanted, ctx)) as never
    } catch (error) {
      throw asProtocolError(error, runtime)
    }
  }
  server.setRequestHandler('tools/list', (_, ctx) => serve({ method: 'list', tool: 'tools' }, ctx))
  server.setRequestHandler('tools/call', ({ params }, ctx) =>
    serve({ method: 'tool', ...named(params) }, ctx),
  )
  const subscribed = new Set<string>()
  if (payloads !== undefined) offerPayloads(server, serve)
  if (subscribe) offerSubscriptions(server, serve, subscribed)
  announceOn(server, runtime, connection, subscribed)
  return server
}

type Serve = (wanted: Wanted, ctx: ServerContext) => Promise<never>

function named(params: { name: string; arguments?: unknown }): { tool: string; arguments: JsonObject } {
  return { tool: params.name, arguments: (params.arguments ?? {}) as JsonObject }
}

function offerPayloads(server: Server, serve: Serve): void {
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

function offerSubscriptions(server: Server, serve: Serve, subscribed: Set<string>): void {
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }, ctx) => {
    // Whoever may not read it is not told when it changes.
    await serve({ method: 'resource', tool: uri }, ctx)
    subscribed.add(uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscribed.delete(uri)
    return {}
  })
}

/** A connection that lasts hears of changes. On stateless HTTP the handler announces them for everyone at once. */
function announceOn(
  server: Server,
  runtime: Runtime,
  { door, era }: McpConnection,
  subscribed: ReadonlySet<string>,
): void {
  if (era === 'modern' && door === 'http') return
  const begin = (): void => {
    const lost = (error: Error): void =>
      runtime.log('debug', 'a change was not announced', { cause: error.message })
    Object.assign(server, { onclose: announceChanges(runtime, notifierOf(server, subscribed, lost)) })
    delete server.oninitialized
  }
  // Before `initialized` a client of the older revisions takes no notifications.
  if (era === 'modern') begin()
  else server.oninitialized = begin
}
