/** What the client would do with a tool, and because of what. Pure. */

import { missingFor, missingType, singleTools, type Missing } from './agent-tools.ts'
import { clientHabits } from './client-habits.ts'
import { readCase, type Case } from './case.ts'
import {
  nowhere,
  type PermissionDecision,
  type PermissionExplanation,
  type Ground,
} from '../../findings/explanation.ts'
import type { GroundCandidate, PermissionQuestion, PermissionVerdict } from './question.ts'
import { hooksBefore, type HookedCall } from './hook-match.ts'
import { missedInLists } from './near-rules.ts'
import { placeOf } from '../../findings/finding.ts'
import { unaskedSandbox } from './sandbox.ts'
import type { ClaudeSetup } from '../setup/setup.ts'
import { shellVerdict } from './shell-case.ts'
import { grantingSkills, skillsAskedAbout } from './skill-grants.ts'
import { sortRules } from './sort-rules.ts'

/** The client goes through these one after the other; the first with a candidate decides. */
interface Step extends PermissionVerdict {
  readonly isListed: boolean
  /** Why the later ones lost. */
  readonly beats: string
}

function decisive(steps: readonly Step[]): number {
  return steps.findIndex(({ candidates }) => candidates.length > 0)
}

/** The decision alone: rules of the linter ask for many, and what skills would grant takes longest to find out. */
export function decide(
  setup: ClaudeSetup,
  question: PermissionQuestion,
): Pick<PermissionExplanation, 'decision' | 'decidedBy'> {
  const one = readCase(setup, question)
  return settle(one, verdictOn(one))
}

export function explain(setup: ClaudeSetup, question: PermissionQuestion): PermissionExplanation {
  const one = readCase(setup, question)
  const said = saidAbout(one)
  const steps = stepsOf(one, said)
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
      ...step.candidates.slice(1).map((candidate) => because(candidate, 'as does what decided')),
      ...steps
        .slice(index + 1)
        .flatMap(({ candidates }) => candidates)
        .filter(({ ground }) => ground.rule !== defaultRule && !(one.missing && isClientsOwn(ground)))
        .map((candidate) => because(candidate, `but ${step.beats}`)),
      ...(one.missing === undefined ? missedInLists(one) : []),
      ...said.rules.ignored,
    ],
    partial: partialFor(one, said),
    granted: step.decision === 'ask' && question.skill === undefined ? grantingSkills(one, verdictOn) : [],
    hooks: step.isListed ? hooksBefore(setup, hookedCall(one, question, willAsk)) : [],
  }
}

function verdictOn(one: Case): PermissionVerdict {
  const steps = stepsOf(one, saidAbout(one))
  return steps[decisive(steps)]!
}

/** What comes of it in the mode of the session. `overruled`: what would have decided in another one. */
function settle(
  one: Case,
  { decision, candidates: [winner] }: PermissionVerdict,
): Pick<PermissionExplanation, 'decision' | 'decidedBy'> & { readonly overruled?: Ground } {
  const decidedBy = because(winner!)
  if (isClassified(one, decision, winner!)) {
    const classifier = own('mode', 'classifier', `${askedInstead(one)}.`)
    return {
      decision,
      decidedBy: classifier,
      ...(decidedBy.rule !== defaultRule && { overruled: decidedBy }),
    }
  }
  if (decision !== 'ask' || one.mode.mode !== 'dontAsk') return { decision, decidedBy }
  return { decision: 'deny', decidedBy: own('mode', 'dontAsk', `${refusedBy(one)}.`), overruled: decidedBy }
}

/** A rule that asks means the user in every mode. */
function isClassified({ mode }: Case, decision: PermissionDecision, { ground }: GroundCandidate): boolean {
  return decision === 'ask' && mode.isClassified === true && ground.list !== 'ask'
}

function askedInstead({ mode }: Case): string {
  return `In the mode ${mode.mode}${inBrackets(mode)} a classifier of the client is asked and not the user; what it answers is not known beforehand`
}

const inBrackets = ({ because: why }: Case['mode']): string => (why === undefined ? '' : ` (${why})`)

function hookedCall(
  { tool, argument, agent, main, isMain }: Case,
  { skill: after }: PermissionQuestion,
  willAsk: boolean,
): HookedCall {
  return {
    // No tool is called like its server.
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

/** What the client would do by itself says nothing about a tool that there is not. */
const isClientsOwn = ({ source }: GroundCandidate['ground']): boolean =>
  source === 'client' || source === 'mode'

function own(source: Ground['source'], rule: string, why: string): Ground {
  return { ...nowhere, rule, source, why }
}

const byDefault: GroundCandidate = {
  ground: own('client', defaultRule, ''),
  says: 'No rule decides, and then the client asks',
}

function refusedBy({ mode }: Case): string {
  return `Nobody is asked in the mode dontAsk${inBrackets(mode)}, so it is refused`
}

/** All that is said about a case, before one thing decides. */
interface Said {
  readonly rules: ReturnType<typeof sortRules>
  readonly habits: ReturnType<typeof clientHabits>
  readonly sandbox: GroundCandidate | undefined
  /** Whether the command is one that runs in it without asking. */
  readonly isSandboxed: boolean
}

function saidAbout(one: Case): Said {
  const sandbox = unaskedSandbox(one)
  const shell =
    one.kind === 'shell' && one.argument !== undefined ? shellVerdict(one, one.argument, sandbox) : undefined
  return {
    rules: sortRules(one, shell),
    habits: clientHabits(one, shell),
    sandbox: sandbox?.candidate,
    isSandboxed: shell?.leftToSandbox !== undefined,
  }
}

function stepsOf(one: Case, { rules: { deny, ask, allow }, habits, sandbox, isSandboxed }: Said): Step[] {
  const sandboxed = isSandboxed && sandbox !== undefined ? [sandbox] : []
  const denies = 'a rule that denies comes first'
  const asks = 'the client asks about this whatever is allowed'
  return [
    unlisted('absent', 'there is no such tool', missingTool(one)),
    unlisted('deny', denies, deny.whole),
    unlisted('absent', 'the agent does not have the tool', missingForAgent(one)),
    listed('deny', 'the client takes such a call for none', habits.invalid),
    listed('deny', denies, deny.some),
    listed('deny', 'the client does not write in place of a link', habits.linked),
    listed('ask', 'a rule that asks comes before one that allows', [...ask.whole, ...ask.some]),
    listed('deny', `the mode ${one.mode.mode} comes before rules that allow`, habits.refused),
    listed('deny', 'a safety check of the client comes before rules that allow', habits.dangerous),
    listed('ask', asks, habits.always),
    listed('allow', `the mode ${one.mode.mode} lets everything through`, habits.bypass),
    listed('ask', asks, habits.guarded),
    listed('allow', 'a rule that allows all of it comes first', allow.whole),
    listed('ask', 'the client asks about such commands unless all are allowed', habits.foreign),
    listed('allow', 'a rule has the very text of the command', allow.verbatim),
    listed('ask', 'the client asks where it cannot tell what a command does', habits.unchecked),
    listed('allow', 'a rule allows it', allow.some),
    listed('allow', 'the client does it without asking', [...habits.free, ...sandboxed]),
    listed('ask', 'nothing else decides', habits.wanting),
    listed('ask', 'nothing else decides', [byDefault]),
  ]
}

type Decides = (decision: PermissionDecision, beats: string, candidates: readonly GroundCandidate[]) => Step

/** Whether the model is offered the tool all the same. */
const listed: Decides = (decision, beats, candidates) => ({ decision, isListed: true, beats, candidates })
const unlisted: Decides = (decision, beats, candidates) => ({ decision, isListed: false, beats, candidates })

/** What holds for some calls of the tool only. */
function partialFor(one: Case, { rules, sandbox }: Said): Ground[] {
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
  return [{ ground: { ...(place === undefined ? nowhere : placeOf(place)), rule, source }, says: cut(why) }]
}

function cut(sentence: string): string {
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
  return [{ ground, says: cut(why) }]
}

function ofAgent({ entry, rule, why }: Missing): Ground {
  return { ...(entry === undefined ? nowhere : placeOf(entry)), rule, source: 'agent', why }
}
