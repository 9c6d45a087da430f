import type { Runtime } from '../../../compose.ts'
import { CodedError } from '../../../core/errors/errors.ts'
import { formatJsonPath } from '@contextd/shared/json/json-path'
import { resolvePaths } from '../../../platform/files/paths.ts'
import { note, printLine, type CliIo } from '@contextd/shared/cli/output'
import { withRuntime } from '../../support/with-runtime.ts'

export interface WhoMay {
  /** By server, the agents that may use it. */
  readonly agents: Readonly<Record<string, readonly string[]>>
  /** For servers that no agent may use: what to change. */
  readonly advice: readonly string[]
}

type RuleSet = ReturnType<Runtime['rules']['current']>

/** Which agents may use the servers under the active rules. */
export async function whoMay(servers: readonly string[], io: CliIo): Promise<WhoMay> {
  if (servers.length === 0) return { agents: {}, advice: [] }
  try {
    return await withRuntime(io, ({ rules }) => judge(rules.current(), servers, io))
  } catch (error) {
    // The servers were added all the same.
    const why = error instanceof CodedError ? error.message : String(error)
    return { agents: {}, advice: [`the rules do not load: ${why}`] }
  }
}

function judge(rules: RuleSet, servers: readonly string[], io: CliIo): WhoMay {
  const ids = [...rules.agents.keys()]
  const agentsOf = (server: string): string[] =>
    ids.filter((id) => objections(rules, id, [server]).length === 0)
  const agents = Object.fromEntries(servers.map((server) => [server, agentsOf(server)]))
  const closed = servers.filter((server) => agents[server]?.length === 0)
  if (closed.length === 0) return { agents, advice: [] }
  if (rules.files.length === 0) {
    // The built-in rules, plus the servers.
    const allow = { allow: { servers: closed } }
    const document = { agents: { main: allow, default: allow }, defaults: { deny_on_missing_agent: false } }
    return { agents, advice: [`add to ${resolvePaths(io.env).rulesFile}: ${JSON.stringify(document)}`] }
  }
  const agent = ids.includes('main') ? 'main' : ids[0]
  const advice =
    agent === undefined ? [`name an agent in ${rules.files.join(' and ')}`] : objections(rules, agent, closed)
  return { agents, advice }
}

/** The changes each rules file needs for the agent to be allowed the servers; empty if it already is. */
function objections({ layers, files }: RuleSet, agent: string, servers: readonly string[]): string[] {
  return layers.flatMap((layer, index) => {
    const id = layer.names.get(agent) ?? agent
    const rules = layer.agents.get(id)
    const place = (list: 'allow' | 'deny'): string =>
      `${formatJsonPath(['agents', id, list, 'servers'])} in ${files[index] ?? 'the built-in rules'}`
    const quoted = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(', ')
    const missing = servers.filter((server) => !rules?.allow.servers.lookup(server).length)
    const denied = servers.filter((server) => rules?.deny.servers.lookup(server).length)
    return [
      ...(missing.length > 0 ? [`add ${quoted(missing)} to ${place('allow')}`] : []),
      ...(denied.length > 0 ? [`remove what denies ${quoted(denied)} from ${place('deny')}`] : []),
    ]
  })
}

export function sayWhoMay({ agents, advice }: WhoMay, io: CliIo): void {
  for (const [server, ids] of Object.entries(agents)) {
    if (ids.length > 0) printLine(`Agents that may use ${server}: ${ids.join(', ')}.`, io)
  }
  if (advice.length > 0) note(`no agent can use it yet: ${advice.join('; ')}`, io)
}
