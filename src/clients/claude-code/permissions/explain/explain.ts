/** What the client would do with a tool, and because of what. Pure. */

import { missingFor, missingType } from './agent-tools.ts'
import { clientHabits } from './client-habits.ts'
import { readCase, type Case } from './case.ts'
import type { Candidate, Decision, Explanation, Ground, Question } from './explanation.ts'
import { hooksBefore, type HookedCall } from './hook-match.ts'
import { missedBy } from './near-rules.ts'
import { isWithin } from '../rules/path-rule.ts'
import { meansArgument, namesTool } from './rule-match.ts'
import { groundOf, type RuleInForce } from './rules-in-force.ts'
import type { ClaudeSetup } from '../setup.ts'
import { judgeShell, type RuleOnPart, type ShellVerdict } from './shell/shell-verdict.ts'

export type { Decision, Explanation, Ground, Question } from './explanation.ts'

/** The client goes through these one after the other; the first with a candidate decides. */
interface Step {
  readonly decision: Decision
  readonly isListed: boolean
  /** Why the later ones lost. */
  readonly beats: string
  readonly candidates: readonly Candidate[]
}

export function explain(setup: ClaudeSetup, question: Question): Explanation {
  const one = readCase(setup, question)
  const { steps, ignored, partial } = stepsOf(one)
  const index = steps.findIndex(({ candidates }) => candidates.length > 0)
  const step = steps[index]!
  const [winner, ...same] = step.candidates
  const isRefused = step.decision === 'ask' && one.mode.mode === 'dontAsk'
  const lost = [
    ...same.map((candidate) => because(candidate, 'as does what decided')),
    ...steps
      .slice(index + 1)
      .flatMap(({ candidates }) => candidates)
      .filter(({ ground }) => ground.rule !== defaultRule)
      .map((candidate) => because(candidate, `but ${step.beats}`)),
    ...ignored,
  ]
  const decided = because(winner!)
  const decision = isRefused ? 'deny' : step.decision
  return {
    tool: question.tool,
    decision,
    isListed: step.isListed,
    decidedBy: isRefused ? own('mode', 'dontAsk', `${refusedBy(one)}.`) : decided,
    lost: isRefused ? [decided, ...lost] : lost,
    partial,
    hooks: step.isListed ? hooksBefore(setup, hookedCall(one, step.decision === 'ask')) : [],
  }
}

function hookedCall({ tool, argument, agent, main }: Case, willAsk: boolean): HookedCall {
  const agents = [agent, main].filter((one) => typeof one === 'object')
  return { tool: tool.name, willAsk, agents, ...(argument !== undefined && { argument }) }
}

function because({ ground, says }: Candidate, reason?: string): Ground {
  return { ...ground, why: reason === undefined ? `${says}.` : `${says}, ${reason}.` }
}

const defaultRule = 'default: asks'

function own(source: Ground['source'], rule: string, why: string): Ground {
  return { file: null, line: null, column: null, rule, source, why }
}

function refusedBy({ mode }: Case): string {
  return `Nobody is asked in the mode dontAsk${mode.because === undefined ? '' : ` (${mode.because})`}, so it is refused`
}

interface Steps {
  readonly steps: readonly Step[]
  readonly ignored: readonly Ground[]
  readonly partial: readonly Ground[]
}

function stepsOf(one: Case): Steps {
  const shell =
    one.kind === 'shell' && one.argument !== undefined ? shellVerdict(one, one.argument) : undefined
  const habits = clientHabits(one, shell)
  const said = sortRules(one, shell)
  const step = (
    decision: Decision,
    beats: string,
    candidates: readonly Candidate[],
    isListed = true,
  ): Step => ({
    decision,
    isListed,
    beats,
    candidates,
  })
  const denies = 'a rule that denies comes first'
  const asks = 'the client asks about this whatever is allowed'
  return {
    steps: [
      step('absent', 'there is no such tool', missingTool(one), false),
      step('deny', denies, said.deny.whole, false),
      step('absent', 'the agent does not have the tool', missingForAgent(one), false),
      step('deny', 'the client takes such a call for none', habits.invalid),
      step('deny', denies, said.deny.some),
      step('ask', 'a rule that asks comes before one that allows', [...said.ask.whole, ...said.ask.some]),
      step('deny', `the mode ${one.mode.mode} comes before rules that allow`, habits.refused),
      step('ask', asks, habits.always),
      step('allow', `the mode ${one.mode.mode} lets everything through`, habits.bypass),
      step('ask', asks, habits.guarded),
      step('allow', 'a rule that allows all of it comes first', said.allow.whole),
      step('ask', 'the client asks about such commands unless all are allowed', habits.foreign),
      step('allow', 'a rule has the very text of the command', said.allow.verbatim),
      step('ask', 'the client asks where it cannot tell what a command does', habits.unchecked),
      step('allow', 'a rule allows it', said.allow.some),
      step('allow', 'the client does it without asking', habits.free),
      step('ask', 'nothing else decides', [
        { ground: own('client', defaultRule, ''), says: 'No rule decides, and then the client asks' },
      ]),
    ],
    ignored: said.ignored,
    partial: said.partial,
  }
}

function missingTool({ missing, server }: Case): Candidate[] {
  if (missing === undefined) return []
  const place =
    server === undefined ? noPlace : { file: server.file, line: server.line, column: server.column }
  return [
    { ground: { ...place, rule: server?.fullName ?? 'no such tool', source: 'server' }, says: cut(missing) },
  ]
}

const noPlace = { file: null, line: null, column: null } as const

function cut(sentence: string): string {
  return sentence.replace(/\.$/, '')
}

function missingForAgent({ setup, agent, tool, argument, isMain }: Case): Candidate[] {
  const isLimited = isMain && typeof agent === 'object' && tool.name === 'Agent' && argument !== undefined
  const missing =
    agent === undefined
      ? undefined
      : (missingFor(setup, agent, tool) ?? (isLimited ? missingType(agent, argument) : undefined))
  if (missing === undefined) return []
  const { entry } = missing
  const place = entry === undefined ? noPlace : { file: entry.file, line: entry.line, column: entry.column }
  return [{ ground: { ...place, rule: missing.rule, source: 'agent' }, says: cut(missing.why) }]
}

function shellVerdict(one: Case, command: string): ShellVerdict {
  const { setup, folders, mode } = one
  const rules = one.rules.filter(
    ({ ignored, rule }) => ignored === undefined && /^(?:Bash|Read|Edit)$/.test(rule.tool),
  )
  const { project, home, config } = setup
  return judgeShell(command, inPlan(one, rules), {
    project,
    home,
    config,
    folders,
    acceptsEdits: mode.mode === 'acceptEdits',
  })
}

/** While planning, nothing that runs whole programs is allowed by a rule. */
const interpreters =
  /^(?:python[\d.]*|node|deno|bun|ruby|perl|php|lua|bash|sh|zsh|fish|npx|bunx|sudo|ssh|eval|exec|env|xargs)\b/

function inPlan(one: Case, rules: readonly RuleInForce[]): readonly RuleInForce[] {
  return one.mode.mode === 'plan' ? rules.filter((rule) => !isTooWideForPlan(rule)) : rules
}

function isTooWideForPlan({ entry, rule }: RuleInForce): boolean {
  if (entry.list !== 'allow' || rule.tool !== 'Bash') return false
  return rule.content === undefined || (rule.content.includes('*') && interpreters.test(rule.content))
}

type Reach = 'whole' | 'some' | 'verbatim'
type Sorted = Record<'deny' | 'ask' | 'allow', Record<Reach, Candidate[]>> & {
  ignored: Ground[]
  partial: Ground[]
}

const newReaches = (): Record<Reach, Candidate[]> => ({ whole: [], some: [], verbatim: [] })

function sortRules(one: Case, shell: ShellVerdict | undefined): Sorted {
  const sorted: Sorted = {
    deny: newReaches(),
    ask: newReaches(),
    allow: newReaches(),
    ignored: [],
    partial: [],
  }
  for (const rule of one.rules) {
    const { entry, ignored } = rule
    const isTooWide = one.mode.mode === 'plan' && one.kind === 'shell' && isTooWideForPlan(rule)
    if (ignored !== undefined || isTooWide) {
      const why = ignored ?? 'While planning, the client leaves aside rules that allow as much as this one.'
      if (mightMean(one, rule)) sorted.ignored.push({ ...groundOf(rule), why })
      else addMissed(sorted, one, rule)
      continue
    }
    const reach = reachOf(one, rule)
    if (reach === 'other')
      sorted.partial.push({ ...groundOf(rule), why: `${verbs[entry.list]} some calls of it.` })
    else if (reach !== undefined)
      sorted[entry.list][reach].push({
        ground: groundOf(rule),
        says:
          reach === 'whole'
            ? `${verbs[entry.list]} every call of it`
            : `${verbs[entry.list]} this call of it`,
      })
    else addMissed(sorted, one, rule)
  }
  if (shell !== undefined) addShell(sorted, shell)
  return sorted
}

function addMissed(sorted: Sorted, one: Case, rule: RuleInForce): void {
  const why = missedBy(one, rule)
  if (why !== undefined) sorted.ignored.push({ ...groundOf(rule), why })
}

const verbs = { allow: 'Allows', ask: 'Asks about', deny: 'Denies' } as const

/** Of one that is left aside: whether it would have been about the tool. */
function mightMean(one: Case, { entry, rule }: RuleInForce): boolean {
  if (!namesTool(rule, 'deny', one.tool) && !governs(one, rule)) return false
  const isAboutPath = one.kind === 'read' || one.kind === 'write'
  if (rule.content === undefined || one.argument === undefined || !isAboutPath) return true
  return meansArgument(rule.content, entry, one.tool.name, one.argument, one.setup)
}

/** Rules of other tools: the paths of Edit are those of all that write, and what must not be read cannot be written. */
function governs({ kind }: Case, { tool, content }: RuleInForce['rule']): boolean {
  return kind === 'write' && tool === 'Edit' && content !== undefined
}

function reachOf(one: Case, { entry, rule }: RuleInForce): 'whole' | 'some' | 'other' | undefined {
  const isUnreadable = one.kind === 'write' && rule.tool === 'Read' && entry.list === 'deny'
  // The bare name as a flag takes away the tool, and nothing else.
  if (isUnreadable && rule.content === undefined) return entry.level === 'cli' ? undefined : 'some'
  const isDirect = namesTool(rule, entry.list, one.tool)
  if (isDirect && (rule.content === undefined || rule.content === ''))
    return entry.list === 'allow' && rule.hasParentheses && isOutside(one) ? undefined : 'whole'
  // What runs in the background is a shell too.
  if (
    one.tool.name === 'Monitor' &&
    entry.list === 'deny' &&
    rule.tool === 'Bash' &&
    rule.content === undefined
  )
    return 'whole'
  if (!isDirect && !isUnreadable && !governs(one, rule)) return undefined
  if (one.argument === undefined) return 'other'
  // The commands of a shell are judged part by part.
  if (one.kind === 'shell') return undefined
  return meansArgument(rule.content!, entry, one.tool.name, one.argument, one.setup) ? 'some' : undefined
}

/** `Read(*)` and `Write(*)` allow what is in the project, other than the bare names. */
function isOutside({ kind, argument, setup }: Case): boolean {
  const isPath = kind === 'read' || kind === 'write'
  return isPath && argument !== undefined && !isWithin(setup.project, argument)
}

function addShell(sorted: Sorted, shell: ShellVerdict): void {
  const part = (list: 'deny' | 'ask' | 'allow', { rule, part: text }: RuleOnPart): Candidate => ({
    ground: groundOf(rule),
    says: `${verbs[list]} \`${text}\``,
  })
  sorted.deny.some.push(...shell.denied.map((one) => part('deny', one)))
  sorted.ask.some.push(...shell.asked.map((one) => part('ask', one)))
  if (shell.verbatim !== undefined) sorted.allow.verbatim.push(part('allow', shell.verbatim))
  const allowed = shell.allowed.filter(({ rule }) => rule !== shell.verbatim?.rule)
  if (shell.open.length === 0) sorted.allow.some.push(...allowed.map((one) => part('allow', one)))
  else {
    const why = `Allows a part of the command, but nothing allows \`${shell.open[0]}\`.`
    for (const { rule } of allowed) sorted.ignored.push({ ...groundOf(rule), why })
  }
}
