/** What only a running daemon knows: its active rules and the health of its servers. */

import { CodedError } from '../../../core/errors/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { DaemonStatus } from '../../../servers/local/running-daemon.ts'
import { withControl, type ControlApi } from '../../support/control.ts'
import type { CliIo } from '@contextd/shared/cli/output'
import type { Glance, RulesInForce } from './facts.ts'

export interface Running {
  readonly rules: RulesInForce
  readonly servers: Glance['servers']
}

/** Undefined if it cannot say; the files of this folder are then used instead. */
export async function askRunning(io: CliIo): Promise<Running | undefined> {
  try {
    return await withControl(io, ask)
  } catch (error) {
    if (error instanceof CodedError) return undefined
    throw error
  }
}

export function askElsewhere(
  io: CliIo,
  limit: number,
): Promise<Running & { readonly status: DaemonStatus; readonly refusals: Glance['refusals'] }> {
  return withControl(io, async (api) => {
    const status = (await api.call('Server/Status', {})) as DaemonStatus
    const { entries } = await api.call('Audit/Query', { decision: 'deny', kind: 'call', limit })
    return { ...(await ask(api)), status, refusals: objectsIn(entries).map(refusalIn) }
  })
}

async function ask(api: ControlApi): Promise<Running> {
  const { agents, files } = await api.call('Policy/List', {})
  const { servers } = await api.call('Servers/List', {})
  return {
    rules: {
      agents: Array.isArray(agents) ? agents.map(textOf) : [],
      files: objectsIn(files).map(({ path, state }) => ({ path: textOf(path), state: textOf(state) })),
    },
    servers: objectsIn(servers)
      .filter(({ state }) => state !== 'passed over')
      .map(serverIn),
  }
}

/** For a usable server, its health; for another, why it is unusable. */
function serverIn({ name, state, why, health }: JsonObject): Glance['servers'][number] {
  const how = isJsonObject(health) ? health : { state, why }
  return {
    name: textOf(name),
    state: textOf(how.state),
    ...(typeof how.why === 'string' && { why: how.why }),
  }
}

function refusalIn(entry: JsonObject): Glance['refusals'][number] {
  const {
    time,
    agent,
    server,
    tool,
    target_server: aimedServer,
    target_tool: aimedTool,
    error,
    rule,
    call,
  } = entry
  return {
    time: textOf(time),
    agent: textOf(agent),
    server: textOf(aimedServer ?? server),
    tool: textOf(aimedTool ?? tool),
    code: textOf(error),
    ...(typeof rule === 'string' && { rule }),
    ...(typeof call === 'string' && { call }),
  }
}

function objectsIn(list: Json | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
