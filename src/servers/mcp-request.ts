import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type CallToolResult,
  type ClientCapabilities,
  type Implementation,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'

import type { CallRequest, Runtime } from '../compose.ts'
import type { Claims, Client } from '../core/call.ts'
import { mapStrings, type JsonObject } from '../core/json.ts'
import type { Result } from '../core/result.ts'
import {
  askByReturning,
  askWhileWaiting,
  kindsOf,
  readRound,
  writeRound,
  type RoundCodec,
} from './mcp-ask.ts'
import { clientOf } from './mcp-client.ts'
import { errorIn, toProtocolError, toToolResult } from './mcp-result.ts'

/** What a door knows of one connection. On stateless HTTP a connection is one request. */
export interface McpConnection {
  readonly door: 'stdio' | 'http'
  readonly era: 'legacy' | 'modern'
  /** The session a request belongs to; the door begins it when it is first asked for. */
  session(client: Client, meta: JsonObject): string
  readonly claims: Omit<Claims, 'declared'>
  readonly rounds: RoundCodec
}

/** What a request asks the pipeline for. */
export type Wanted = Pick<CallRequest, 'method' | 'tool' | 'arguments'>

/** Cannot be an agent id, so the identity stage refuses it, and the attempt is on record. */
const notAName = '(not a string)'

/** One request through the pipeline: MCP in, MCP out, a thrown `ProtocolError` for a refusal. */
export async function handleRequest(
  runtime: Runtime,
  connection: McpConnection,
  server: Server,
  wanted: Wanted,
  ctx: ServerContext,
): Promise<JsonObject> {
  const { signal, method, inputResponses } = ctx.mcpReq
  const meta = (ctx.mcpReq._meta ?? {}) as JsonObject
  const { client, capabilities } = callerOf(connection, server, ctx)
  const session = connection.session(client, meta)
  const scrub = (text: string): string => runtime.scrub(text, session)
  const round = { session, method, name: wanted.tool, arguments: wanted.arguments ?? {} }
  const { answers, state } = readRound(ctx, round)
  const responses = inputResponses as JsonObject | undefined
  const used: JsonObject = {}
  const kinds = kindsOf(capabilities)
  const ask =
    connection.era === 'modern'
      ? askByReturning(kinds, { ...answers, ...responses }, used)
      : askWhileWaiting(ctx, kinds, (params) => mapStrings(params, scrub) as JsonObject)

  const result = await runtime.handle(
    runtime.newCall({
      ...wanted,
      session,
      client,
      claims: { ...connection.claims, ...declaredIn(meta) },
      signal,
      ...(ask !== undefined && { ask }),
      ...((responses ?? state) !== undefined && {
        input: { ...(responses !== undefined && { responses }), ...(state !== undefined && { state }) },
      }),
      ...noticesFor(ctx, meta, scrub, runtime),
    }),
  )
  if (result.kind === 'input_required') {
    return writeRound(result, round, { ...answers, ...used }, connection.rounds)
  }
  return toMcp(result, wanted, scrub, (answer) => {
    const schema = runtime.catalogue.find(wanted.tool)?.definition.outputSchema
    return server.projectCallToolResult(answer as CallToolResult, schema) as JsonObject
  })
}

function toMcp(
  result: Exclude<Result, { kind: 'input_required' }>,
  wanted: Wanted,
  scrub: (text: string) => string,
  forEra: (answer: JsonObject) => JsonObject,
): JsonObject {
  switch (result.kind) {
    case 'answer':
      if (wanted.method !== 'tool') throw toProtocolError(errorIn(result), scrub)
      return forEra(toToolResult(result))
    case 'payload':
      return result.value
    case 'refusal':
      throw toProtocolError(result.error, scrub)
  }
}

function declaredIn(meta: JsonObject): Pick<Claims, 'declared'> {
  const declared = meta['dev.contextd/agentId']
  if (declared === undefined) return {}
  return { declared: typeof declared === 'string' ? declared : notAName }
}

/** Who calls by which program: said once at `initialize`, or with every request from 2026-07-28 on. */
function callerOf(
  { door, era }: McpConnection,
  server: Server,
  ctx: ServerContext,
): { client: Client; capabilities: ClientCapabilities | undefined } {
  const envelope = ctx.mcpReq.envelope as Record<string, unknown> | undefined
  const modern = era === 'modern'
  const info = modern
    ? (envelope?.[CLIENT_INFO_META_KEY] as Implementation | undefined)
    : server.getClientVersion()
  return {
    client: clientOf(info, door),
    capabilities: modern
      ? (envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined)
      : server.getClientCapabilities(),
  }
}

/** What the client hears while the call runs. A notice that cannot be scrubbed or sent is lost, the call goes on. */
function noticesFor(
  ctx: ServerContext,
  { progressToken }: JsonObject,
  scrub: (text: string) => string,
  { log }: Runtime,
): Pick<CallRequest, 'onProgress' | 'onLog'> {
  const attempt = (send: () => Promise<void>): void => {
    if (ctx.mcpReq.signal.aborted) return
    Promise.resolve()
      .then(send)
      .catch((error: unknown) => log('debug', 'a notice was not sent', { cause: String(error) }))
  }
  return {
    ...((typeof progressToken === 'string' || typeof progressToken === 'number') && {
      onProgress: ({ progress, total, message }) =>
        attempt(() =>
          ctx.mcpReq.notify({
            method: 'notifications/progress',
            params: {
              progressToken,
              progress,
              ...(total !== undefined && { total }),
              ...(message !== undefined && { message: scrub(message) }),
            },
          }),
        ),
    }),
    // The SDK knows which levels the client asked for, in either era.
    onLog: (level, message) => attempt(() => ctx.mcpReq.log(level, mapStrings(message, scrub), 'contextd')),
  }
}
