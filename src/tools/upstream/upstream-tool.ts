import type { Call } from '../../core/call.ts'
import { CodedError, type ErrorDetails } from '../../core/errors/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { Mutable } from '../../core/mutable.ts'
import {
  invalidArguments,
  refusal,
  type Answer,
  type Block,
  type InputRequired,
  type Refusal,
  type Result,
} from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'
import { argumentCheck } from './argument-check.ts'
import { ConnectionLost, ServerError } from './connection.ts'
import type { Pool } from './pool.ts'
import { questions, type Relay } from './relay.ts'
import type { UpstreamServer } from './server.ts'
import type { Upstreams } from './upstreams.ts'

export interface CallParts {
  readonly upstreams: Upstreams
  readonly pool: Pick<Pool, 'use' | 'explain'>
  readonly relay: Relay
}

/**
 * A tool of another server, under its own name. It holds no state: the server's entry, tools and pins are looked up when
 * it runs, and its arguments are validated there, because the schema is only known on the caller's connection.
 */
export function upstreamTool(server: string, name: string, parts: CallParts): Tool {
  const { upstreams } = parts
  return {
    definition: { name, description: '', inputSchema: { type: 'object' } },
    server,
    needs: [],
    async isReadOnly(call) {
      const entry = upstreams.find(server)
      return entry !== undefined && isReadOnly(entry, name, call, parts)
    },
    async run(args, { call }) {
      const entry = upstreams.find(server)
      // The rules may allow a server that is not configured.
      return entry === undefined ? notConfigured(server) : callTool(entry, name, args, call, parts)
    },
  }
}

export function notConfigured(server: string): Refusal {
  const hint = 'Use a server from list_servers.'
  return refusal('SERVER_UNAVAILABLE', { server, why: 'no server with this name is configured', hint })
}

/** False if the tool's annotations are unavailable. */
async function isReadOnly(
  server: UpstreamServer,
  name: string,
  call: Call,
  { upstreams }: CallParts,
): Promise<boolean> {
  try {
    const { tools } = await upstreams.toolsKnown(server, call)
    return tools.get(name)?.annotations?.readOnlyHint === true
  } catch {
    return false
  }
}

function callTool(
  server: UpstreamServer,
  name: string,
  args: JsonObject,
  call: Call,
  { upstreams, pool, relay }: CallParts,
): Promise<Result> {
  return answeredBy(server, pool, () => {
    const resumed = relay.resume(call)
    if (resumed !== undefined) return resumed.then(toAnswer)
    return pool.use(server, call, async (link): Promise<Result> => {
      const listed = upstreams.toolsOn(link)
      const { tools, held } = listed instanceof Promise ? await listed : listed
      const definition = tools.get(name)
      if (definition === undefined) {
        if (held.has(name)) return refusal('TOOL_CHANGED', heldBack(server.name, name))
        const hint = `List the tools of ${server.name} with get_server_tools and call one of those.`
        return refusal('TOOL_NOT_FOUND', { server: server.name, tool: name, hint })
      }
      const check = argumentCheck(definition)
      const fields = (check instanceof Promise ? await check : check)(args)
      if (fields.length > 0) return invalidArguments(fields)
      const { inputSchema } = definition
      const request = { method: 'tools/call', params: { name, arguments: args }, inputSchema }
      return toAnswer(await relay.send(link, request, call))
    })
  })
}

function heldBack(server: string, tool: string): ErrorDetails {
  const command = `ctxd upstream approve ${server} ${tool}`
  const hint = `Ask the user to review the change and approve it: \`${command}\`.`
  return { server, tool, hint, command }
}

/** Converts server errors and lost connections to results. */
export async function answeredBy(
  server: UpstreamServer,
  pool: Pick<Pool, 'explain'>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ServerError) {
      const { code, message, data } = error
      return { kind: 'fault', error: { code, message, ...(data !== undefined && { data }) } }
    }
    const known = error instanceof ConnectionLost ? pool.explain(server, error) : error
    if (!(known instanceof CodedError) || known.code !== 'SERVER_UNAVAILABLE') throw known
    return { kind: 'refusal', error: known.toObject() }
  }
}

/** The tool's result as its server returned it. */
function toAnswer(result: JsonObject | InputRequired): Answer | InputRequired {
  if (isAsking(result)) return result
  const { content, structuredContent, isError, _meta } = result
  const answer: Mutable<Answer> = {
    kind: 'answer',
    own: false,
    content: Array.isArray(content) ? content.filter(isBlock) : [],
  }
  if (structuredContent !== undefined) answer.structured = structuredContent
  if (isError === true) answer.isError = isError
  const meta = isJsonObject(_meta) ? withoutReserved(_meta) : {}
  if (Object.keys(meta).length > 0) answer.meta = meta
  return answer
}

/** Server results can have any keys, so only objects made by the relay are questions. */
export function isAsking(result: JsonObject | InputRequired): result is InputRequired {
  return questions.has(result)
}

function isBlock(value: Json): value is Block {
  return isJsonObject(value) && typeof value.type === 'string'
}

/** Without the `_meta` keys that are reserved for the protocol and for contextd. */
export function withoutReserved(meta: JsonObject): JsonObject {
  const isReserved = (key: string): boolean => /^(?:dev\.contextd|io\.modelcontextprotocol)\//.test(key)
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !isReserved(key)))
}
