/** Rules that another one takes the effect from: the last one that fits decides. */

import { isJsonObject, type Json } from '@contextd/shared/json/value'
import type { JsonPath } from '@contextd/shared/json/json-source'
import { placeOf, type FindingDetails, type LintRule, type Repair } from '../../findings/finding.ts'
import {
  actions,
  decidingRule,
  rulesetsOf,
  type Layers,
  type Merged,
  type OpenCodeRule,
  type RuleStatement,
} from '../ruleset.ts'
import type { OpenCodeSetup } from '../setup.ts'
import { covers, hasWildcard } from '../wildcard.ts'
import { quote, subject } from './wording.ts'

interface Shadowed {
  readonly statement: RuleStatement
  readonly by: RuleStatement
}

const shadowed: LintRule<OpenCodeSetup> = {
  id: 'opencode-shadowed-rule',
  severity: 'error',
  title: 'a rule overridden by a later, wider one in the same file',
  why: `OpenCode applies the last rule that matches, however specific it is. \`{"bash": "deny", "*": "allow"}\` allows \`bash\`. Wide rules come first, exceptions after them: \`{"*": "allow", "bash": "deny"}\`; the same holds for the patterns below a tool. \`tools\`, the older key, counts as if it stood before \`permission\`, wherever it stands.`,
  *check(setup) {
    for (const merged of lists(setup)) {
      for (const { statement, by } of shadowedIn(merged.statements)) {
        if (statement.file !== by.file) continue
        const isLooser = strictness(by) < strictness(statement)
        const repairs = isLooser ? moving(statement, by, merged.statements) : undefined
        yield {
          ...placeOf(statement),
          ...(!isLooser && { severity: 'warning' }),
          message: `This has no effect: ${quote(String(by.path.at(-1)), setup)} in line ${by.line} comes later, matches too and says ${by.action}.`,
          fix: 'Put the wider rule first and the exception after it.',
          ...(repairs && { repairs }),
        }
      }
    }
  },
}

const overridden: LintRule<OpenCodeSetup> = {
  id: 'opencode-overridden-rule',
  severity: 'error',
  title: 'a rule overridden by another file, so that something is open',
  why: `OpenCode puts all its files over each other, the user's first, then the project's, then the administrator's. Three effects are visible in none of the files. What a stronger file says of a tool replaces what a weaker one says: \`"bash": "deny"\` of the user and \`"bash": {"git *": "allow"}\` of the project together leave \`bash\` open for everything. A rule keeps its place in the order: \`"*": "allow"\` of the project comes after \`"bash": "deny"\` of the user, and decides. And so even what the administrator denies can be opened by a project that names the same tool before its own \`"*"\`. A rule survives where it is written as patterns that end with what should be denied, and no stronger file has a wider one.`,
  *check(setup) {
    for (const merged of lists(setup)) {
      for (const { statement, by } of shadowedIn(merged.statements)) {
        if (statement.file === by.file || strictness(by) >= strictness(statement)) continue
        yield lost(statement, by, by, setup)
      }
      for (const { statement, by } of merged.replaced) {
        const outcome = decidingRule(merged.rules, statement.tool, statement.pattern)
        const [first] = by
        if (first === undefined || outcome === undefined) continue
        if (strictness(outcome) >= strictness(statement)) continue
        yield lost(statement, first, outcome, setup)
      }
    }
  },
}

function lost(
  statement: RuleStatement,
  by: RuleStatement,
  outcome: OpenCodeRule,
  setup: OpenCodeSetup,
): FindingDetails {
  const where = statement.file === by.file ? `line ${by.line}` : `${by.file}:${by.line}`
  return {
    ...placeOf(statement),
    ...(statement.action === 'ask' && { severity: 'warning' }),
    message: `This has no effect: what ${where} says of ${subject(by, setup)} overrides it, and the result is ${outcome.action}.`,
    fix:
      statement.file === by.file
        ? 'Set it once, in `permission`.'
        : `Change or remove the rule in ${by.file}, or deny it there.`,
  }
}

/** What is said to all agents, and to each; `rules` is everything that counts with it. */
function* lists(setup: OpenCodeSetup): Generator<Merged & { readonly rules: Layers }> {
  const { shared, agents, main } = rulesetsOf(setup)
  yield { ...shared, rules: main.rules }
  for (const agent of agents.values()) if (agent.isWritten) yield agent
}

/** More wide rules than anybody writes: those before the last so many are not looked at. */
const maxBroadRules = 200

function* shadowedIn(statements: readonly RuleStatement[]): Generator<Shadowed> {
  const wide = statements
    .map((statement, index) => ({ statement, index }))
    .filter(({ statement: { tool, pattern } }) => hasWildcard(tool) || hasWildcard(pattern))
    .slice(-maxBroadRules)
  for (const [index, statement] of statements.entries()) {
    const last = wide.findLast(
      (other) =>
        other.index > index &&
        covers(other.statement.tool, statement.tool) &&
        covers(other.statement.pattern, statement.pattern),
    )
    if (last !== undefined && last.statement.action !== statement.action) {
      yield { statement, by: last.statement }
    }
  }
}

function strictness({ action }: OpenCodeRule): number {
  return actions.indexOf(action)
}

/** The stricter rule goes behind the wider one, where that closes nothing else. */
function moving(
  statement: RuleStatement,
  by: RuleStatement,
  statements: readonly RuleStatement[],
): readonly Repair[] | undefined {
  const parent = statement.path.slice(0, -1)
  const from = statement.path.at(-1)
  const behind = by.path.at(-1)
  const isNeighbour = JSON.stringify(parent) === JSON.stringify(by.path.slice(0, -1))
  if (!/\.jsonc?$/.test(statement.file) || !isNeighbour || from === undefined || behind === undefined)
    return undefined
  const between = statements.slice(statements.indexOf(statement) + 1, statements.indexOf(by))
  const isInTheWay = between.some(
    (other) =>
      other.action !== statement.action &&
      covers(statement.tool, other.tool) &&
      covers(statement.pattern, other.pattern),
  )
  if (isInTheWay) return undefined
  return [
    {
      kind: 'json',
      file: statement.file,
      change: (document) => moveKey(document, parent, String(from), String(behind)),
    },
  ]
}

function moveKey(document: Json, [step, ...rest]: JsonPath, key: string, behind: string): Json {
  if (!isJsonObject(document)) return document
  if (step !== undefined) {
    const name = String(step)
    return Object.fromEntries(
      Object.entries(document).map(([one, value]) => [
        one,
        one === name ? moveKey(value, rest, key, behind) : value,
      ]),
    )
  }
  const moved = document[key]
  if (moved === undefined) return document
  return Object.fromEntries(
    Object.entries(document).flatMap(([one, value]): [string, Json][] => {
      if (one === key) return []
      return one === behind
        ? [
            [one, value],
            [key, moved],
          ]
        : [[one, value]]
    }),
  )
}

export const orderRules = [shadowed, overridden]
