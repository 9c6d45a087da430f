/** The MCP servers behind the gateway: what their files name, how they do, and what one offers. */

import type { InspectedTool, Runtime } from '../../../compose.ts'
import {
  discoverServers,
  projectVariable,
  surveyServers,
  type ServersSurvey,
  type SurveyedServer,
} from '../../../compose/server-files.ts'
import { LOCAL_TENANT } from '../../../core/call.ts'
import type { JsonObject } from '../../../core/json.ts'
import { resolvePaths } from '../../../platform/paths.ts'
import type { Trust } from '../../../platform/trust.ts'
import type { Operation } from './operation.ts'
import { theText } from './request.ts'
import { jsonList, jsonOf } from './response.ts'

export const serversOperations: readonly Operation[] = [
  {
    rpc: 'Servers/List',
    async run(_request, { runtime }) {
      const { trust, env, project, upstream } = runtime
      const found = surveyFiles({ trust, secrets: setSecrets(runtime) }, { env, cwd: project })
      const health = new Map(upstream.health().map(({ server, ...how }) => [server, jsonOf(how)]))
      return surveyJson(found, ({ name }) => health.get(name))
    },
  },
  {
    rpc: 'Servers/Tools',
    // It starts the server, and pins what it sees for the first time.
    writes: true,
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

function setSecrets({ store }: Runtime): Set<string> {
  const rows = store.rows('secrets', { tenant: LOCAL_TENANT }).all({ kind: 'set' })
  return new Set(rows.map(({ rule }) => String(rule)))
}

/** What the files name, as things are now; nothing is started. `secrets`: the rules that set secrets are kept under. */
export function surveyFiles(
  known: { readonly trust: Trust; readonly secrets: ReadonlySet<string> },
  { env, cwd }: { readonly env: NodeJS.ProcessEnv; readonly cwd: string },
): ServersSurvey {
  return surveyServers(discoverServers(env, resolvePaths(env), cwd), known.trust.isTrusted, {
    env: { ...env, [projectVariable]: cwd },
    // Whether there is one is all that a list tells.
    secret: (name) => (known.secrets.has(`set:${name}`) ? '' : undefined),
  })
}

/** `healthOf`: how a server does that can be used, where somebody knows. */
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
  const { name, description, way, role, file, line, protocol, stateless } = server
  return {
    name,
    ...(description !== undefined && { description }),
    transport: way.kind,
    state,
    ...(why !== undefined && { why }),
    role,
    file,
    line,
    protocol,
    stateless,
    sandbox: way.kind === 'stdio' && way.sandbox !== undefined,
    ...(health !== undefined && { health }),
  }
}
