/** Explains what OpenCode would do with a call: the last matching rule decides. Pure. */

import { nowhere, verbs, type PermissionExplanation, type Ground } from '../../findings/explanation.ts'
import { isJsonObject } from '@contextd/shared/json/value'
import { subagentRules } from '../client-rules.ts'
import {
  decideAny,
  isStatement,
  lastMatch,
  rulesetsOf,
  type OpenCodeAgentRules,
  type Layers,
  type Replaced,
  type OpenCodeRule,
  type Rulesets,
  type RuleStatement,
} from '../ruleset.ts'
import { configsOf, type OpenCodeSetup } from '../setup.ts'
import { governedBy, knownTools, openCodeServerPrefix } from '../tools.ts'
import { isAny, matches } from '../wildcard.ts'
import { serversIn } from '../written.ts'
import { requestsOf, splitOpenCodeCall, type OpenCodeCall, type Request } from './requests.ts'

export interface OpenCodeQuestion {
  /** With its argument, if relevant: `bash(git push)`, `read(./.env)`, `server_tool`. */
  readonly tool: string
  /** By default the main agent. */
  readonly agent?: string
}

export function explainOpenCode(setup: OpenCodeSetup, question: OpenCodeQuestion): PermissionExplanation {
  const rulesets = rulesetsOf(setup)
  const agent = question.agent === undefined ? rulesets.main : rulesets.agents.get(question.agent)
  const answer = (
    rest: Omit<PermissionExplanation, 'tool' | 'granted' | 'hooks'>,
  ): PermissionExplanation => ({
    tool: question.tool,
    ...rest,
    granted: [],
    hooks: [],
  })
  const call = splitOpenCodeCall(question.tool)
  const missing = agent === undefined ? noSuchAgent : missingFor(call, setup)
  if (agent === undefined || missing !== undefined)
    return answer({ decision: 'absent', isListed: false, decidedBy: missing!, lost: [], partial: [] })
  const layers = layersOf(agent, setup, rulesets)
  const replaced = [...rulesets.shared.replaced, ...agent.replaced]
  const requests = requestsOf(call, setup)
  const hidden = hiddenBy(layers, governedBy.get(call.tool) ?? call.tool)
  if (hidden !== undefined) {
    const verdict = { rule: hidden, tool: governedBy.get(call.tool) ?? call.tool }
    const lost = lostTo(verdict, layers, replaced, setup)
    const decidedBy = groundOf(hidden, 'Denies every call of it, and is the last rule for it', setup)
    return answer({ decision: 'deny', isListed: false, decidedBy, lost, partial: [] })
  }
  if (call.tool === 'task' && isSubagent(agent, rulesets) && depthOf(setup) < 2)
    return answer({ decision: 'deny', isListed: true, decidedBy: tooDeep, lost: [], partial: [] })
  const verdicts = requests.flatMap((request) => verdictsOf(request, layers))
  const deciding = decidingOf(verdicts)
  if (deciding === undefined)
    return answer({ decision: 'allow', isListed: true, decidedBy: nothingAsked, lost: [], partial: [] })
  // The client checks the rules before it checks whether the agent exists.
  const isUnknownAgent =
    call.tool === 'task' && call.argument !== undefined && !rulesets.agents.has(call.argument)
  if (isUnknownAgent && deciding.rule.action === 'allow')
    return answer({ decision: 'absent', isListed: true, decidedBy: noSuchAgent, lost: [], partial: [] })
  return answer({
    decision: deciding.rule.action,
    isListed: true,
    decidedBy: groundOf(deciding.rule, `${effectOf(deciding)}, and is the last matching rule`, setup),
    lost: [
      ...lostTo(deciding, layers, replaced, setup),
      ...verdicts
        .filter(({ rule }) => rule !== deciding.rule && isStatement(rule))
        .map((one) => groundOf(one.rule, `${effectOf(one)}, but the call needs more than that`, setup)),
    ],
    partial: deciding.pattern === undefined ? partialOf(call, deciding, layers, setup) : [],
  })
}

/** The result of one permission request. */
interface Verdict {
  readonly rule: OpenCodeRule
  readonly tool: string
  /** Undefined for a question without an argument. */
  readonly pattern?: string
  /** The request it belongs to. */
  readonly request?: Request
}

function verdictsOf(request: Request, layers: Layers): Verdict[] {
  const { tool, patterns } = request
  if (patterns === undefined) return [{ rule: decideAny(layers, tool)!, tool, request }]
  return patterns.map((pattern) => ({
    rule: matchingRules(layers, tool, pattern).at(-1)!,
    tool,
    pattern,
    request,
  }))
}

/** The client evaluates requests in order, with all parts of one together: a denied part takes precedence over parts to ask about. */
function decidingOf(verdicts: readonly Verdict[]): Verdict | undefined {
  const open = verdicts.find(({ rule }) => rule.action !== 'allow')
  const together = verdicts.filter(({ request }) => request === open?.request)
  return together.find(({ rule }) => rule.action === 'deny') ?? open ?? verdicts.at(-1)
}

function layersOf(agent: OpenCodeAgentRules, setup: OpenCodeSetup, rulesets: Rulesets): Layers {
  if (!isSubagent(agent, rulesets)) return agent.rules
  const experimental = lastMatch(configsOf(setup), ({ value }) => value.experimental)
  const primary = isJsonObject(experimental) ? experimental.primary_tools : undefined
  const tools = Array.isArray(primary) ? primary.filter((tool) => typeof tool === 'string') : []
  return [...agent.rules, subagentRules(agent.rules.flat(), tools)]
}

/** An agent that can be both is explained as a subagent. */
function isSubagent(agent: OpenCodeAgentRules, { main }: Rulesets): boolean {
  return agent !== main && agent.mode !== 'primary'
}

function depthOf(setup: OpenCodeSetup): number {
  const depth = lastMatch(configsOf(setup), ({ value }) => value.subagent_depth)
  return typeof depth === 'number' ? depth : 1
}

/** The model does not see a tool if the last rule for it, of any pattern, denies all of it. */
function hiddenBy(layers: Layers, tool: string): OpenCodeRule | undefined {
  if (noTools.has(tool)) return undefined
  const last = layers.flat().findLast((rule) => matches(tool, rule.tool))
  return last?.pattern === '*' && last.action === 'deny' ? last : undefined
}

/** Permissions that are not tools: they apply to calls of other tools. */
const noTools = new Set(['external_directory', 'doom_loop'])

const matchingRules = (layers: Layers, tool: string, pattern: string): OpenCodeRule[] =>
  layers.flat().filter((rule) => matches(tool, rule.tool) && matches(pattern, rule.pattern))

function lostTo(
  { rule: winner, tool, pattern }: Verdict,
  layers: Layers,
  replaced: readonly Replaced[],
  setup: OpenCodeSetup,
): Ground[] {
  const matchesCall = (rule: OpenCodeRule): boolean =>
    matches(tool, rule.tool) && (pattern === undefined || matches(pattern, rule.pattern))
  const before = layers.flat().slice(0, layers.flat().indexOf(winner))
  return [
    ...before
      .filter((rule) => matchesCall(rule) && (isStatement(rule) || rule.tool !== '*'))
      .toReversed()
      .map((rule) => groundOf(rule, `${reach(rule)}, but \`${written(winner)}\` comes after it`, setup)),
    ...replaced
      .filter(({ statement }) => matchesCall(statement))
      .toReversed()
      .map(({ statement, by: [by] }) =>
        groundOf(
          statement,
          `${reach(statement)}, but ${by === undefined ? 'another file' : `${by.file}:${by.line}`} replaces it`,
          setup,
        ),
      ),
  ]
}

/** For a call without an argument: rules for some arguments after the one for all. */
function partialOf(
  { tool }: OpenCodeCall,
  { rule, tool: name }: Verdict,
  layers: Layers,
  setup: OpenCodeSetup,
): Ground[] {
  const all = layers.flat()
  return all
    .slice(all.indexOf(rule) + 1)
    .filter((one) => matches(name, one.tool) && !isAny(one.pattern) && (isStatement(one) || name === tool))
    .map((one) => groundOf(one, `${verbs[one.action]} some calls of it`, setup))
}

const reach = ({ action, pattern }: OpenCodeRule): string =>
  `${verbs[action]} ${isAny(pattern) ? 'every call of it' : 'calls of this kind'}`

function effectOf({ rule, tool, pattern }: Verdict): string {
  if (pattern === undefined) return `${verbs[rule.action]} calls of it`
  if (tool === 'external_directory')
    return `${verbs[rule.action]} what is outside the project, \`${pattern}\``
  return pattern === '*' ? `${verbs[rule.action]} every call of it` : `${verbs[rule.action]} \`${pattern}\``
}

function groundOf(rule: OpenCodeRule, why: string, setup: OpenCodeSetup): Ground {
  const shared = { list: rule.action, why: `${why}.` }
  if (!isStatement(rule))
    return { ...nowhere, ...shared, rule: `default: ${written(rule)}`, source: 'client' }
  const { file, line, column } = rule
  return { file, line, column, ...shared, rule: written(rule), source: sourceOf(rule, setup) }
}

const sourceOf = ({ path, level, file }: RuleStatement, { sources }: OpenCodeSetup): Ground['source'] =>
  path[0] === 'agent' ||
  path[0] === 'mode' ||
  sources.some((source) => source.kind === 'agent' && source.file === file)
    ? 'agent'
    : level

/** In the form of a question. */
function written(rule: OpenCodeRule): string {
  const pattern = isStatement(rule) && rule.pattern !== '*' ? String(rule.path.at(-1)) : rule.pattern
  return pattern === '*' ? rule.tool : `${rule.tool}(${pattern})`
}

const clientGround = (rule: string, source: Ground['source'], why: string): Ground => ({
  ...nowhere,
  rule,
  source,
  why,
})

const noSuchAgent = clientGround('no such agent', 'agent', 'No agent has this name.')
const noSuchTool = clientGround('no such tool', 'server', 'This tool does not exist here.')
const tooDeep = clientGround(
  'subagent_depth',
  'client',
  'A subagent cannot start another one, unless `subagent_depth` is 2 or more.',
)
const nothingAsked = clientGround(
  'default: nothing to ask about',
  'client',
  'Rules do not apply to anything in this call.',
)

function missingFor({ tool }: OpenCodeCall, setup: OpenCodeSetup): Ground | undefined {
  if (knownTools.includes(tool) || governedBy.has(tool) || setup.hasOwnTools) return undefined
  return serversIn(setup).some((server) => tool.startsWith(openCodeServerPrefix(server)))
    ? undefined
    : noSuchTool
}
