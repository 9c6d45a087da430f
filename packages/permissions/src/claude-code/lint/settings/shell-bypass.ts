/** Denied files that shell commands can still access. */

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
    why: '`Read(path)` and `Edit(path)` apply to the tools that read and write files, and to the few shell commands that the client understands: `cat`, `grep`, `tail`. The client cannot see which files a program opens: with `Bash` allowed, `python3 -c "print(open(\'.env\').read())"` prints what `Read(./.env)` denies. The same applies to rules that allow an interpreter or a shell, such as `Bash(python3:*)` or `Bash(bash:*)`.\n\nDeny `Bash`, or allow individual commands that cannot open arbitrary files. The sandbox of the client (`"sandbox": { "enabled": true, "failIfUnavailable": true }`) protects these files from every program; without `failIfUnavailable`, commands run unsandboxed on machines where it cannot start. Commands in `excludedCommands` run outside, and so do calls that request it (`dangerouslyDisableSandbox`): with an allow rule for the command, or in the mode `bypassPermissions`, this does not prompt, unless `allowUnsandboxedCommands` is `false`. Not reported if nothing can leave the sandbox, or if hooks of contextd guard the session.',
    check: bypassed,
  },
]

function bypassed(setup: ClaudeSetup): FindingDetails[] {
  const { settings } = setup
  const rules = settings.flatMap((file) => file.rules)
  const isShellDenied = rules.some(
    ({ list, text }) => list === 'deny' && /^(?:Bash(?:\(\*\))?|\*+)$/.test(text),
  )
  if (isShellDenied || isGuardedByContextd(setup)) return []
  const access = describeAccess(setup, openings(setup))
  if (access === undefined) return []
  return settings.flatMap((file): FindingDetails[] => {
    const denied = file.rules.filter(deniesPath)
    const [first] = denied
    if (first === undefined) return []
    const others = denied.length === 1 ? '' : ` (and ${denied.length - 1} more)`
    return [
      findingAt(first, {
        ...access,
        message: `\`${first.text}\`${others} does not apply to shell commands${access.message}`,
      }),
    ]
  })
}

/** A rule or mode that allows commands. */
interface Opening {
  /** With its place. */
  readonly text: string
  /** The allowed program; undefined if all are allowed. */
  readonly program?: string
  /** Whether a call may leave the sandbox on request: a rule for all of Bash does not allow that. */
  readonly mayLeaveSandbox: boolean
}

/** How denied files can be accessed, as the end of a sentence, and the fix. Undefined if they cannot. */
function describeAccess(setup: ClaudeSetup, all: readonly Opening[]): FindingText | undefined {
  const [first] = all
  if (first === undefined) return undefined
  const sandbox = sandboxOf(setup)
  if (sandbox === undefined)
    return {
      message: `: ${first.text} lets a program open the file.`,
      fix: 'Deny `Bash`, allow individual commands instead, or require the sandbox.',
    }
  const leaving = sandbox.isStrict ? undefined : all.find(({ mayLeaveSandbox }) => mayLeaveSandbox)
  if (leaving !== undefined)
    return {
      message: `: with ${leaving.text}, a call can leave the sandbox on request.`,
      fix: 'Set `"allowUnsandboxedCommands": false` in `sandbox`.',
    }
  const excluded = sandbox.excluded.find(({ pattern }) => {
    const program = unrestrictedProgram(pattern)
    return program !== undefined && all.some((one) => one.program === undefined || one.program === program)
  })
  if (excluded !== undefined) {
    const { file, index, pattern } = excluded
    const place = { file: file.file, ...jsonPlace(file.document, ['sandbox', 'excludedCommands', index]) }
    return {
      message: `: \`${pattern}\` (${placeText(place, setup)}) runs outside the sandbox.`,
      fix: 'Remove it from `excludedCommands`.',
    }
  }
  if (sandbox.isRequired) return undefined
  return {
    severity: 'warning',
    message: ` on machines where the sandbox cannot start: there, ${first.text} lets a program open the file.`,
    fix: 'Set `"failIfUnavailable": true` in `sandbox`.',
  }
}

function openings(setup: ClaudeSetup): Opening[] {
  const { settings } = setup
  // Includes allow rules of a project that is not trusted yet: trusting it takes one prompt.
  const ofRules = settings.flatMap((file) => file.rules).flatMap((rule) => openingOf(rule, setup))
  const isBypassing = modeInForce(setup, undefined).mode === 'bypassPermissions'
  const bypassing = isBypassing ? settings.find(bypassesByDefault) : undefined
  if (bypassing === undefined) return ofRules
  const { file, document } = bypassing
  const place = { file, ...jsonPlace(document, ['permissions', 'defaultMode']) }
  return [...ofRules, { text: `\`bypassPermissions\` (${placeText(place, setup)})`, mayLeaveSandbox: true }]
}

function deniesPath(entry: RuleEntry): boolean {
  if (entry.list !== 'deny') return false
  const effect = ruleEffect(entry)
  return effect.works && /^(?:Read|Edit)$/.test(effect.rule.tool) && effect.rule.content !== undefined
}

/** Programs that can run arbitrary commands or code. */
const interpreters =
  /^(?:python[\d.]*|node|nodejs|bun|deno|ruby|perl|php|lua|awk|gawk|bash|sh|zsh|dash|fish|env|xargs|find|sudo|npx|uvx|docker|ssh)$/

/** Whether a rule allows arbitrary commands. */
export function opensShell(entry: Pick<RuleEntry, 'level' | 'list' | 'text'>): boolean {
  return openedBy(entry) !== undefined
}

function openingOf(entry: RuleEntry, setup: ClaudeSetup): Opening[] {
  const program = openedBy(entry)
  if (program === undefined) return []
  const text = `\`${entry.text}\` (${placeText(entry, setup)})`
  return program === '*' ? [{ text, mayLeaveSandbox: false }] : [{ text, program, mayLeaveSandbox: true }]
}

function openedBy(entry: Pick<RuleEntry, 'level' | 'list' | 'text'>): string | undefined {
  if (entry.list !== 'allow') return undefined
  const effect = ruleEffect(entry)
  return effect.works && effect.rule.tool === 'Bash'
    ? unrestrictedProgram(effect.rule.content ?? '*')
    : undefined
}

/** The program that a pattern allows with any arguments, or `*` for all of them. */
function unrestrictedProgram(pattern: string): string | undefined {
  if (/^\*+$/.test(pattern)) return '*'
  const [program = '', ...rest] = pattern.replace(/:\*$/, ' *').split(' ')
  return interpreters.test(program) && rest.length === 1 && rest[0] === '*' ? program : undefined
}
