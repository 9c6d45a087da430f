/** The smallest change of the user's rules that allows a refused call: made step by step, and judged again after each. */

import { CONTROL_SERVER, OWN_SERVER } from '../../../../core/call.ts'
import { formatCapability, parseCapability, type CapabilityKind } from '../../../../core/capability.ts'
import { CodedError } from '../../../../core/errors/errors.ts'
import { isWildcard } from '../../../../platform/glob.ts'
import { subtractCapabilities } from '../../../../stages/policy/capability-grants.ts'
import { changeRules, type RuleChange, type RulesText } from '../../../../stages/policy/edit/change-rules.ts'
import type { ComparedTool } from '../../../../stages/policy/edit/compare-rules.ts'
import { evaluate, missingCapability, type PolicyDecision } from '../../../../stages/policy/evaluate.ts'
import type { RulePlace } from '../../../../stages/policy/rule-path.ts'
import type { RuleSet } from '../../../../stages/policy/rule-set.ts'
import type { RefusalGroup } from './refusals.ts'
import { remedyFor } from './remedies.ts'
import type { Remedy, WantJudge } from './unmet-wants.ts'

export interface ChangeTerms {
  readonly before: RulesText
  /** What applies with this text of the user's file, to a call in that project. */
  compile(text: string | undefined, project: string): RuleSet
  readonly judgeWant: WantJudge
  /** Undefined if there is no such server here. */
  toolsOf(server: string): { readonly known: readonly string[] | undefined } | undefined
  toolIn(server: string, tool: string): Pick<ComparedTool, 'open' | 'needs'> | undefined
}

/** A deny that the user wrote, and that the change removes. */
export interface RemovedDeny {
  readonly rule: string
  readonly justification?: string
}

export interface FoundChange {
  readonly changes: readonly RuleChange[]
  readonly text: string
  readonly removes: readonly RemovedDeny[]
}

/** The rule that refuses, and the change that lifts it or what to do instead. */
export interface Verdict {
  /** Undefined if no rule decided. */
  readonly place?: RulePlace
  readonly found?: FoundChange
  readonly instead?: string
}

/** More steps would no longer be a small change. */
const maxSteps = 8

export function findChange(refusal: RefusalGroup, terms: ChangeTerms): Verdict {
  const remedy = remedyFor(refusal.code)
  if (remedy !== undefined) return { instead: remedy }
  if (refusal.agent === '') return { instead: remedyFor('INVALID_AGENT_ID')! }
  const { before, compile } = terms
  const changes: RuleChange[] = []
  const removes: RemovedDeny[] = []
  let place: RulePlace | undefined
  let { text } = before
  for (let step = 0; step <= maxSteps; step++) {
    const obstacle = obstacleTo(refusal, compile(text, refusal.project), terms)
    place ??= obstacle?.place
    const at = place && { place }
    if (obstacle === undefined) {
      if (text === undefined || changes.length === 0)
        return { instead: 'The rules allow this by now. There is nothing to change.' }
      return { ...at, found: { changes, text, removes } }
    }
    const { remedy: next, removes: removed } = obstacle
    if ('instead' in next) return { ...at, instead: next.instead }
    const changed = attempt(refusal.agent, next.change, { ...before, text })
    if (typeof changed !== 'string') return { ...at, instead: changed.instead + justified(removed) }
    if (changed === text) return { ...at, instead: stillRefused(obstacle) }
    if (removed !== undefined) removes.push(removed)
    changes.push(next.change)
    text = changed
  }
  return { ...(place && { place }), instead: 'It would take many changes. Run `ctxd rules edit`.' }
}

function attempt(agent: string, change: RuleChange, before: RulesText): string | { instead: string } {
  try {
    return changeRules(before, agent, change)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    const { message, hint } = error.toObject()
    return { instead: [`${message}.`, hint].filter(Boolean).join(' ') }
  }
}

function justified(removed: RemovedDeny | undefined): string {
  return removed?.justification === undefined ? '' : ` Its justification: "${removed.justification}".`
}

interface Obstacle {
  readonly place: RulePlace
  readonly remedy: Remedy
  readonly removes?: RemovedDeny
}

function stillRefused({ place }: Obstacle): string {
  const where = place.file === undefined ? place.path : `${place.path} (${place.file}:${place.line})`
  return `Another rule refuses it as well, or narrows the grant: look at the capabilities in ${where}, and run \`ctxd rules edit\`.`
}

/** The first thing that refuses the call, in the order in which the pipeline decides. */
function obstacleTo(refusal: RefusalGroup, rules: RuleSet, terms: ChangeTerms): Obstacle | undefined {
  const { agent, level, method, server, tool } = refusal
  const known = terms.toolIn(server, tool)
  const question = { agent, level, method, server, tool, open: known?.open === true }
  const decision = evaluate(rules, question)
  if (decision.effect !== 'allow') {
    return { place: placeOf(decision), ...remedyForDecision(refusal, decision, terms) }
  }
  const unmet = firstUnmet(refusal, rules, terms)
  const missing = missingCapability(rules, agent, known?.needs ?? [])
  const remedy = unmet ?? (missing && remedyForKind(missing.kind, agent))
  if (remedy === undefined) return undefined
  return {
    place: missing?.place ?? capabilitiesOf(rules, agent),
    remedy,
    ...heedDenial(rules, agent, remedy),
  }
}

function placeOf({ rule, file, line }: PolicyDecision): RulePlace {
  return { path: rule, ...(file !== undefined && { file }), ...(line !== undefined && { line }) }
}

function remedyForDecision(
  { agent, method, server, tool }: RefusalGroup,
  decision: PolicyDecision,
  { before, toolsOf }: ChangeTerms,
): Pick<Obstacle, 'remedy' | 'removes'> {
  const { rule, file, line, required, matched, justification } = decision
  const instead = (text: string): { remedy: Remedy } => ({ remedy: { instead: text } })
  if (required !== undefined) return instead(remedyFor('IDENTITY_LEVEL_TOO_LOW')!)
  if (file !== undefined && file !== before.file)
    return instead(
      `The rules of the project decide: ${rule} (${file}:${line}). Yours cannot give more. Change that file, then run \`ctxd trust\` in its folder.`,
    )
  if (server === CONTROL_SERVER)
    return instead(
      'The control API is how you control contextd. No agent should: an agent that can change rules has no rules.',
    )
  const [first] = matched
  const isDeny = first?.path === rule && first.effect === 'deny'
  const isServer = isDeny && /\.deny\.servers\[\d+\]$/.test(rule)
  // Allowing a server that `allow` does not name would open more than the deny closed.
  const isAllowed = matched.some(({ path }) => /(?:^|\.)allow\.servers\[\d+\]$/.test(path))
  if (isDeny && (isWildcard(first.pattern) || (isServer && !isAllowed)))
    return instead(deniedMore(rule, first.pattern, justification))
  if (method !== 'tool') {
    const list = method === 'prompt' ? 'prompts' : 'resources'
    const edit = isDeny ? `You denied it: ${rule}.` : `Add it to allow.${list} of ${agent}.`
    return instead(`${edit} Run \`ctxd rules edit\`.`)
  }
  if (isDeny) {
    return {
      remedy: { change: { kind: 'allow', server, ...(!isServer && { tool }) } },
      removes: { rule, ...(justification !== undefined && { justification }) },
    }
  }
  const unknown = whyUnknown(server, tool, toolsOf)
  if (unknown !== undefined) return instead(unknown)
  // The command separates server and tool at the first dot.
  if (server.includes('.'))
    return instead(`Add ${tool} of ${server} to allow of ${agent}: run \`ctxd rules edit\`.`)
  return { remedy: { change: { kind: 'allow', server, tool } } }
}

/** Agents choose these names, so only those that exist are proposed. */
function whyUnknown(server: string, tool: string, toolsOf: ChangeTerms['toolsOf']): string | undefined {
  const found = isWildcard(server) ? undefined : toolsOf(server)
  if (found === undefined)
    return `There is no server ${JSON.stringify(server)} here, so a rule for it would allow nothing. \`ctxd upstream list\` lists the servers.`
  if (server === OWN_SERVER && !found.known?.includes(tool))
    return `contextd has no tool ${JSON.stringify(tool)}.`
  if (tool === '*')
    return `It asked which tools ${server} has. Allow one of them: ctxd rules allow <agent> ${server}.<tool>`
  if (isWildcard(tool) || found.known?.includes(tool) === false)
    return `The server ${server} has no tool ${JSON.stringify(tool)}.`
  return undefined
}

function firstUnmet(
  { agent, project, server, tool, wants }: RefusalGroup,
  rules: RuleSet,
  { judgeWant, toolIn }: ChangeTerms,
): Remedy | undefined {
  const { grants = [], reveal = [] } = rules.agents.get(agent) ?? {}
  const runsCommands = toolIn(server, tool)?.needs?.includes('shell:exec') === true
  for (const want of wants) {
    const remedy = judgeWant(want, { agent, project, server, tool, runsCommands, grants, reveal })
    if (remedy !== undefined) return remedy
  }
  return undefined
}

/** Nothing says which file or host was wanted, as when a client's hook asked before the call. */
function remedyForKind(kind: CapabilityKind, agent: string): Remedy {
  const command = (scope: string): string => `ctxd rules grant ${agent} ${kind}${scope}`
  switch (kind) {
    case 'fs:read':
    case 'fs:write':
      return {
        instead: `The refusal does not say which path. For the whole workspace: ${command(':**')}; for one folder: ${command(':<folder>/**')}`,
      }
    case 'http:fetch':
      return { instead: `The refusal does not say which host. Allow one: ${command(':<host>')}` }
    case 'net:connect':
      return { instead: `The refusal does not say which port. Allow one: ${command(':127.0.0.1:<port>')}` }
    case 'memory:read':
    case 'memory:write':
      return {
        instead: `The agent also needs memories to use: run \`ctxd rules edit\`, and give ${agent} ${kind} and ${JSON.stringify({ memory: { [kind.slice(7)]: ['project'] } })}.`,
      }
    case 'shell:exec':
    case 'shell:cache':
    case 'secret:reveal':
    case 'scrubber:scan':
      return { change: { kind: 'grant', capability: kind } }
  }
}

function capabilitiesOf({ layers }: RuleSet, agent: string): RulePlace {
  const rules = layers
    .map(({ agents, names }) => agents.get(names.get(agent) ?? ''))
    .find((one) => one !== undefined)
  return rules?.capabilitiesPlace ?? { path: '$' }
}

/** A deny that covers the grant: removed if it is exactly the same, else respected. */
function heedDenial({ layers }: RuleSet, agent: string, remedy: Remedy): Partial<Obstacle> {
  if (!('change' in remedy) || remedy.change.kind !== 'grant') return {}
  const { capability } = remedy.change
  const wanted = parseCapability(capability)
  if (wanted === undefined) return {}
  for (const { agents, names } of layers) {
    const { deniedCapabilities = [], justification } = agents.get(names.get(agent) ?? '') ?? {}
    const denial = deniedCapabilities.find(
      (one) => subtractCapabilities([wanted], [one.capability]).length === 0,
    )
    if (denial === undefined) continue
    const { place } = denial
    const denied = formatCapability(denial.capability)
    if (denied === capability)
      return { place, removes: { rule: place.path, ...(justification !== undefined && { justification }) } }
    return { place, remedy: { instead: deniedMore(place.path, denied, justification) } }
  }
  return {}
}

function deniedMore(rule: string, pattern: string, justification: string | undefined): string {
  const why = justified({ rule, ...(justification !== undefined && { justification }) })
  return `You denied this and more: ${rule} has ${JSON.stringify(pattern)}.${why} To open part of it, run \`ctxd rules edit\`.`
}
