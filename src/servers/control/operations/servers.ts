/** The MCP servers behind the gateway: their configuration, health and tools. */

import { surveyFiles } from '../../../compose/survey-files.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { InspectedTool } from '../../../tools/upstream/inspect.ts'
import type { ServersSurvey, SurveyedServer } from '../../../tools/upstream/servers/survey-servers.ts'
import type { Operation } from './operation.ts'
import { theText } from './request.ts'
import { jsonList, jsonOf } from './response.ts'

export const serversOperations: readonly Operation[] = [
  {
    rpc: 'Servers/List',
    async run(_request, { runtime }) {
      const { store, trust, env, project, upstream } = runtime
      const found = surveyFiles({ store, isTrusted: trust.isTrusted }, { env, cwd: project })
      const health = new Map(upstream.health().map(({ server, ...how }) => [server, jsonOf(how)]))
      return surveyJson(found, ({ name }) => health.get(name))
    },
  },
  {
    rpc: 'Servers/Tools',
    async run(request, { runtime: { upstream } }) {
      const server = theText(request, 'server')
      const found = await upstream.inspect(server)
      const tools = found.tools.map(({ tool, findings, held }) => ({
        ...tool,
        state: stateOf(held),
        findings,
      }))
      return { server, tools: jsonList(tools), dropped: jsonList(found.dropped) }
    },
  },
]

function stateOf(held: InspectedTool['held']): 'pinned' | 'held back' {
  return held === undefined ? 'pinned' : 'held back'
}

/** `healthOf`: the health of a usable server, if known. */
export function surveyJson(
  { servers, files, warnings, problems }: ServersSurvey,
  healthOf: (server: SurveyedServer['server']) => JsonObject | undefined = () => undefined,
): JsonObject {
  return {
    servers: servers.map((one) => serverJson(one, one.state === 'ok' ? healthOf(one.server) : undefined)),
    files: jsonList(files),
    warnings: [...warnings],
    problems: jsonList(problems),
  }
}

function serverJson({ server, state, why }: SurveyedServer, health: JsonObject | undefined): JsonObject {
  const { name, description, transport, role, file, line, protocol, stateless } = server
  return {
    name,
    ...(description !== undefined && { description }),
    transport: transport.kind,
    state,
    ...(why !== undefined && { why }),
    role,
    file,
    line,
    protocol,
    stateless,
    sandbox: transport.kind === 'stdio' && transport.sandbox !== undefined,
    ...(health !== undefined && { health }),
  }
}
