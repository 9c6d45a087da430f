import {
  CONTROL_SERVER,
  levelReaches,
  OPERATOR,
  OWN_SERVER,
  type CallMethod,
  type IdentityLevel,
} from '../../core/call.ts'
import type { CapabilityKind } from '../../core/capability.ts'
import type { Decision, MatchedRule } from '../../core/decision.ts'
import { isWildcard } from '../../platform/glob.ts'
import { addressReadings } from './address-readings.ts'
import { judgeOperator } from './operator.ts'
import type { RulePlace } from './rule-path.ts'
import type { AccessRules, AgentRules, Requirement, RuleLayer, RuleSet, ServerRules } from './rule-set.ts'

export interface PolicyQuestion {
  readonly agent: string
  readonly level: IdentityLevel
  readonly server: string
  /** Tool or prompt name, or resource address. */
  readonly tool: string
  readonly method: CallMethod
  /** The tool is open to every identified agent. */
  readonly open?: boolean
}

export interface PolicyDecision extends Decision {
  /** The identity level that was missing, if that is the reason. */
  readonly required?: IdentityLevel
}

/**
 * Decides whether an agent may do something. Every layer must allow it; the first that does not determines the
 * decision.
 *
 * In a layer: known agent, identity level, then the server (deny, then allow, else denied), then the item:
 * 1. deny by name  2. deny by wildcard  3. allow by name  4. allow by wildcard
 * 5. the server is allowed and no list applies to it  6. denied.
 */
export function evaluate(rules: RuleSet, question: PolicyQuestion): PolicyDecision {
  if (question.agent === OPERATOR) return judgeOperator(question)
  return inAllLayers(rules, (layer) => judge(layer, question))
}

/** Whether an agent may know that a server exists; what it may use there is decided separately. */
export function evaluateServer(
  rules: RuleSet,
  question: Pick<PolicyQuestion, 'agent' | 'level' | 'server'>,
): PolicyDecision {
  return inAllLayers(rules, (layer) =>
    forKnownAgent(layer, { ...question, method: 'prompt', tool: '' }, (agent) => {
      const [denied] = agent.deny.servers.lookup(question.server)
      if (denied) return deny(denied, `server denied by ${matchKind(denied)}`, agent, [denied])
      const [allowed] = agent.allow.servers.lookup(question.server)
      return allowed
        ? allow(allowed, `server allowed by ${matchKind(allowed)}`, [allowed])
        : deny(agent.allow.place, notAllowed, agent)
    }),
  )
}

const notAllowed = 'no entry of allow.servers matches the server'

function inAllLayers(rules: RuleSet, judgeIn: (layer: RuleLayer) => PolicyDecision): PolicyDecision {
  const [only] = rules.layers
  if (only !== undefined && rules.layers.length === 1) return judgeIn(only)
  const decisions = rules.layers.map(judgeIn)
  const decisive = decisions.find(({ effect }) => effect !== 'allow') ?? decisions[0]
  if (decisive === undefined) return { effect: 'deny', rule: '$', reason: 'there are no rules', matched: [] }
  const others = decisions.filter((decision) => decision !== decisive)
  return { ...decisive, matched: [decisive, ...others].flatMap(({ matched }) => matched) }
}

function judge(layer: RuleLayer, question: PolicyQuestion): PolicyDecision {
  if (question.method === 'model') return judgeModel(layer, question)
  return forKnownAgent(layer, question, (agent) => {
    if (question.method === 'list')
      return allow(agent.place, 'lists are shown to every known agent, filtered')
    if (question.open === true) return judgeOpen(agent, question)
    const kind = kinds[question.method]
    return kind.lists === 'resources'
      ? judgeAddress(agent, question, kind)
      : judgeAccess(agent, question, kind)
  })
}

/** Evaluates an agent that the layer knows, if its identity level is sufficient. */
function forKnownAgent(
  layer: RuleLayer,
  question: PolicyQuestion,
  judgeAgent: (agent: AgentRules) => PolicyDecision,
): PolicyDecision {
  const id = layer.names.get(question.agent)
  const agent = id === undefined ? undefined : layer.agents.get(id)
  if (agent === undefined) return deny(layer.place, 'the rules do not know the agent')

  const missing = strictestRequirement(layer, agent, question)
  if (missing !== undefined && !levelReaches(question.level, missing.level)) {
    const reason = `the identity level is ${question.level}, below the required ${missing.level}`
    return { ...deny(missing.place, reason, agent), required: missing.level }
  }
  return judgeAgent(agent)
}

/** An open tool can only be denied by both its names, so that a wildcard meant for other tools never affects it. */
function judgeOpen(agent: AgentRules, question: PolicyQuestion): PolicyDecision {
  const rule = denialByNames(agent, question)
  return rule === undefined
    ? allow({ path: 'builtin.open' }, 'open to every identified agent')
    : deny(rule, 'tool denied by name', agent, [rule])
}

/** Models are open to every agent, even unknown ones. Wildcards meant for MCP servers never affect them. */
function judgeModel(layer: RuleLayer, question: PolicyQuestion): PolicyDecision {
  const agent = layer.agents.get(layer.names.get(question.agent) ?? '')
  const named = agent?.deny.servers.lookup(question.server).find(({ pattern }) => pattern === question.server)
  const rule = named ?? (agent && denialByNames(agent, question))
  return rule === undefined
    ? allow({ path: 'builtin.open' }, 'models are open to every agent')
    : deny(rule, 'model denied by name', agent, [rule])
}

function denialByNames(agent: AgentRules, { server, tool }: PolicyQuestion): MatchedRule | undefined {
  const named = agent.deny.tools.lookup(server).find((list) => list.server === server)
  return named?.rules.lookup(tool).find(({ pattern }) => pattern === tool)
}

/** What can be requested, with its key in `allow` and `deny`. */
const kinds = {
  tool: { lists: 'tools', noun: 'tool' },
  prompt: { lists: 'prompts', noun: 'prompt' },
  resource: { lists: 'resources', noun: 'resource' },
  subscribe: { lists: 'resources', noun: 'resource' },
  unsubscribe: { lists: 'resources', noun: 'resource' },
  model: { lists: 'tools', noun: 'provider' },
} as const
type Kind = (typeof kinds)[keyof typeof kinds]

/** Evaluates a resource under all its spellings: none may be denied, and all that are meant must be allowed. */
function judgeAddress(agent: AgentRules, question: PolicyQuestion, kind: Kind): PolicyDecision {
  const { meant, all } = addressReadings(question.tool)
  const asWritten = judgeAccess(agent, question, kind)
  if (asWritten.effect !== 'allow' || all.length === 1) return asWritten
  const others = all
    .slice(1)
    .map((tool) => ({ tool, decision: judgeAccess(agent, { ...question, tool }, kind) }))
  const violation = others.find(
    ({ tool, decision }) =>
      decision.effect !== 'allow' &&
      (meant.includes(tool) || matching(agent.deny, question.server, tool, 'resources').items.length > 0),
  )
  return violation?.decision ?? asWritten
}

function judgeAccess(
  agent: AgentRules,
  { server, tool }: PolicyQuestion,
  { lists, noun }: Kind,
): PolicyDecision {
  const access = server === OWN_SERVER ? (agent.ownAllow ?? agent.allow) : agent.allow
  const denies = matching(agent.deny, server, tool, lists)
  const allows = matching(access, server, tool, lists)
  const matched = [...denies.servers, ...denies.items, ...allows.items, ...allows.servers]
  const refuse = (place: RulePlace, reason: string): PolicyDecision => deny(place, reason, agent, matched)

  const [deniedServer] = denies.servers
  if (deniedServer) return refuse(deniedServer, `server denied by ${matchKind(deniedServer)}`)
  // Wildcards only apply to upstream servers.
  const [allowedServer] =
    server === CONTROL_SERVER ? allows.servers.filter(({ pattern }) => pattern === server) : allows.servers
  if (!allowedServer) return refuse(access.place, notAllowed)
  const [deniedItem] = denies.items
  if (deniedItem) return refuse(deniedItem, `${noun} denied by ${matchKind(deniedItem)}`)
  const [allowedItem] = allows.items
  if (allowedItem) return allow(allowedItem, `${noun} allowed by ${matchKind(allowedItem)}`, matched)
  const [list] = allows.lists
  if (list) return refuse(list.place, `the list of allow.${lists} for the server does not have the ${noun}`)
  const reason = `server allowed by ${matchKind(allowedServer)}, and no list of allow.${lists} applies to it`
  return allow(allowedServer, reason, matched)
}

/** The entries that apply to the server and match the item, names before wildcards. */
function matching(
  access: AccessRules,
  server: string,
  item: string,
  kind: Kind['lists'],
): { servers: readonly MatchedRule[]; lists: readonly ServerRules[]; items: readonly MatchedRule[] } {
  const lists = access[kind].lookup(server)
  const items = lists.flatMap(({ rules }) => rules.lookup(item))
  // A stable sort, so that a name under the server's own name stays before one under a wildcard.
  if (lists.length > 1) items.sort((a, b) => Number(isWildcard(a.pattern)) - Number(isWildcard(b.pattern)))
  return { servers: access.servers.lookup(server), lists, items }
}

/** The highest level that the agent, the server or the tool requires. */
function strictestRequirement(
  layer: RuleLayer,
  agent: AgentRules,
  { method, server, tool }: PolicyQuestion,
): Requirement | undefined {
  if (method === 'list') return agent.require
  let highest = agent.require
  const consider = (requirement: Requirement): void => {
    if (highest === undefined || !levelReaches(highest.level, requirement.level)) highest = requirement
  }
  layer.serverRequirements.lookup(server).forEach(consider)
  if (method === 'tool') {
    for (const tools of layer.toolRequirements.lookup(server)) tools.lookup(tool).forEach(consider)
  }
  return highest
}

/** The first capability kind that the agent lacks, with its position in the rules. */
export function missingCapability(
  rules: RuleSet,
  agent: string,
  needs: readonly CapabilityKind[],
): { readonly kind: CapabilityKind; readonly place: RulePlace } | undefined {
  const granted = rules.agents.get(agent)?.grants ?? []
  const kind = needs.find((need) => !granted.some((grant) => grant.kind === need))
  if (kind === undefined) return undefined
  const layers = rules.layers.flatMap((layer) => layer.agents.get(layer.names.get(agent) ?? '') ?? [])
  // If each file grants the kind but for disjoint scopes, the last one removed it.
  const lacking = layers.find(({ grants }) => !grants.some((grant) => grant.kind === kind)) ?? layers.at(-1)
  const denied = lacking?.deniedCapabilities.find(({ capability }) => capability.kind === kind)
  return { kind, place: denied?.place ?? lacking?.capabilitiesPlace ?? { path: '$' } }
}

function matchKind({ pattern }: MatchedRule): string {
  return isWildcard(pattern) ? `the wildcard ${JSON.stringify(pattern)}` : 'name'
}

function allow(place: RulePlace, reason: string, matched: readonly MatchedRule[] = []): PolicyDecision {
  return { effect: 'allow', ...ruleOf(place), reason, matched }
}

function deny(
  place: RulePlace,
  reason: string,
  { justification }: Pick<AgentRules, 'justification'> = {},
  matched: readonly MatchedRule[] = [],
): PolicyDecision {
  return {
    effect: 'deny',
    ...ruleOf(place),
    reason,
    matched,
    ...(justification !== undefined && { justification }),
  }
}

function ruleOf({ path, file, line }: RulePlace): Pick<Decision, 'rule' | 'file' | 'line'> {
  return { rule: path, ...(file !== undefined && { file }), ...(line !== undefined && { line }) }
}
