/** What the client would do with a tool call, and which rule or behavior decides. Pure. */

import { missingFor, missingType, singleTools, type Missing } from './agent-tools.ts'
import { builtinBehavior } from './builtin-behavior.ts'
import { readCase, type Case } from './case.ts'
import {
  nowhere,
  type PermissionDecision,
  type PermissionExplanation,
  type Ground,
} from '../../findings/explanation.ts'
import type { GroundCandidate, PermissionQuestion, PermissionVerdict } from './question.ts'
import { hooksBefore, type HookedCall } from './hook-match.ts'
import { nearMissesInLists } from './near-rules.ts'
import { placeOf } from '../../findings/finding.ts'
import { autoAllowSandbox } from './sandbox.ts'
import type { ClaudeSetup } from '../setup/setup.ts'
import { shellVerdict } from './shell-case.ts'
import { grantingSkills, skillsAskedAbout } from './skill-grants.ts'
import { sortRules } from './sort-rules.ts'

/** The client evaluates these in order; the first with a candidate decides. */
interface Step extends PermissionVerdict {
  readonly isListed: boolean
  /** Why this step takes precedence over the later ones. */
  readonly beats: string
}

function decisive(steps: readonly Step[]): number {
  return steps.findIndex(({ candidates }) => candidates.length > 0)
}

/** Only the decision: linter rules need many, and computing what skills would grant is the slow part. */
export function decide(
  setup: ClaudeSetup,
  question: PermissionQuestion,
): Pick<PermissionExplanation, 'decision' | 'decidedBy'> {
  const one = readCase(setup, question)
  return settle(one, verdictOn(one))
}

export function explain(setup: ClaudeSetup, question: PermissionQuestion): PermissionExplanation {
  const one = readCase(setup, question)
  const assessment = assess(one)
  const steps = stepsOf(one, assessment)
  const index = decisive(steps)
  const step = steps[index]!
  const { decision, decidedBy, overruled } = settle(one, step)
  const willAsk = step.decision === 'ask' && !isClassified(one, step.decision, step.candidates[0]!)
  return {
    tool: question.tool,
    decision,
    isListed: step.isListed,
    decidedBy,
    lost: [
      ...(overruled === undefined ? [] : [overruled]),
      ...step.candidates.slice(1).map((candidate) => because(candidate, 'like the one that decided')),
      ...steps
        .slice(index + 1)
        .flatMap(({ candidates }) => candidates)
        .filter(({ ground }) => ground.rule !== defaultRule && !(one.missing && isClientBehavior(ground)))
        .map((candidate) => because(candidate, `but ${step.beats}`)),
      ...(one.missing === undefined ? nearMissesInLists(one) : []),
      ...assessment.rules.ignored,
    ],
    partial: partialFor(one, assessment),
    granted: step.decision === 'ask' && question.skill === undefined ? grantingSkills(one, verdictOn) : [],
    hooks: step.isListed ? hooksBefore(setup, hookedCall(one, question, willAsk)) : [],
  }
}

function verdictOn(one: Case): PermissionVerdict {
  const steps = stepsOf(one, assess(one))
  return steps[decisive(steps)]!
}

/** Applies the session mode. `overruled`: what would have decided in another mode. */
function settle(
  one: Case,
  { decision, candidates: [winner] }: PermissionVerdict,
): Pick<PermissionExplanation, 'decision' | 'decidedBy'> & { readonly overruled?: Ground } {
  const decidedBy = because(winner!)
  if (isClassified(one, decision, winner!)) {
    const classifier = unplacedGround('mode', 'classifier', `${classifierReason(one)}.`)
    return {
      decision,
      decidedBy: classifier,
      ...(decidedBy.rule !== defaultRule && { overruled: decidedBy }),
    }
  }
  if (decision !== 'ask' || one.mode.mode !== 'dontAsk') return { decision, decidedBy }
  return {
    decision: 'deny',
    decidedBy: unplacedGround('mode', 'dontAsk', `${dontAskReason(one)}.`),
    overruled: decidedBy,
  }
}

/** An ask rule prompts the user in every mode. */
function isClassified({ mode }: Case, decision: PermissionDecision, { ground }: GroundCandidate): boolean {
  return decision === 'ask' && mode.isClassified === true && ground.list !== 'ask'
}

function classifierReason({ mode }: Case): string {
  return `In the mode ${mode.mode}${inParentheses(mode)} the client asks a classifier instead of the user; its answer cannot be predicted`
}

const inParentheses = ({ because: why }: Case['mode']): string => (why === undefined ? '' : ` (${why})`)

function hookedCall(
  { tool, argument, agent, main, isMain }: Case,
  { skill: after }: PermissionQuestion,
  willAsk: boolean,
): HookedCall {
  return {
    // A server's prefix alone is not a tool name.
    tool: tool.name === tool.prefix ? `${tool.name}__` : tool.name,
    willAsk,
    agents: [agent, main].filter((one) => typeof one === 'object'),
    isMain,
    ...(argument !== undefined && { argument }),
    ...(after !== undefined && { after }),
  }
}

function because({ ground, says }: GroundCandidate, reason?: string): Ground {
  return { ...ground, why: reason === undefined ? `${says}.` : `${says}, ${reason}.` }
}

const defaultRule = 'default: asks'

/** Built-in behavior is irrelevant for a tool that does not exist. */
const isClientBehavior = ({ source }: GroundCandidate['ground']): boolean =>
  source === 'client' || source === 'mode'

function unplacedGround(source: Ground['source'], rule: string, why: string): Ground {
  return { ...nowhere, rule, source, why }
}

const byDefault: GroundCandidate = {
  ground: unplacedGround('client', defaultRule, ''),
  says: 'No rule matches, so the client asks',
}

function dontAskReason({ mode }: Case): string {
  return `The mode dontAsk${inParentheses(mode)} denies what would prompt`
}

/** Everything that applies to a case, before precedence decides. */
interface Assessment {
  readonly rules: ReturnType<typeof sortRules>
  readonly builtin: ReturnType<typeof builtinBehavior>
  readonly sandbox: GroundCandidate | undefined
  /** Whether the command would run in the sandbox without asking. */
  readonly isSandboxed: boolean
}

function assess(one: Case): Assessment {
  const sandbox = autoAllowSandbox(one)
  const shell =
    one.kind === 'shell' && one.argument !== undefined ? shellVerdict(one, one.argument, sandbox) : undefined
  return {
    rules: sortRules(one, shell),
    builtin: builtinBehavior(one, shell),
    sandbox: sandbox?.candidate,
    isSandboxed: shell?.leftToSandbox !== undefined,
  }
}

function stepsOf(
  one: Case,
  { rules: { deny, ask, allow }, builtin, sandbox, isSandboxed }: Assessment,
): Step[] {
  const sandboxed = isSandboxed && sandbox !== undefined ? [sandbox] : []
  const denies = 'a deny rule takes precedence'
  const asks = 'the client always asks about this'
  return [
    unlisted('absent', 'there is no such tool', missingTool(one)),
    unlisted('deny', denies, deny.tool),
    unlisted('absent', 'the agent does not have the tool', missingForAgent(one)),
    listed('deny', 'the client rejects such a call', builtin.invalid),
    listed('deny', denies, deny.call),
    listed('deny', 'the client does not write through a link', builtin.linked),
    listed('ask', 'an ask rule takes precedence over an allow rule', [...ask.tool, ...ask.call]),
    listed('deny', `the mode ${one.mode.mode} takes precedence over allow rules`, builtin.refused),
    listed('deny', 'a safety check of the client takes precedence over allow rules', builtin.dangerous),
    listed('ask', asks, builtin.always),
    listed('allow', `the mode ${one.mode.mode} allows everything`, builtin.bypass),
    listed('ask', asks, builtin.guarded),
    listed('allow', 'a rule that allows the whole tool takes precedence', allow.tool),
    listed('ask', 'the client asks about such commands unless a rule allows all commands', builtin.foreign),
    listed('allow', 'a rule matches the exact text of the command', allow.verbatim),
    listed('ask', 'the client asks about commands that it cannot analyze', builtin.unchecked),
    listed('allow', 'a rule allows it', allow.call),
    listed('allow', 'the client does it without asking', [...builtin.free, ...sandboxed]),
    listed('ask', 'nothing else decides', builtin.wanting),
    listed('ask', 'nothing else decides', [byDefault]),
  ]
}

type Decides = (decision: PermissionDecision, beats: string, candidates: readonly GroundCandidate[]) => Step

/** `listed`: the model still sees the tool; `unlisted`: it does not. */
const listed: Decides = (decision, beats, candidates) => ({ decision, isListed: true, beats, candidates })
const unlisted: Decides = (decision, beats, candidates) => ({ decision, isListed: false, beats, candidates })

/** What applies to some calls of the tool only. */
function partialFor(one: Case, { rules, sandbox }: Assessment): Ground[] {
  return [
    ...rules.partial,
    ...(sandbox !== undefined && one.argument === undefined ? [because(sandbox)] : []),
    ...skillsAskedAbout(one),
    ...(typeof one.agent === 'object' ? singleTools(one.agent, one.tool).map(ofAgent) : []),
  ]
}

function missingTool({ missing }: Case): GroundCandidate[] {
  if (missing === undefined) return []
  const { place, rule, source, why } = missing
  return [
    {
      ground: { ...(place === undefined ? nowhere : placeOf(place)), rule, source },
      says: withoutPeriod(why),
    },
  ]
}

function withoutPeriod(sentence: string): string {
  return sentence.replace(/\.$/, '')
}

function missingForAgent({ setup, agent, tool, argument, isMain }: Case): GroundCandidate[] {
  const isLimited = isMain && typeof agent === 'object' && tool.name === 'Agent' && argument !== undefined
  const missing =
    agent === undefined
      ? undefined
      : (missingFor(setup, agent, tool) ?? (isLimited ? missingType(agent, argument) : undefined))
  if (missing === undefined) return []
  const { why, ...ground } = ofAgent(missing)
  return [{ ground, says: withoutPeriod(why) }]
}

function ofAgent({ entry, rule, why }: Missing): Ground {
  return { ...(entry === undefined ? nowhere : placeOf(entry)), rule, source: 'agent', why }
}
