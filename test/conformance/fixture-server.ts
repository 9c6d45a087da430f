import { randomBytes } from 'node:crypto'

import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  fromJsonSchema,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ClientCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server'

import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import { answeringTools } from './answering-tools.ts'
import { askingTools } from './asking-tools.ts'
import type { FixtureHost } from './fixture-tool.ts'
import { prompts, resources, resourceTemplate, templateContent } from './prompts-and-resources.ts'

/** States of unfinished calls are in the hands of clients; one key for all requests of this process. */
const states = createRequestStateCodec<{ state: string }>({ key: randomBytes(32) })

/** A foreign server: the SDK and what the conformance suite expects to find, nothing of ours. */
export function createFixtureServer(
  changed: (list: 'tools' | 'prompts', server: McpServer) => void,
): McpServer {
  const server = new McpServer(
    { name: 'fixtures', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        completions: {},
        logging: {},
      },
      requestState: { verify: (state, ctx) => states.verify(state, ctx) },
    },
  )
  const hostOf = (ctx: ServerContext): FixtureHost => ({
    log: (message) => ctx.mcpReq.log('info', message, 'fixtures'),
    async progress(progress, total) {
      const token = ctx.mcpReq._meta?.progressToken
      if (token === undefined) return
      const params = { progressToken: token, progress, ...(total !== undefined && { total }) }
      await ctx.mcpReq.notify({ method: 'notifications/progress', params })
    },
    answer(key) {
      const answer = (ctx.mcpReq.inputResponses as JsonObject | undefined)?.[key]
      return isJsonObject(answer) ? answer : undefined
    },
    state: ctx.mcpReq.requestState<{ state: string }>()?.state,
    can(kind) {
      const envelope = ctx.mcpReq.envelope as Record<string, ClientCapabilities> | undefined
      const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities()
      return capabilities?.[kind] !== undefined
    },
    changed: (list) => changed(list, server),
  })

  for (const { name, inputSchema, run } of [...answeringTools, ...askingTools]) {
    const config = { description: `Fixture ${name}`, inputSchema: fromJsonSchema<JsonObject>(inputSchema) }
    server.registerTool(
      name,
      config,
      async (args, ctx) => (await signed(await run(args, hostOf(ctx)))) as never,
    )
  }
  const { server: low } = server
  low.setRequestHandler('prompts/list', () => ({ prompts: promptList }))
  low.setRequestHandler('prompts/get', async ({ params }, ctx) => {
    const prompt = prompts[params.name]
    if (prompt === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'No such prompt')
    return (await signed(prompt.get(params.arguments ?? {}, hostOf(ctx)))) as never
  })
  low.setRequestHandler('resources/list', () => ({ resources: resourceList }))
  low.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      { uriTemplate: resourceTemplate, name: 'template', description: 'A resource with a parameter' },
    ],
  }))
  low.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
    const content = id === undefined ? resources[uri] : templateContent(id)
    if (content === undefined) throw new ResourceNotFoundError(uri)
    return { contents: [{ uri, ...content }] } as never
  })
  low.setRequestHandler('resources/subscribe', () => ({}))
  low.setRequestHandler('resources/unsubscribe', () => ({}))
  low.setRequestHandler('completion/complete', () => ({ completion: { values: [] } }))
  return server
}

const promptList = Object.entries(prompts).map(([name, { description, arguments: args = {} }]) => ({
  name,
  description,
  arguments: Object.entries(args).map(([arg, meaning]) => ({
    name: arg,
    description: meaning,
    required: true,
  })),
}))

const resourceList = Object.entries(resources).map(([uri, { mimeType }]) => ({
  uri,
  name: uri,
  description: `Fixture ${uri}`,
  mimeType,
}))

async function signed(result: JsonObject): Promise<JsonObject> {
  const { requestState: state } = result
  return typeof state === 'string' ? { ...result, requestState: await states.mint({ state }) } : result
}
