/** Valid rules that have no effect because of something else. */

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
    why: 'Until the user accepts the workspace, Claude Code ignores allow rules in `.claude/settings.json` of the project. Its deny and ask rules, hooks and servers apply nevertheless, and so does all of `.claude/settings.local.json`.',
    check: untrustedAllows,
  },
  {
    id: 'managed-rules-only',
    severity: 'warning',
    title: 'Rules that the managed settings disable',
    why: 'With `allowManagedPermissionRulesOnly` in the managed settings of the machine, no rule of the user or the project applies, in any list.',
    check: nonManagedRules,
  },
  {
    id: 'shadowed-allow',
    severity: 'warning',
    title: 'An allow rule that another rule overrides',
    why: 'Deny overrides ask, and ask overrides allow, regardless of the level: a deny rule of the user overrides an allow rule of the administrator or of the command line. An allow rule that is fully covered by a deny or ask rule has no effect.',
    check(setup) {
      const rules = setup.settings.flatMap((file) => file.rules)
      const covering = shadows(rules)
      return rules.flatMap((rule) => shadowedAllow(rule, covering(rule), setup))
    },
  },
]

/** If the client was never started, nothing can be trusted yet. */
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

function nonManagedRules(setup: ClaudeSetup): FindingDetails[] {
  if (!managedOnly(setup)) return []
  return setup.settings
    .filter(
      ({ level, rules, value }) => level !== 'managed' && rules.length > 0 && isJsonObject(value.permissions),
    )
    .map((file) =>
      findingIn(file, ['permissions'], 'key', {
        message: 'The managed settings allow only managed rules: none of these has an effect.',
        fix: 'Ask the administrator to add the rules you need, and remove these.',
      }),
    )
}

function shadowedAllow(rule: RuleEntry, by: RuleEntry | undefined, setup: ClaudeSetup): FindingDetails[] {
  if (by === undefined) return []
  const { text } = rule
  const where = `\`${by.text}\` (${placeText(by, setup)})`
  const message =
    by.list === 'deny'
      ? `\`${text}\` allows nothing: ${where} denies all of it, and deny overrides allow.`
      : `\`${text}\` avoids no prompt: ${where} asks about all of it, and ask overrides allow.`
  return [findingAt(rule, { message, fix: 'Remove one of them.' })]
}
