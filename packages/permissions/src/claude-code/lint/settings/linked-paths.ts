/** Denied paths that are links: what they lead to has a path of its own. */

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
    why: 'A deny rule holds for every path that leads to what it names: where `real` is denied, so is a link to it. The other way round it depends on how the rule is written. One that begins at a fixed place (`/link`, `//srv/link`, `~/link`) is followed through links and means the target too. `./link` and `link` mean the name alone: whoever uses the path of the target is not stopped, and in the project not even asked.\n\nLooked at are links that a rule names, not those deeper in a denied folder. `--fix` puts the form that is followed beside the rule.',
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
  const some = rest.map((name) => name.replaceAll(/\*+/g, 'any'))
  const names = [target, join(target, 'any'), join(target, ...some)]
  const isClosed = denied.some(
    (other) =>
      other.rule.tool === tool && (other.rule.content === undefined || matchesAnyName(other, names, setup)),
  )
  if (isClosed) return []
  // In the settings of the user one slash begins elsewhere.
  const start = entry.level === 'user' ? [`/${target}`] : ['', ...plain]
  const meant = `${tool}(${[...start, ...rest].join('/')})`
  return [
    {
      ...placeOf(entry),
      message: `\`${entry.text}\` denies the name of a link: by its own path, \`${relative(setup.project, target)}\`, the target is not denied.`,
      fix: `Write \`${meant}\` too, which means the target as well.`,
      repairs: [replaceRule(entry, [entry.text, meant])],
    },
  ]
}
