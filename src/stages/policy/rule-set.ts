import type { IdentityLevel } from '../../core/call.ts'
import type { Capability } from '../../core/capability.ts'
import type { MatchedRule } from '../../core/decision.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { commonScopes, type MemoryScope } from '../../core/memory-scope.ts'
import type { GlobIndex } from '../../platform/glob.ts'
import { intersectCapabilities } from './capability-grants.ts'
import type { RulePlace } from './rule-path.ts'
import type { CallLimits, AgentLimits, Reveal } from './rules-schema.ts'

/** The list of one server key: `tools.postgres: […]`. */
export interface ServerRules {
  readonly server: string
  readonly place: RulePlace
  readonly rules: GlobIndex<MatchedRule>
}

/** One `allow` or `deny`. */
export interface AccessRules {
  /** `servers`, or what is nearest to it in the file. */
  readonly place: RulePlace
  readonly servers: GlobIndex<MatchedRule>
  readonly tools: GlobIndex<ServerRules>
  readonly prompts: GlobIndex<ServerRules>
  readonly resources: GlobIndex<ServerRules>
}

export interface Requirement {
  readonly level: IdentityLevel
  readonly place: RulePlace
}

/** One agent of one file, compiled. */
export interface AgentRules {
  readonly place: RulePlace
  readonly allow: AccessRules
  /** Stands in for `allow` on our own server where the file never names it. */
  readonly ownAllow?: AccessRules
  readonly deny: AccessRules
  readonly require?: Requirement
  readonly grants: readonly Capability[]
  readonly deniedCapabilities: readonly { readonly capability: Capability; readonly place: RulePlace }[]
  /** `allow.capabilities`, or what is nearest to it in the file. */
  readonly capabilitiesPlace: RulePlace
  readonly justification?: string
}

/** One rules file, compiled. */
export interface RuleLayer {
  /** `agents`, named when an agent is not among them. */
  readonly place: RulePlace
  readonly agents: ReadonlyMap<string, AgentRules>
  /** Ids and aliases to ids. */
  readonly names: ReadonlyMap<string, string>
  readonly serverRequirements: GlobIndex<Requirement>
  readonly toolRequirements: GlobIndex<GlobIndex<Requirement>>
}

export interface ArgumentRules {
  readonly defaults: JsonObject
  readonly fixed: JsonObject
  readonly place: RulePlace
}

/** `limits.servers.postgres: {…}`. */
export interface ServerLimits {
  /** Name or pattern. */
  readonly server: string
  readonly limits: CallLimits
  readonly places: ReadonlyMap<string, RulePlace>
}

/** What an agent's calls come with, all files taken together. */
export interface AgentTerms {
  readonly grants: readonly Capability[]
  /** By `<server>.<tool>`; applied in this order, so the last word is the user's. */
  readonly args: ReadonlyMap<string, readonly ArgumentRules[]>
  readonly limits: AgentLimits
  readonly limitPlaces: ReadonlyMap<string, RulePlace>
  /** For calls to one server; all that match it count. */
  readonly serverLimits: GlobIndex<ServerLimits>
  readonly memory: { readonly read: readonly MemoryScope[]; readonly write: readonly MemoryScope[] }
  readonly reveal: readonly Reveal[]
}

/** The rules in force. Made by `compileRules`, asked by `evaluate`. */
export interface RuleSet {
  /** Every one of them must allow a call. */
  readonly layers: readonly RuleLayer[]
  /** The files they came from; none for the built-in rules. */
  readonly files: readonly string[]
  /** By agent id. */
  readonly agents: ReadonlyMap<string, AgentTerms>
  /** Callers without an identity are refused, no fallback is tried. */
  readonly denyOnMissing: boolean
  /** The agent's own id for its id or one of its aliases. */
  resolveAgent(name: string): string | undefined
}

/** A project's rules beside the user's: nothing is allowed that not both allow, and the user's names count. */
export function intersectRules(user: RuleSet, project: RuleSet): RuleSet {
  const agents = new Map<string, AgentTerms>()
  for (const [id, terms] of user.agents) {
    const known = project.resolveAgent(id)
    const narrowing = known === undefined ? undefined : project.agents.get(known)
    if (narrowing !== undefined) agents.set(id, intersectTerms(terms, narrowing))
  }
  return {
    layers: [...user.layers, ...project.layers],
    files: [...user.files, ...project.files],
    agents,
    denyOnMissing: user.denyOnMissing || project.denyOnMissing,
    resolveAgent(name) {
      const id = user.resolveAgent(name)
      return id !== undefined && agents.has(id) ? id : undefined
    },
  }
}

function intersectTerms(user: AgentTerms, project: AgentTerms): AgentTerms {
  const args = new Map<string, readonly ArgumentRules[]>()
  for (const key of new Set([...project.args.keys(), ...user.args.keys()])) {
    args.set(key, [...(project.args.get(key) ?? []), ...(user.args.get(key) ?? [])])
  }
  return {
    grants: intersectCapabilities(user.grants, project.grants),
    args,
    ...lowestLimits(user, project),
    serverLimits: {
      lookup: (server) => [...user.serverLimits.lookup(server), ...project.serverLimits.lookup(server)],
      names: () => [...user.serverLimits.names(), ...project.serverLimits.names()],
    },
    memory: {
      read: commonScopes(user.memory.read, project.memory.read),
      write: commonScopes(user.memory.write, project.memory.write),
    },
    reveal: user.reveal.flatMap((one) => project.reveal.flatMap((other) => commonReveal(one, other))),
  }
}

/** What is not named may be anything, so what one of them names counts. */
function commonReveal(one: Reveal, other: Reveal): Reveal[] {
  const agrees = (key: keyof Reveal): boolean =>
    one[key] === undefined || other[key] === undefined || one[key] === other[key]
  if (!agrees('tool') || !agrees('argument') || !agrees('host')) return []
  return [{ ...one, ...other }]
}

function lowestLimits(user: AgentTerms, project: AgentTerms): Pick<AgentTerms, 'limits' | 'limitPlaces'> {
  const limits: AgentLimits = { ...user.limits }
  const limitPlaces = new Map(user.limitPlaces)
  for (const [name, value] of Object.entries(project.limits) as [keyof AgentLimits, number][]) {
    if (value >= (limits[name] ?? Infinity)) continue
    limits[name] = value
    limitPlaces.set(name, project.limitPlaces.get(name) ?? { path: '$' })
  }
  return { limits, limitPlaces }
}
