import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  type CallToolResult,
  type ClientCapabilities,
  type Implementation,
  type RequestId,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'

import type { CallRequest, Runtime } from '../../compose.ts'
import { logLevels, type Call, type Claims, type Client, type LogLevel } from '../../core/call.ts'
import { mapStrings, type JsonObject } from '@contextd/shared/json/value'
import type { Mutable } from '../../core/mutable.ts'
import type { Result } from '../../core/result.ts'
import { readTrace } from '../../platform/telemetry/trace-context.ts'
import { splitSigned, type CallerProofs } from '../callers/caller-proof.ts'
import type { ProvenCall } from '../callers/proven-call.ts'
import { askByReturning, askWhileWaiting, kindsOf, readRound, writeRound, type RoundCodec } from './ask.ts'
import { clientOf } from './client.ts'
import type { DirectCalls } from './direct-call.ts'
import { faultAsError } from './foreign-error.ts'
import { toProtocolError, toToolResult } from '../wire/mcp-result.ts'
import { errorIn } from '../wire/wire-error.ts'

/** What a door knows about a connection. On stateless HTTP, a connection is one request. */
export interface McpConnection {
  readonly door: 'stdio' | 'http'
  readonly era: 'legacy' | 'modern'
  /** The session of a request; created on first use. */
  session(client: Client, meta: JsonObject, clientSession?: string): string
  /** The session of a persistent connection, once it exists. */
  readonly current?: () => string | undefined
  readonly claims: Omit<Claims, 'declared'>
  /** If the client can prove which of its agents is calling. */
  readonly proofs?: CallerProofs
  readonly rounds: RoundCodec
  /** If calls can bypass the SDK. */
  readonly direct?: Pick<DirectCalls, 'attach'>
  /** Called for cancelled requests, which get no answer. */
  readonly onUnanswered?: (id: RequestId) => void
}

/** A connection being served, with state from earlier requests. */
export interface Served {
  readonly runtime: Runtime
  readonly connection: McpConnection
  readonly server: Server
  /** Up to 2025-11-25, a client receives all log messages by default. */
  logLevel: LogLevel
}

/** The pipeline call that a request maps to. */
export type Wanted = Pick<CallRequest, 'method' | 'tool' | 'arguments'>

/** Not a valid agent id, so the identity stage refuses it, and the attempt is recorded. */
const notAName = '(not a string)'

/** One request through the pipeline: MCP in, MCP out; refusals are thrown as `ProtocolError`. */
export async function handleRequest(served: Served, wanted: Wanted, ctx: ServerContext): Promise<JsonObject> {
  const { runtime, connection, server } = served
  const { signal, method, inputResponses } = ctx.mcpReq
  const meta = (ctx.mcpReq._meta ?? {}) as JsonObject
  const { client, capabilities, logLevel } = clientCaller(served, ctx)
  const proven = provenCall(connection, wanted, meta, client)
  const session = connection.session(client, meta, proven?.clientSession)
  const scrub = (text: string): string => runtime.scrub(text, session)
  const args = proven?.arguments ?? wanted.arguments ?? {}
  const round = { session, method, name: wanted.tool, arguments: args }
  const { answers, state } = readRound(ctx, round)
  const responses = inputResponses as JsonObject | undefined
  const used: JsonObject = {}
  const kinds = kindsOf(capabilities)
  const ask =
    connection.era === 'modern'
      ? askByReturning(kinds, { ...answers, ...responses }, used)
      : askWhileWaiting(ctx, kinds, (params) => mapStrings(params, scrub) as JsonObject)

  const request: Mutable<CallRequest> = {
    ...wanted,
    session,
    client,
    claims: {
      ...connection.claims,
      ...(wanted.method === 'list' ? connection.proofs?.claimsOfList(client) : proven?.claims),
      ...declaredIn(meta),
      ...branchIn(meta),
    },
    signal,
  }
  if (proven !== undefined) request.arguments = args
  if (ask !== undefined) request.ask = ask
  const trace = readTrace(meta) ?? traceInHeaders(ctx)
  if (trace !== undefined) request.trace = trace
  if (responses !== undefined || state !== undefined) {
    request.input = { ...(responses !== undefined && { responses }), ...(state !== undefined && { state }) }
  }
  addNotices(request, ctx, meta, { scrub, logLevel, log: runtime.log })
  const made = runtime.newCall(request)
  const schema = made.resolvedTool?.definition.outputSchema
  const call = wantsData(meta) || schema !== undefined ? made : { ...made, textOnly: true as const }
  const result = await runtime.handle(call)
  if (result.kind === 'input_required') {
    proven?.onRetry?.()
    return writeRound(result, round, { ...answers, ...used }, connection.rounds)
  }
  return toMcp(
    result,
    call,
    scrub,
    (answer) => server.projectCallToolResult(answer as CallToolResult, schema) as JsonObject,
  )
}

/** The trace context of clients that send it to every HTTP server in headers instead of `_meta`. */
function traceInHeaders({ http }: ServerContext): CallRequest['trace'] {
  const headers = http?.req?.headers
  if (headers === undefined) return undefined
  return readTrace({ traceparent: headers.get('traceparent'), tracestate: headers.get('tracestate') })
}

/** Undefined unless this is a tool call. */
function provenCall(
  { proofs }: McpConnection,
  wanted: Wanted,
  meta: JsonObject,
  client: Client,
): ProvenCall | undefined {
  if (wanted.method !== 'tool') return undefined
  const { tool, arguments: args = {} } = wanted
  return (
    proofs?.prove({ tool, arguments: args }, meta, client) ?? {
      claims: {},
      arguments: splitSigned(args).rest,
    }
  )
}

function toMcp(
  result: Exclude<Result, { kind: 'input_required' }>,
  { method, textOnly }: Pick<Call, 'method' | 'textOnly'>,
  scrub: (text: string) => string,
  forEra: (answer: JsonObject) => JsonObject,
): JsonObject {
  switch (result.kind) {
    case 'answer':
      if (method !== 'tool') throw toProtocolError(errorIn(result), scrub)
      return forEra(toToolResult(result, textOnly))
    case 'payload':
      return result.value
    case 'refusal':
      throw toProtocolError(result.error, scrub)
    case 'fault':
      throw faultAsError(result)
  }
}

/** The caller's declared identity. */
export function declaredIn(meta: JsonObject): Pick<Claims, 'declared'> {
  const declared = meta['dev.contextd/agentId']
  if (declared === undefined) return {}
  return { declared: typeof declared === 'string' ? declared : notAName }
}

/** A program asks for the data of our own answers, as structured content. */
function wantsData(meta: JsonObject): boolean {
  return meta['dev.contextd/structured'] === true
}

/** The declared branch. A value that is not a string is no valid branch id. */
function branchIn(meta: JsonObject): Pick<Claims, 'branch'> {
  const branch = meta['dev.contextd/branch']
  if (branch === undefined) return {}
  return { branch: typeof branch === 'string' ? branch : '' }
}

interface Caller {
  readonly client: Client
  readonly capabilities: ClientCapabilities | undefined
  readonly logLevel: LogLevel | undefined
}

/** The client program: identified once, or in every request from 2026-07-28 on. */
export function clientCaller(
  { connection: { door, era }, server, logLevel }: Served,
  ctx: ServerContext,
): Caller {
  if (era === 'legacy') {
    return {
      client: clientOf(server.getClientVersion(), door),
      capabilities: server.getClientCapabilities(),
      logLevel,
    }
  }
  const envelope = ctx.mcpReq.envelope as Record<string, unknown> | undefined
  return {
    client: clientOf(envelope?.[CLIENT_INFO_META_KEY] as Implementation | undefined, door),
    capabilities: envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined,
    logLevel: envelope?.[LOG_LEVEL_META_KEY] as LogLevel | undefined,
  }
}

/** Sends notices while the call runs. If one cannot be scrubbed or sent, it is dropped and the call continues. */
function addNotices(
  request: Mutable<CallRequest>,
  ctx: ServerContext,
  { progressToken }: JsonObject,
  {
    scrub,
    logLevel,
    log,
  }: { scrub: (text: string) => string; logLevel: LogLevel | undefined; log: Runtime['log'] },
): void {
  const attempt = (send: () => Promise<void>): void => {
    if (ctx.mcpReq.signal.aborted) return
    Promise.resolve()
      .then(send)
      .catch((error: unknown) => log('debug', 'a notice was not sent', { cause: String(error) }))
  }
  if (typeof progressToken === 'string' || typeof progressToken === 'number') {
    request.onProgress = ({ progress, total, message }) =>
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
      )
  }
  if (logLevel === undefined) return
  request.logLevel = logLevel
  request.onLog = (level, message, logger) => {
    if (logLevels.indexOf(level) < logLevels.indexOf(logLevel)) return
    attempt(() => {
      const named = logger === undefined ? 'contextd' : scrub(logger)
      const params = { level, data: mapStrings(message, scrub), logger: named }
      return ctx.mcpReq.notify({ method: 'notifications/message', params })
    })
  }
}
