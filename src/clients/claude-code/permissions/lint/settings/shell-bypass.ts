/** Files that rules close and a shell opens again. */

import { isJsonObject } from '../../../../../core/json.ts'
import type { Found, LintRule } from '../../../../permissions/finding.ts'
import { placeIn } from '../../read/json-file.ts'
import { ruleEffect } from '../../rules/rule.ts'
import { modeInForce } from '../../explain/session-mode.ts'
import type { ClaudeSetup, RuleEntry } from '../../setup.ts'
import { isGuardedByContextd } from '../hooks/in-force.ts'
import { bypassesByDefault } from './modes.ts'
import { placeText } from '../place-text.ts'

export const shellBypassRules: readonly LintRule<ClaudeSetup>[] = [
  {
    id: 'deny-bypassed-by-shell',
    severity: 'error',
    title: 'Denied files that a shell still reaches',
    why: '`Read(path)` and `Edit(path)` bind the tools that read and write files, and the few shell commands the client understands: `cat`, `grep`, `tail`. What a program opens by itself it cannot see: with `Bash` allowed, `python3 -c "print(open(\'.env\').read())"` prints what `Read(./.env)` denies. The same goes for rules that allow an interpreter or a shell, such as `Bash(python3:*)` or `Bash(bash:*)`.\n\nDeny `Bash`, or allow single commands that open no files of their own. The sandbox of the client (`"sandbox": { "enabled": true, "failIfUnavailable": true }`) keeps the same files from every program; without `failIfUnavailable` commands run outside of it on machines where it cannot start. The rule is silent with such a sandbox, and where the hooks of contextd guard the session.',
    check: bypassed,
  },
]

function bypassed(setup: ClaudeSetup): Found[] {
  const { settings } = setup
  const rules = settings.flatMap((file) => file.rules)
  const isClosed = rules.some(({ list, text }) => list === 'deny' && /^(?:Bash(?:\(\*\))?|\*+)$/.test(text))
  const sandbox = sandboxOf(setup)
  if (isClosed || sandbox === 'required' || isGuardedByContextd(setup)) return []
  const open = opening(setup)
  if (open === undefined) return []
  return settings.flatMap((file): Found[] => {
    const denied = file.rules.filter(deniesPath)
    const [first] = denied
    if (first === undefined) return []
    const others = denied.length === 1 ? '' : ` (and ${denied.length - 1} more)`
    return [
      {
        file: first.file,
        line: first.line,
        column: first.column,
        ...(sandbox === 'wanted'
          ? {
              severity: 'warning',
              message: `\`${first.text}\`${others} does not hold in a shell on machines where the sandbox cannot start: there ${open} lets a program open the file.`,
              fix: 'Set `"failIfUnavailable": true` in `sandbox`.',
            }
          : {
              message: `\`${first.text}\`${others} does not hold in a shell: ${open} lets a program open the file.`,
              fix: 'Deny `Bash`, allow single commands instead, or require the sandbox.',
            }),
      },
    ]
  })
}

/** What lets any command run, with its place. */
function opening(setup: ClaudeSetup): string | undefined {
  const { settings } = setup
  // Also what a project allows that nobody trusts yet: that is one question away.
  const rule = settings.flatMap((file) => file.rules).find(opensShell)
  if (rule !== undefined) return `\`${rule.text}\` (${placeText(rule, setup)})`
  const isFree = modeInForce(setup, undefined).mode === 'bypassPermissions'
  const free = isFree ? settings.find(bypassesByDefault) : undefined
  if (free === undefined) return undefined
  const { file, document } = free
  const place = { file, ...placeIn(document, ['permissions', 'defaultMode']) }
  return `\`bypassPermissions\` (${placeText(place, setup)})`
}

/** In it, what rules deny is closed to every program. */
function sandboxOf({ settings }: ClaudeSetup): 'required' | 'wanted' | undefined {
  const sandboxes = settings.map(({ value }) => value.sandbox).filter(isJsonObject)
  if (!sandboxes.some(({ enabled }) => enabled === true)) return undefined
  return sandboxes.some(({ failIfUnavailable }) => failIfUnavailable === true) ? 'required' : 'wanted'
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
  if (entry.list !== 'allow') return false
  const effect = ruleEffect(entry)
  if (!effect.works || effect.rule.tool !== 'Bash') return false
  const { content } = effect.rule
  if (content === undefined || /^\*+$/.test(content)) return true
  const [program = '', ...rest] = content.replace(/:\*$/, ' *').split(' ')
  return interpreters.test(program) && rest.length === 1 && rest[0] === '*'
}
