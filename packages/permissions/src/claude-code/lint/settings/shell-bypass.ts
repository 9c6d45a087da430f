/** Files that rules close and a shell opens again. */

import type { FindingDetails, LintRule } from '../../../findings/finding.ts'
import { jsonPlace } from '../../read/json-file.ts'
import { ruleEffect } from '../../rules/rule.ts'
import { sandboxOf } from '../../explain/sandbox.ts'
import { modeInForce } from '../../explain/session-mode.ts'
import type { ClaudeSetup, RuleEntry } from '../../setup/setup.ts'
import { findingAt, type FindingText } from '../places/finding-at.ts'
import { isGuardedByContextd } from '../hooks/in-force.ts'
import { bypassesByDefault } from './modes.ts'
import { placeText } from '../places/place-text.ts'

export const shellBypassRules: readonly LintRule<ClaudeSetup>[] = [
  {
    id: 'deny-bypassed-by-shell',
    severity: 'error',
    title: 'Denied files that a shell still reaches',
    why: '`Read(path)` and `Edit(path)` bind the tools that read and write files, and the few shell commands the client understands: `cat`, `grep`, `tail`. What a program opens by itself it cannot see: with `Bash` allowed, `python3 -c "print(open(\'.env\').read())"` prints what `Read(./.env)` denies. The same goes for rules that allow an interpreter or a shell, such as `Bash(python3:*)` or `Bash(bash:*)`.\n\nDeny `Bash`, or allow single commands that open no files of their own. The sandbox of the client (`"sandbox": { "enabled": true, "failIfUnavailable": true }`) keeps the same files from every program; without `failIfUnavailable` commands run outside of it on machines where it cannot start. What `excludedCommands` names runs outside, and so does a call that asks to (`dangerouslyDisableSandbox`): with a rule for its command or in the mode `bypassPermissions` nobody is asked about that, unless `allowUnsandboxedCommands` is `false`. The rule is silent with a sandbox that nothing leaves, and where the hooks of contextd guard the session.',
    check: bypassed,
  },
]

function bypassed(setup: ClaudeSetup): FindingDetails[] {
  const { settings } = setup
  const rules = settings.flatMap((file) => file.rules)
  const isClosed = rules.some(({ list, text }) => list === 'deny' && /^(?:Bash(?:\(\*\))?|\*+)$/.test(text))
  if (isClosed || isGuardedByContextd(setup)) return []
  const told = tell(setup, openings(setup))
  if (told === undefined) return []
  return settings.flatMap((file): FindingDetails[] => {
    const denied = file.rules.filter(deniesPath)
    const [first] = denied
    if (first === undefined) return []
    const others = denied.length === 1 ? '' : ` (and ${denied.length - 1} more)`
    return [
      findingAt(first, {
        ...told,
        message: `\`${first.text}\`${others} does not hold in a shell${told.message}`,
      }),
    ]
  })
}

/** What lets commands run. */
interface Opening {
  /** With its place. */
  readonly text: string
  /** The one that is allowed; none where all are. */
  readonly program?: string
  /** Whether it also lets a call leave the sandbox that asks to: a rule for all of Bash does not. */
  readonly lets: 'stay' | 'leave'
}

/** How what is denied is reached: the end of a sentence, and what to do. Undefined where it is not. */
function tell(setup: ClaudeSetup, all: readonly Opening[]): FindingText | undefined {
  const [first] = all
  if (first === undefined) return undefined
  const sandbox = sandboxOf(setup)
  if (sandbox === undefined)
    return {
      message: `: ${first.text} lets a program open the file.`,
      fix: 'Deny `Bash`, allow single commands instead, or require the sandbox.',
    }
  const leaving = sandbox.isStrict ? undefined : all.find(({ lets }) => lets === 'leave')
  if (leaving !== undefined)
    return {
      message: `: with ${leaving.text} a call leaves the sandbox by asking to.`,
      fix: 'Set `"allowUnsandboxedCommands": false` in `sandbox`.',
    }
  const excluded = sandbox.excluded.find(({ pattern }) => {
    const program = anythingOf(pattern)
    return program !== undefined && all.some((one) => one.program === undefined || one.program === program)
  })
  if (excluded !== undefined) {
    const { file, index, pattern } = excluded
    const place = { file: file.file, ...jsonPlace(file.document, ['sandbox', 'excludedCommands', index]) }
    return {
      message: `: \`${pattern}\` (${placeText(place, setup)}) runs outside of the sandbox.`,
      fix: 'Remove it from `excludedCommands`.',
    }
  }
  if (sandbox.isRequired) return undefined
  return {
    severity: 'warning',
    message: ` on machines where the sandbox cannot start: there ${first.text} lets a program open the file.`,
    fix: 'Set `"failIfUnavailable": true` in `sandbox`.',
  }
}

function openings(setup: ClaudeSetup): Opening[] {
  const { settings } = setup
  // Also what a project allows that nobody trusts yet: that is one question away.
  const ofRules = settings.flatMap((file) => file.rules).flatMap((rule) => openingOf(rule, setup))
  const isFree = modeInForce(setup, undefined).mode === 'bypassPermissions'
  const free = isFree ? settings.find(bypassesByDefault) : undefined
  if (free === undefined) return ofRules
  const { file, document } = free
  const place = { file, ...jsonPlace(document, ['permissions', 'defaultMode']) }
  return [...ofRules, { text: `\`bypassPermissions\` (${placeText(place, setup)})`, lets: 'leave' }]
}

function deniesPath(entry: RuleEntry): boolean {
  if (entry.list !== 'deny') return false
  const effect = ruleEffect(entry)
  return effect.works && /^(?:Read|Edit)$/.test(effect.rule.tool) && effect.rule.content !== undefined
}

/** What runs whatever it is given. */
const interpreters =
  /^(?:python[\d.]*|node|nodejs|bun|deno|ruby|perl|php|lua|awk|gawk|bash|sh|zsh|dash|fish|env|xargs|find|sudo|npx|uvx|docker|ssh)$/

/** Whether a rule lets any command run. */
export function opensShell(entry: Pick<RuleEntry, 'level' | 'list' | 'text'>): boolean {
  return openedBy(entry) !== undefined
}

function openingOf(entry: RuleEntry, setup: ClaudeSetup): Opening[] {
  const program = openedBy(entry)
  if (program === undefined) return []
  const text = `\`${entry.text}\` (${placeText(entry, setup)})`
  return program === '*' ? [{ text, lets: 'stay' }] : [{ text, program, lets: 'leave' }]
}

function openedBy(entry: Pick<RuleEntry, 'level' | 'list' | 'text'>): string | undefined {
  if (entry.list !== 'allow') return undefined
  const effect = ruleEffect(entry)
  return effect.works && effect.rule.tool === 'Bash' ? anythingOf(effect.rule.content ?? '*') : undefined
}

/** The program that a pattern lets do anything, or `*` for all of them. */
function anythingOf(pattern: string): string | undefined {
  if (/^\*+$/.test(pattern)) return '*'
  const [program = '', ...rest] = pattern.replace(/:\*$/, ' *').split(' ')
  return interpreters.test(program) && rest.length === 1 && rest[0] === '*' ? program : undefined
}
