// What rules cost with many agents and many rules each: filtering a list of 200 tools.
import type { JsonObject } from '@contextd/shared/json/value'
import type { Call, Principal } from '../../src/core/call.ts'
import type { Tool } from '../../src/core/tool.ts'
import { principalsOf } from '../../src/stages/policy/access.ts'
import { filterList } from '../../src/stages/policy/filter-list.ts'
import type { RuleSet } from '../../src/stages/policy/rule-set.ts'
import type { AgentDocument } from '../../src/stages/policy/rules-schema.ts'
import { aCall } from '../../test/support/calls.ts'
import { rulesOf } from '../../test/support/policy-rules.ts'
import { median } from '../support/statistics.ts'

const servers = ['crm', 'billing', 'search', 'deploy']
const verbs = ['get', 'list', 'create', 'update', 'delete']
const nouns = Array.from({ length: 10 }, (_, index) => `thing_${index}`)
const names = verbs.flatMap((verb) => nouns.map((noun) => `${verb}_${noun}`))
const agents = Array.from({ length: 50 }, (_, index) => `agent-${index}`)

/** One hundred rules: for each of four servers, sixteen tools allowed and eight denied, by name and by wildcard. */
function rulesOfAgent(index: number): AgentDocument {
  const from = (start: number, count: number): string[] =>
    Array.from({ length: count }, (_, at) => names[(index + start + at * 3) % names.length]!)
  const perServer = (patterns: string[]) => Object.fromEntries(servers.map((server) => [server, patterns]))
  return {
    allow: { servers, tools: perServer([...from(0, 12), 'get_*', 'list_*', '*_9', '*_8']) },
    deny: { tools: perServer([...from(7, 6), 'delete_*', '*_3']) },
  }
}

/** The tools as they are listed in transparent mode. */
function listedTools(): Map<string, Tool> {
  const tools = servers.flatMap((server) =>
    names.map((tool): [string, Tool] => {
      const name = `${server}__${tool}`
      const resolveTarget = (call: Call): Call => ({ ...call, server, tool })
      const definition = { name, description: '', inputSchema: { type: 'object' } }
      return [name, { definition, server, needs: [], resolveTarget, run: () => never(name) }]
    }),
  )
  return new Map(tools)
}

function never(name: string): never {
  throw new Error(`${name} was called`)
}

export interface Filtering {
  /** Milliseconds for one agent's list. */
  readonly ofOne: number
  /** For an unidentified caller, who sees the tools that any agent may use. */
  readonly ofAll: number
  readonly tools: number
  readonly kept: number
}

export async function measureFiltering(): Promise<Filtering> {
  const rules = rulesOf({ agents: Object.fromEntries(agents.map((id, index) => [id, rulesOfAgent(index)])) })
  const tools = listedTools()
  const value = { tools: Array.from(tools.values(), ({ definition }) => definition as unknown as JsonObject) }
  const catalogue = { find: (name: string) => tools.get(name) }
  const call = aCall({ method: 'list', tool: 'tools' })
  let kept = 0
  const once = async (principals: readonly Principal[]): Promise<number> => {
    const start = performance.now()
    const filtered = await filterList({ kind: 'payload', value }, { call, principals, rules, catalogue })
    const elapsedMs = performance.now() - start
    if (filtered.kind === 'payload') kept = (filtered.value.tools as unknown[]).length
    return elapsedMs
  }
  const ofAll = await medianOf(30, () => once(principalsOf({}, rules)))
  const ofOne = await medianOf(40 * agents.length, (round) => once([agentAt(round, rules)]))
  return { ofOne, ofAll, tools: tools.size, kept }
}

function agentAt(round: number, { agents: knownAgents }: RuleSet): Principal {
  const agent = agents[round % agents.length]!
  if (!knownAgents.has(agent)) throw new Error(`the rules do not contain ${agent}`)
  return { agent, level: 'declared' }
}

async function medianOf(rounds: number, once: (round: number) => Promise<number>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) times.push(await once(round))
  return median(times)
}
