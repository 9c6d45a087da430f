/**
 * User rules in gitleaks' format, in addition to built-in ones. Rules always apply. Allowlists and disabled or changed
 * default rules apply only if the user allows the file to unmask; a `gitleaks:allow` comment never does, because anyone
 * who writes a text can add it.
 */

import { CommonError } from '@contextd/shared/errors/common-error'
import { allowancesIn, type FindAllowance } from './allowance.ts'
import { applyRules, prepareRules, type PreparedRules } from './apply-rules.ts'
import type { Allowlist, ConfigProblem, GitleaksConfig, GitleaksRule } from './gitleaks-config.ts'
import type { CheckTime } from './re2.ts'
import { readGitleaksConfig } from './read-config.ts'
import type { Unmask } from '../find/find-secrets.ts'
import { shannonEntropy } from '../text/randomness.ts'
import { builtinSecretRules, type ListedSecretRule } from '../find/rule-list.ts'
import { mergeSpans, type SecretSpan } from '../text/span.ts'

/**
 * A file with rules in gitleaks' format.
 *
 * @example
 * import type { RulesFile } from '@contextd/scrub/gitleaks'
 *
 * const file: RulesFile = {
 *   file: 'gitleaks.toml',
 *   text: '[[rules]]\nid = "acme"\nregex = "acme_[a-z0-9]{12}"\n',
 *   mayUnmask: false,
 *   load: (path) => {
 *     throw new Error(`${path} is not read`)
 *   },
 * }
 */
export interface RulesFile {
  readonly file: string
  readonly text: string
  /** Whether allowlists and disabled rules of the file apply to the built-in rules. */
  readonly mayUnmask: boolean
  /** The text of a file named under `extend.path` of the file `from`; what it throws becomes a problem. */
  readonly load: (path: string, from: string) => string
}

/**
 * Rules read from files, ready to be used by a scrubber.
 *
 * @example
 * import { createScrubber } from '@contextd/scrub'
 * import type { UserRules } from '@contextd/scrub/gitleaks'
 *
 * const scrubberWith = ({ find, unmask }: UserRules) =>
 *   createScrubber({ ownRules: find, ...(unmask !== undefined && { unmask }) })
 */
export interface UserRules {
  readonly find: (text: string, checkTime?: CheckTime) => readonly SecretSpan[]
  /** Missing if no file may unmask anything. */
  readonly unmask?: Unmask
  readonly list: readonly UserRule[]
  /** Default rules that are disabled or replaced. */
  readonly disabled: ReadonlySet<string>
  /** In the form `file:line: message`. */
  readonly warnings: readonly string[]
}

/**
 * A rule of the user, with its location.
 *
 * @example
 * import type { UserRule } from '@contextd/scrub/gitleaks'
 *
 * const where = ({ id, file, line }: UserRule) => `${id} (${file}:${line})`
 */
export interface UserRule extends ListedSecretRule {
  readonly file: string
  readonly line: number
}

/**
 * Reads rules in gitleaks' format. Throws `CONFIG_INVALID` with every problem of the first file
 * that has one: no rule is left out silently.
 *
 * @example
 * import { readFileSync } from 'node:fs'
 * import { createScrubber } from '@contextd/scrub'
 * import { readUserRules } from '@contextd/scrub/gitleaks'
 *
 * const file = 'acme.toml'
 * const load = (path: string) => readFileSync(path, 'utf8')
 * const rules = readUserRules([{ file, text: load(file), mayUnmask: false, load }])
 * const scrubber = createScrubber({ ownRules: rules.find })
 * console.log(scrubber.scrub('id acme_0123456789ab', { session: 'a' }).text)
 * // → id [SECRET_1]
 */
export function readUserRules(files: readonly RulesFile[]): UserRules {
  const warnings: string[] = []
  const configs = files.map((file) => {
    const { config, problems, warnings: fileWarnings } = readGitleaksConfig(file, contextOf(file))
    if (config === undefined) throw invalidRules(file.file, problems)
    warnings.push(...fileWarnings.map(problemText))
    return { config, mayUnmask: file.mayUnmask }
  })
  const finders = configs.map(({ config, mayUnmask }) => finderOf(config, mayUnmask))
  const unmasking = configs.filter(({ mayUnmask }) => mayUnmask).map(({ config }) => unmaskOf(config))
  return {
    find: (text, checkTime) => finders.flatMap((find) => find(text, checkTime)),
    ...(unmasking.length > 0 && {
      unmask: (text, found, checkTime) =>
        unmasking.reduce((left, unmask) => unmask(text, left, checkTime), found),
    }),
    list: configs.flatMap(({ config }) => rulesOf(config).map(listed)),
    disabled: new Set(
      configs.flatMap(({ config, mayUnmask }) => (mayUnmask ? replacedDefaults(config) : [])),
    ),
    warnings,
  }
}

function contextOf({ load }: RulesFile): Parameters<typeof readGitleaksConfig>[1] {
  return { load, defaultIds: new Set(builtinSecretRules().map(({ id }) => id)) }
}

function listed({ id, description, keywords, source }: GitleaksRule): UserRule {
  return { id, description, keywords, ...source }
}

function problemText({ file, line, message }: ConfigProblem): string {
  return `${file}:${line}: ${message}`
}

/** A file that is invalid throughout must not produce an endless message. */
const maxProblems = 20

function invalidRules(file: string, problems: readonly ConfigProblem[]): CommonError {
  return new CommonError('CONFIG_INVALID', {
    problem: problems.slice(0, maxProblems).map(problemText).join('\n'),
    file,
    line: problems[0]?.line,
    hint: 'Correct the file at the reported line; docs/reference/gitleaks.md lists every key.',
  })
}

/** The rules that search text, including default rules whose pattern the file changes. */
function rulesOf({ rules, overrides }: GitleaksConfig): GitleaksRule[] {
  return [...rules, ...overrides].filter(({ regex }) => regex !== undefined)
}

/** Default rules that the file disables, or whose pattern it replaces. */
function replacedDefaults({ disabledRules, overrides }: GitleaksConfig): string[] {
  const replaced = overrides.filter(({ regex }) => regex !== undefined).map(({ id }) => id)
  return [...disabledRules, ...replaced]
}

type Find = (text: string, checkTime?: CheckTime) => SecretSpan[]

function finderOf(config: GitleaksConfig, mayUnmask: boolean): Find {
  const prepared: PreparedRules = prepareRules(rulesOf(config))
  return (text, checkTime) => {
    const found = applyRules(text, prepared, checkTime && { checkTime })
    if (!mayUnmask || found.length === 0) return found.map(spanOf)
    const allowance = allowances(text, config.allowlists, checkTime)
    return found
      .filter((finding) => !isAllowed(allowance(finding, prepared.byId.get(finding.rule)?.allowlists)))
      .map(spanOf)
  }
}

function spanOf({ rule, start, end }: SecretSpan): SecretSpan {
  return { rule, start, end }
}

/**
 * Removes findings of default rules that the file suppresses. Findings are merged first: what two rules found is one
 * finding, of the more specific rule. A file that does not extend the default rules does not affect them.
 */
function unmaskOf(config: GitleaksConfig): Unmask {
  if (!config.usesDefault) return (_, found) => found
  const replaced = new Set(replacedDefaults(config))
  const changes = new Map(config.overrides.map((rule) => [rule.id, rule]))
  return (text, found, checkTime) => {
    if (found.length === 0) return found
    const allowance = allowances(text, config.allowlists, checkTime)
    return mergeSpans(found).filter(({ rule, start, end }) => {
      if (replaced.has(rule)) return false
      const change = changes.get(rule)
      if (change && change.entropy > 0 && shannonEntropy(text.slice(start, end)) <= change.entropy)
        return false
      const place = { rule, start, end, matchStart: start, matchEnd: end, startLine: 0 }
      return !isAllowed(allowance(place, change?.allowlists))
    })
  }
}

function allowances(
  text: string,
  allowlists: readonly Allowlist[],
  checkTime: CheckTime | undefined,
): FindAllowance {
  return allowancesIn({ text, allowlists, ...(checkTime && { checkTime }) })
}

function isAllowed(allowance: ReturnType<FindAllowance>): boolean {
  return allowance?.by === 'allowlist'
}
