import { OWN_SERVER, type IdentityLevel } from '../../core/call.ts'
import { parseCapability, type Capability } from '../../core/capability.ts'
import type { MatchedRule } from '../../core/decision.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { parseJson, type JsonDocument, type JsonPath } from '@contextd/shared/json/json-source'
import { indexGlobs, type GlobIndex } from '../../platform/glob.ts'
import { subtractCapabilities } from './capability-grants.ts'
import { runExamples, type ExampleOutcome } from './examples.ts'
import { formatRulePath, type RulePlace } from './rule-path.ts'
import type {
  AccessRules,
  AgentRules,
  AgentTerms,
  ArgumentRules,
  Requirement,
  RuleLayer,
  RuleSet,
  ServerRules,
} from './rule-set.ts'
import { readRules, type ReadRules, type RulesSource } from './rules-document.ts'
import { rulesInvalid, type RulesProblem } from './rules-problem.ts'
import type { AccessDocument, AgentDocument, RulesDocument } from './rules-schema.ts'

/** Compiles the text of a rules file. Throws RULES_INVALID with every problem. */
export function compilePolicy(source: RulesSource): RuleSet {
  const { rules, problems } = checkRules(source)
  if (rules === undefined || problems.length > 0) throw rulesInvalid(problems)
  return rules
}

export interface CheckedRules {
  /** Absent if the file cannot be parsed as rules. */
  readonly rules?: RuleSet
  readonly read?: ReadRules
  readonly examples: readonly ExampleOutcome[]
  readonly problems: readonly RulesProblem[]
}

/** The same, but returns problems instead of throwing. */
export function checkRules(source: RulesSource): CheckedRules {
  const read = readRules(source)
  if (!read.ok) return { examples: [], problems: read.problems }
  const rules = compileDocument(read.document, placesOf(read.source, source.file), source.file)
  const examples = runExamples(rules, read, source.file)
  return { rules, read, examples, problems: examples.flatMap(({ problem }) => problem ?? []) }
}

/**
 * The rules without a rules file, and for our own server for every agent whose own `allow` never names it: our tools, with read and
 * write access inside the workspace, a sandboxed shell and the project's memory. No network, no secrets, no upstream
 * servers.
 */
export const builtinAgent: AgentDocument = {
  allow: {
    servers: [OWN_SERVER],
    // Relative patterns refer to the workspace, so `**` is exactly all of it.
    capabilities: ['fs:read:**', 'fs:write:**', 'shell:exec', 'memory:read', 'memory:write'],
  },
  memory: { read: ['project'], write: ['project'] },
}

const builtinPolicy: RulesDocument = {
  agents: { main: builtinAgent, default: builtinAgent },
  defaults: { deny_on_missing_agent: false },
}

/** The rules that apply without a rules file. */
export function compileBuiltinRules(): RuleSet {
  return compileDocument(builtinPolicy, builtinPlaces())
}

/** The position of a path in the file, or of its nearest existing parent. */
type Places = (path: JsonPath) => RulePlace

function placesOf(source: JsonDocument, file: string | undefined): Places {
  const place: Places = (path) => {
    const position = source.locate(path, 'key')
    if (position === undefined) return place(path.slice(0, -1))
    return { path: formatRulePath(path), ...(file !== undefined && { file }), line: position.line }
  }
  return place
}

function builtinPlaces(): Places {
  const place = placesOf(parseJson(JSON.stringify(builtinPolicy)) as JsonDocument, undefined)
  return (path) => ({ path: `builtin.${place(path).path}` })
}

/** The rules for our own server of an agent whose `allow` never names it. */
interface OwnServer {
  readonly allow: AccessRules
  readonly capabilities: readonly string[]
  readonly memory: AgentDocument['memory']
}

function builtinOwnServer(): OwnServer {
  return {
    allow: compileAccess('allow', builtinAgent.allow, ['agents', 'default'], builtinPlaces()),
    capabilities: builtinAgent.allow?.capabilities ?? [],
    memory: builtinAgent.memory,
  }
}

function compileDocument(document: RulesDocument, place: Places, file?: string): RuleSet {
  const builtin = builtinOwnServer()
  const agents = new Map<string, AgentRules>()
  const terms = new Map<string, AgentTerms>()
  const names = new Map<string, string>()
  for (const [id, agent] of Object.entries(document.agents ?? {})) {
    const own = allowsOwnServer(agent) ? undefined : builtin
    const rules = compileAgent(agent, ['agents', id], place, own)
    agents.set(id, rules)
    terms.set(id, { grants: rules.grants, ...compileTerms(agent, ['agents', id], place, own) })
    for (const name of [id, ...(agent.aliases ?? [])]) names.set(name, id)
  }
  const layer = { place: place(['agents']), agents, names, ...compileRequirements(document, place) }
  return {
    layers: [layer],
    files: file === undefined ? [] : [file],
    agents: terms,
    denyOnMissing: document.defaults?.deny_on_missing_agent ?? true,
    resolveAgent: (name) => names.get(name),
  }
}

/**
 * Whether the agent's own `allow` names our server. Only that replaces the built-in rules: a deny, and what other
 * agents have, must not change what this agent may use.
 */
export function allowsOwnServer({
  allow: { servers = [], tools = {}, prompts = {}, resources = {} } = {},
}: AgentDocument): boolean {
  return (
    servers.includes(OWN_SERVER) ||
    [tools, prompts, resources].some((lists) => Object.hasOwn(lists, OWN_SERVER))
  )
}

function compileAgent(
  agent: AgentDocument,
  path: JsonPath,
  place: Places,
  own: OwnServer | undefined,
): AgentRules {
  const denied = (agent.deny?.capabilities ?? []).map((text, index) => ({
    capability: readCapability(text),
    place: place([...path, 'deny', 'capabilities', index]),
  }))
  const allowed = agent.allow?.capabilities ?? own?.capabilities ?? []
  return {
    place: place(path),
    allow: compileAccess('allow', agent.allow, path, place),
    deny: compileAccess('deny', agent.deny, path, place),
    ...(own !== undefined && { ownAllow: own.allow }),
    ...(agent.require !== undefined && {
      require: { level: agent.require, place: place([...path, 'require']) },
    }),
    grants: subtractCapabilities(
      allowed.map(readCapability),
      denied.map(({ capability }) => capability),
    ),
    deniedCapabilities: denied,
    capabilitiesPlace: place([...path, 'allow', 'capabilities']),
    ...(agent.justification !== undefined && { justification: agent.justification }),
  }
}

function compileAccess(
  effect: 'allow' | 'deny',
  access: AccessDocument = {},
  agent: JsonPath,
  place: Places,
): AccessRules {
  const list = (patterns: readonly string[], at: JsonPath): GlobIndex<MatchedRule> =>
    indexGlobs(patterns.map((pattern, index) => [pattern, { ...place([...at, index]), effect, pattern }]))
  const perServer = (kind: 'tools' | 'prompts' | 'resources'): GlobIndex<ServerRules> =>
    indexGlobs(
      Object.entries(access[kind] ?? {}).map(([server, patterns]) => {
        const at = [...agent, effect, kind, server]
        return [server, { server, place: place(at), rules: list(patterns, at) }]
      }),
    )
  const servers = [...agent, effect, 'servers']
  return {
    place: place(servers),
    servers: list(access.servers ?? [], servers),
    tools: perServer('tools'),
    prompts: perServer('prompts'),
    resources: perServer('resources'),
  }
}

function compileRequirements(
  { require = {} }: RulesDocument,
  place: Places,
): Pick<RuleLayer, 'serverRequirements' | 'toolRequirements'> {
  const levels = (entries: Readonly<Record<string, IdentityLevel>>, path: JsonPath): GlobIndex<Requirement> =>
    indexGlobs(
      Object.entries(entries).map(([name, level]) => [name, { level, place: place([...path, name]) }]),
    )
  return {
    serverRequirements: levels(require.servers ?? {}, ['require', 'servers']),
    toolRequirements: indexGlobs(
      Object.entries(require.tools ?? {}).map(([server, tools]) => [
        server,
        levels(tools, ['require', 'tools', server]),
      ]),
    ),
  }
}

function compileTerms(
  agent: AgentDocument,
  path: JsonPath,
  place: Places,
  own: OwnServer | undefined,
): Omit<AgentTerms, 'grants'> {
  const { limits: { servers = {}, ...limits } = {}, memory = own?.memory } = agent
  const placesOf = (kept: object, at: JsonPath): ReadonlyMap<string, RulePlace> =>
    new Map(Object.keys(kept).map((name) => [name, place([...at, name])]))
  const args = new Map<string, ArgumentRules[]>()
  for (const [key, { defaults = {}, fixed = {} }] of Object.entries(agent.args ?? {})) {
    args.set(key, [
      { defaults: defaults as JsonObject, fixed: fixed as JsonObject, place: place([...path, 'args', key]) },
    ])
  }
  return {
    args,
    limits,
    limitPlaces: placesOf(limits, [...path, 'limits']),
    serverLimits: indexGlobs(
      Object.entries(servers).map(([server, atServer]) => [
        server,
        { server, limits: atServer, places: placesOf(atServer, [...path, 'limits', 'servers', server]) },
      ]),
    ),
    memory: { read: memory?.read ?? [], write: memory?.write ?? [] },
    reveal: agent.reveal ?? [],
  }
}

function readCapability(text: string): Capability {
  const capability = parseCapability(text)
  if (capability === undefined) throw new Error(`the rules schema let ${JSON.stringify(text)} pass`)
  return capability
}
