/** Rules that are right by themselves and have no effect because of something else. */

import { isJsonObject } from '@contextd/shared/json/value'
import type { FindingDetails, LintRule } from '../../../findings/finding.ts'
import { managedOnly } from '../../explain/in-force/rules-in-force.ts'
import type { ClaudeSetup, RuleEntry } from '../../setup/setup.ts'
import { findingAt, findingIn } from '../places/finding-at.ts'
import { placeText } from '../places/place-text.ts'
import { shadows } from './shadow.ts'

export const effectRules: readonly LintRule<ClaudeSetup>[] = [
  {
    id: 'untrusted-allow',
    severity: 'warning',
    title: 'Allow rules in a workspace that is not trusted',
    why: 'Until the user accepts the workspace, Claude Code ignores what `.claude/settings.json` of the project allows. Its deny and ask rules, its hooks and its servers count all the same, and so does all of `.claude/settings.local.json`.',
    check: untrustedAllows,
  },
  {
    id: 'managed-rules-only',
    severity: 'warning',
    title: 'Rules that the managed settings switch off',
    why: 'With `allowManagedPermissionRulesOnly` in the managed settings of the machine no rule of the user or the project counts, whatever list it is in.',
    check: besideManagedRules,
  },
  {
    id: 'shadowed-allow',
    severity: 'warning',
    title: 'An allow rule that another rule takes away',
    why: 'Deny comes before ask and ask before allow, whatever the level: a deny rule of the user is stronger than an allow rule of the administrator or of the command line. An allow rule that is covered by one of the others as a whole says nothing.',
    check(setup) {
      const rules = setup.settings.flatMap((file) => file.rules)
      const covering = shadows(rules)
      return rules.flatMap((rule) => shadowedAllow(rule, covering(rule), setup))
    },
  },
]

/** Where the client was never started, nobody can have trusted anything. */
function untrustedAllows({ isTrusted, isUsed, settings }: ClaudeSetup): FindingDetails[] {
  if (isTrusted || !isUsed) return []
  return settings.flatMap((file) => {
    const count = file.rules.filter(({ list }) => list === 'allow').length
    if (file.level !== 'project' || count === 0) return []
    const what = count === 1 ? 'its allow rule' : `its ${count} allow rules`
    return findingIn(file, ['permissions', 'allow'], 'key', {
      message: `This workspace is not trusted yet, so Claude Code ignores ${what}.`,
      fix: 'Start `claude` here once and accept the workspace, if you trust it.',
    })
  })
}

function besideManagedRules(setup: ClaudeSetup): FindingDetails[] {
  if (!managedOnly(setup)) return []
  return setup.settings
    .filter(
      ({ level, rules, value }) => level !== 'managed' && rules.length > 0 && isJsonObject(value.permissions),
    )
    .map((file) =>
      findingIn(file, ['permissions'], 'key', {
        message: 'The managed settings let only their own rules count: none of these has an effect.',
        fix: 'Ask the administrator to add what is needed, and remove these.',
      }),
    )
}

function shadowedAllow(rule: RuleEntry, by: RuleEntry | undefined, setup: ClaudeSetup): FindingDetails[] {
  if (by === undefined) return []
  const { text } = rule
  const where = `\`${by.text}\` (${placeText(by, setup)})`
  const message =
    by.list === 'deny'
      ? `\`${text}\` allows nothing: ${where} denies all of it, and deny comes first.`
      : `\`${text}\` spares no question: ${where} asks about all of it, and ask comes before allow.`
  return [findingAt(rule, { message, fix: 'Remove one of them.' })]
}
