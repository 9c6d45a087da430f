/** What a door needs before it has a result: a session, a call, and a preview of the policy decision. */

import { randomUUID } from 'node:crypto'

import { OWN_SERVER, type Claims, type Client } from '../core/call.ts'
import { commandWaitMs } from '../core/tool.ts'
import { newTrail } from '../core/trail.ts'
import { createSessions, type Sessions } from '../platform/sessions.ts'
import { createDecisionPreview, createToolPreview } from './decision-preview.ts'
import type { Foundation } from './foundation.ts'
import type { ToolSet } from './tool-set.ts'
import type { Runtime } from './runtime.ts'

/** `agent` is the identity of callers that provide none. */
export function openCalls(
  base: Foundation,
  { catalogue }: ToolSet,
  agent: string | undefined,
): Pick<Runtime, 'newCall' | 'previewDecision' | 'previewTools'> {
  const { env, tenant, project, user, clock, config, rules } = base
  const named = agent ?? (env.CONTEXTD_DEFAULT_AGENT || env.GATEWAY_DEFAULT_AGENT)
  const environment: Claims = named === undefined ? {} : { environment: named }
  const notes = config.sandbox.mode === 'off' ? ['the sandbox is off'] : []
  const previewDecision = createDecisionPreview(rules.current, catalogue.find)
  const previewTools = createToolPreview(rules.current, catalogue.find)
  const newCall: Runtime['newCall'] = (request) => {
    const { method, tool, server } = request
    const resolvedTool = method === 'tool' ? catalogue.find(tool, server) : undefined
    const ownMs = commandWaitMs(resolvedTool, request.arguments ?? {})
    return {
      id: randomUUID(),
      tenant,
      project,
      user,
      server: resolvedTool?.server ?? OWN_SERVER,
      arguments: {},
      grants: [],
      trail: newTrail(notes),
      deadline: clock() + Math.max(config.limits.call_timeout_ms, ownMs),
      ...request,
      claims: { ...environment, ...request.claims },
      resolvedTool,
    }
  }
  return {
    newCall,
    previewDecision: (claims, tool) => previewDecision({ ...environment, ...claims }, tool),
    previewTools: (claims, names) =>
      previewTools(
        newCall({
          method: 'list',
          tool: 'tools',
          session: '',
          client: { name: '', version: '', door: 'stdio' },
          signal: AbortSignal.abort(),
          claims,
        }),
        names,
      ),
  }
}

/** Stored client data is scrubbed, and all state of a session ends with it. */
export function openSessions(base: Foundation, { tools, upstream, memory }: ToolSet): Sessions {
  const { store, tenant, project, clock, scrubForLog, scrubber } = base
  const sessions = createSessions(store, { tenant, project }, clock, randomUUID)
  const scrubbed = ({ name, version, door }: Client): Client => ({
    name: scrubForLog(name),
    version: scrubForLog(version),
    door,
  })
  return {
    begin: (client) => sessions.begin(scrubbed(client)),
    join: (client, ...which) => sessions.join(scrubbed(client), ...which),
    end(session) {
      sessions.end(session)
      tools.commands.endSession(session)
      scrubber.endSession(session)
      upstream.gateway.endSession(session)
      memory.branches.endSession(session)
    },
    projectOf: sessions.projectOf,
    prune: sessions.prune,
  }
}
