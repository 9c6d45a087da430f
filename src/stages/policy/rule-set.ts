import type { IdentityLevel } from '../../core/call.ts'
import { grantsAddresses, type Capability } from '../../core/capability.ts'
import type { MatchedRule } from '../../core/decision.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { commonScopes, type MemoryScope } from '../../core/memory-scope.ts'
import type { GlobIndex } from '../../platform/glob.ts'
import { intersectCapabilities } from './capability-grants.ts'
import type { RulePlace } from './rule-path.ts'
import type { CallLimits, AgentLimits, Reveal } from './rules-schema.ts'

/** The entries of one server key: `tools.postgres: […]`. */
export interface ServerRules {
  readonly server: string
  readonly place: RulePlace
  readonly rules: GlobIndex<MatchedRule>
}

/** One `allow` or `deny`. */
export interface AccessRules {
  /** `servers`, or its nearest existing parent in the file. */
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

/** The compiled rules of one agent in one file. */
export interface AgentRules {
  readonly place: RulePlace
  readonly allow: AccessRules
  /** Replaces `allow` for our own server if the agent's `allow` never names it. */
  readonly ownAllow?: AccessRules
  readonly deny: AccessRules
  readonly require?: Requirement
  readonly grants: readonly Capability[]
  readonly deniedCapabilities: readonly { readonly capability: Capability; readonly place: RulePlace }[]
  /** `allow.capabilities`, or its nearest existing parent in the file. */
  readonly capabilitiesPlace: RulePlace
  readonly justification?: string
}

/** A compiled rules file. */
export interface RuleLayer {
  /** `agents`, reported if an agent is not among them. */
  readonly place: RulePlace
  readonly agents: ReadonlyMap<string, AgentRules>
  /** Maps ids and aliases to ids. */
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

/** The terms of an agent's calls, combined from all files. */
export interface AgentTerms {
  readonly grants: readonly Capability[]
  /** By `<server>.<tool>`; applied in this order, so that the user's file takes precedence. */
  readonly args: ReadonlyMap<string, readonly ArgumentRules[]>
  readonly limits: AgentLimits
  readonly limitPlaces: ReadonlyMap<string, RulePlace>
  /** Limits per server; all that match apply. */
  readonly serverLimits: GlobIndex<ServerLimits>
  readonly memory: { readonly read: readonly MemoryScope[]; readonly write: readonly MemoryScope[] }
  readonly reveal: readonly Reveal[]
}

/** The current rules. Created by `compileRules`, evaluated by `evaluate`. */
export interface RuleSet {
  /** Each of them must allow a call. */
  readonly layers: readonly RuleLayer[]
  /** The source files; empty for the built-in rules. */
  readonly files: readonly string[]
  /** By agent id. */
  readonly agents: ReadonlyMap<string, AgentTerms>
  /** Callers without identity are refused without trying a fallback. */
  readonly denyOnMissing: boolean
  /** The id of an agent by its id or one of its aliases. */
  resolveAgent(name: string): string | undefined
}

/** The agents that have the built-in rules for our own server. */
export function builtinAgentsOf({ layers }: RuleSet): string[] {
  return layers.flatMap(({ agents }) =>
    [...agents].filter(([, { ownAllow }]) => ownAllow !== undefined).map(([id]) => id),
  )
}

/** The rules that apply to a project, of which either file may be missing. */
export function combineRules(
  user: RuleSet | undefined,
  project: RuleSet | undefined,
  builtin: RuleSet,
): RuleSet {
  if (user !== undefined && project !== undefined) return intersectRules(user, project)
  return user ?? (project && withoutServices(project)) ?? builtin
}

/** Combines the user's and a project's rules: only what both allow is allowed, and the user's names apply. */
export function intersectRules(user: RuleSet, project: RuleSet): RuleSet {
  const agents = new Map<string, AgentTerms>()
  for (const [id, terms] of user.agents) {
    const known = project.resolveAgent(id)
    const projectTerms = known === undefined ? undefined : project.agents.get(known)
    if (projectTerms !== undefined) agents.set(id, intersectTerms(terms, projectTerms))
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

/**
 * A project cannot open the user's own services by itself, even a trusted one: only the user knows what listens there.
 * An address that `http:fetch` grants is a service like any other, through `CONNECT`.
 */
export function withoutServices(project: RuleSet): RuleSet {
  const agents = [...project.agents].map(([id, terms]): [string, AgentTerms] => [
    id,
    {
      ...terms,
      grants: terms.grants.filter((grant) => grant.kind !== 'net:connect' && !grantsAddresses(grant)),
    },
  ])
  return { ...project, agents: new Map(agents) }
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

/** A missing field matches anything, so a field that either has applies. */
function commonReveal(one: Reveal, other: Reveal): Reveal[] {
  const agrees = (key: keyof Reveal): boolean =>
    one[key] === undefined || other[key] === undefined || one[key] === other[key]
  if (!agrees('tool') || !agrees('argument') || !agrees('host')) return []
  return [{ ...one, ...other }]
}

/** Limits that apply although the rules do not mention them: a project cannot raise these either. */
export const implicitLimits: AgentLimits & { readonly command_seconds: number } = { command_seconds: 600 }

function lowestLimits(user: AgentTerms, project: AgentTerms): Pick<AgentTerms, 'limits' | 'limitPlaces'> {
  const limits: AgentLimits = { ...user.limits }
  const limitPlaces = new Map(user.limitPlaces)
  for (const [name, value] of Object.entries(project.limits) as [keyof AgentLimits, number][]) {
    if (value >= (limits[name] ?? implicitLimits[name] ?? Infinity)) continue
    limits[name] = value
    limitPlaces.set(name, project.limitPlaces.get(name) ?? { path: '$' })
  }
  return { limits, limitPlaces }
}
