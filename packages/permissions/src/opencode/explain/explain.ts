/** What OpenCode would do with a call, and because of which rule: the last one that fits decides. Pure. */

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
  /** With its argument where that matters: `bash(git push)`, `read(./.env)`, `server_tool`. */
  readonly tool: string
  /** The agent that a conversation begins with unless given. */
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
    const decidedBy = groundOf(hidden, 'Denies every call of it, and is the last rule about it', setup)
    return answer({ decision: 'deny', isListed: false, decidedBy, lost, partial: [] })
  }
  if (call.tool === 'task' && isSubagent(agent, rulesets) && depthOf(setup) < 2)
    return answer({ decision: 'deny', isListed: true, decidedBy: tooDeep, lost: [], partial: [] })
  const verdicts = requests.flatMap((request) => verdictsOf(request, layers))
  const deciding = decidingOf(verdicts)
  if (deciding === undefined)
    return answer({ decision: 'allow', isListed: true, decidedBy: nothingAsked, lost: [], partial: [] })
  // Only after the rules does the client look whether there is such an agent.
  const isNobody = call.tool === 'task' && call.argument !== undefined && !rulesets.agents.has(call.argument)
  if (isNobody && deciding.rule.action === 'allow')
    return answer({ decision: 'absent', isListed: true, decidedBy: noSuchAgent, lost: [], partial: [] })
  return answer({
    decision: deciding.rule.action,
    isListed: true,
    decidedBy: groundOf(deciding.rule, `${says(deciding)}, and is the last rule that fits`, setup),
    lost: [
      ...lostTo(deciding, layers, replaced, setup),
      ...verdicts
        .filter(({ rule }) => rule !== deciding.rule && isStatement(rule))
        .map((one) => groundOf(one.rule, `${says(one)}, but the call needs more than that`, setup)),
    ],
    partial: deciding.pattern === undefined ? partialOf(call, deciding, layers, setup) : [],
  })
}

/** What one question of the client comes to. */
interface Verdict {
  readonly rule: OpenCodeRule
  readonly tool: string
  /** Undefined where the call is about nothing in particular. */
  readonly pattern?: string
  /** Which of the questions it belongs to. */
  readonly request?: Request
}

function verdictsOf(request: Request, layers: Layers): Verdict[] {
  const { tool, patterns } = request
  if (patterns === undefined) return [{ rule: decideAny(layers, tool)!, tool, request }]
  return patterns.map((pattern) => ({ rule: fitting(layers, tool, pattern).at(-1)!, tool, pattern, request }))
}

/** The client asks one thing after the other, and of each its parts: one that is denied ends it before any is asked about. */
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

/** One that can be either is asked about as what another conversation starts. */
function isSubagent(agent: OpenCodeAgentRules, { main }: Rulesets): boolean {
  return agent !== main && agent.mode !== 'primary'
}

function depthOf(setup: OpenCodeSetup): number {
  const depth = lastMatch(configsOf(setup), ({ value }) => value.subagent_depth)
  return typeof depth === 'number' ? depth : 1
}

/** The model does not see a tool where the last rule about it, whatever its pattern, denies all of it. */
function hiddenBy(layers: Layers, tool: string): OpenCodeRule | undefined {
  if (noTools.has(tool)) return undefined
  const last = layers.flat().findLast((rule) => matches(tool, rule.tool))
  return last?.pattern === '*' && last.action === 'deny' ? last : undefined
}

/** Rules know them, but they are what happens in calls of other tools. */
const noTools = new Set(['external_directory', 'doom_loop'])

const fitting = (layers: Layers, tool: string, pattern: string): OpenCodeRule[] =>
  layers.flat().filter((rule) => matches(tool, rule.tool) && matches(pattern, rule.pattern))

function lostTo(
  { rule: winner, tool, pattern }: Verdict,
  layers: Layers,
  replaced: readonly Replaced[],
  setup: OpenCodeSetup,
): Ground[] {
  const fits = (rule: OpenCodeRule): boolean =>
    matches(tool, rule.tool) && (pattern === undefined || matches(pattern, rule.pattern))
  const before = layers.flat().slice(0, layers.flat().indexOf(winner))
  return [
    ...before
      .filter((rule) => fits(rule) && (isStatement(rule) || rule.tool !== '*'))
      .toReversed()
      .map((rule) => groundOf(rule, `${reach(rule)}, but \`${written(winner)}\` comes after it`, setup)),
    ...replaced
      .filter(({ statement }) => fits(statement))
      .toReversed()
      .map(({ statement, by: [by] }) =>
        groundOf(
          statement,
          `${reach(statement)}, but ${by === undefined ? 'another file' : `${by.file}:${by.line}`} takes its place`,
          setup,
        ),
      ),
  ]
}

/** Of a call with whatever argument: rules for some arguments that come after the one for all. */
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

function says({ rule, tool, pattern }: Verdict): string {
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

/** As a question about it is spelt. */
function written(rule: OpenCodeRule): string {
  const pattern = isStatement(rule) && rule.pattern !== '*' ? String(rule.path.at(-1)) : rule.pattern
  return pattern === '*' ? rule.tool : `${rule.tool}(${pattern})`
}

const own = (rule: string, source: Ground['source'], why: string): Ground => ({
  ...nowhere,
  rule,
  source,
  why,
})

const noSuchAgent = own('no such agent', 'agent', 'There is no agent with this name.')
const noSuchTool = own('no such tool', 'server', 'No such tool here.')
const tooDeep = own(
  'subagent_depth',
  'client',
  'A subagent starts no other one, unless `subagent_depth` is 2 or more.',
)
const nothingAsked = own(
  'default: nothing to ask about',
  'client',
  'There is nothing in it that rules are about.',
)

function missingFor({ tool }: OpenCodeCall, setup: OpenCodeSetup): Ground | undefined {
  if (knownTools.includes(tool) || governedBy.has(tool) || setup.hasOwnTools) return undefined
  return serversIn(setup).some((server) => tool.startsWith(openCodeServerPrefix(server)))
    ? undefined
    : noSuchTool
}
