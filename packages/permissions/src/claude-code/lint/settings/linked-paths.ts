/** Denied paths that are links, whose target has another path. */

import { join, relative } from 'node:path'

import { placeOf, type FindingDetails, type LintRule } from '../../../findings/finding.ts'
import { matchesAnyName } from '../../explain/in-force/file-rules.ts'
import { rulesInForce, type RuleInForce } from '../../explain/in-force/rules-in-force.ts'
import { splitAtWildcard } from '../../rules/path-rule.ts'
import type { ClaudeSetup } from '../../setup/setup.ts'
import { replaceRule } from '../places/written-rules.ts'

export const linkedPathRules: readonly LintRule<ClaudeSetup>[] = [
  {
    id: 'deny-misses-link-target',
    severity: 'error',
    title: 'A denied link whose target is open',
    why: 'A deny rule applies to every path that resolves to the denied file: if `real` is denied, so is a link to it. The reverse depends on how the rule is written. A rule that starts at a fixed place (`/link`, `//srv/link`, `~/link`) is resolved and applies to the target too. `./link` and `link` match only the name: access by the path of the target is not blocked, and in the project it does not even prompt.\n\nOnly links that a rule names are checked, not those deeper in a denied folder. `--fix` adds the form that is resolved.',
    check: openTargets,
  },
]

function openTargets(setup: ClaudeSetup): FindingDetails[] {
  const denied = rulesInForce(setup, { cliAllow: [], cliDeny: [] }).filter(
    ({ entry, rule, ignored }) =>
      entry.list === 'deny' && ignored === undefined && /^(?:Read|Edit)$/.test(rule.tool),
  )
  return denied.flatMap((rule) => openTarget(rule, denied, setup))
}

function openTarget(
  { entry, rule }: RuleInForce,
  denied: readonly RuleInForce[],
  setup: ClaudeSetup,
): FindingDetails[] {
  const { tool, content } = rule
  if (content === undefined || /^(?:~?\/|!)/.test(content)) return []
  const { plain, rest } = splitAtWildcard(content.replace(/^\.\//, ''))
  const link = join(setup.project, ...plain)
  const { all, isThere } = setup.namesOf(link)
  const target = all.at(-1)!
  if (!isThere || target === link) return []
  const sample = rest.map((name) => name.replaceAll(/\*+/g, 'any'))
  const names = [target, join(target, 'any'), join(target, ...sample)]
  const isDenied = denied.some(
    (other) =>
      other.rule.tool === tool && (other.rule.content === undefined || matchesAnyName(other, names, setup)),
  )
  if (isDenied) return []
  // In user settings, paths with one slash are relative to another folder.
  const start = entry.level === 'user' ? [`/${target}`] : ['', ...plain]
  const meant = `${tool}(${[...start, ...rest].join('/')})`
  return [
    {
      ...placeOf(entry),
      message: `\`${entry.text}\` denies only the name of a link: its target is not denied under its own path, \`${relative(setup.project, target)}\`.`,
      fix: `Write \`${meant}\` too, which also matches the target.`,
      repairs: [replaceRule(entry, [entry.text, meant])],
    },
  ]
}
