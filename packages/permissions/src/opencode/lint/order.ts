/** Rules overridden by others: the last matching rule decides. */

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
  why: `OpenCode applies the last rule that matches, however specific it is. \`{"bash": "deny", "*": "allow"}\` allows \`bash\`. Wide rules come first, exceptions after them: \`{"*": "allow", "bash": "deny"}\`; the same applies to the patterns below a tool. The older key \`tools\` is always applied before \`permission\`, regardless of its position.`,
  *check(setup) {
    for (const merged of mergedStatements(setup)) {
      for (const { statement, by } of shadowedIn(merged.statements)) {
        if (statement.file !== by.file) continue
        const isLooser = strictness(by) < strictness(statement)
        const repairs = isLooser ? moving(statement, by, merged.statements) : undefined
        yield {
          ...placeOf(statement),
          ...(!isLooser && { severity: 'warning' }),
          message: `This has no effect: ${quote(String(by.path.at(-1)), setup)} in line ${by.line} comes later, matches too and sets ${by.action}.`,
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
  why: `OpenCode merges all its files, first the user's, then the project's, then the administrator's. Three effects are visible in none of the files. A later file replaces what earlier ones set for a tool: \`"bash": "deny"\` of the user and \`"bash": {"git *": "allow"}\` of the project together leave \`bash\` open for everything. A rule keeps its position: \`"*": "allow"\` of the project comes after \`"bash": "deny"\` of the user, and decides. Therefore a project can open even what the administrator denies, if it names the same tool before its own \`"*"\`. A rule remains effective if it is written as patterns, with what should be denied last, and no later file has a wider one.`,
  *check(setup) {
    for (const merged of mergedStatements(setup)) {
      for (const { statement, by } of shadowedIn(merged.statements)) {
        if (statement.file === by.file || strictness(by) >= strictness(statement)) continue
        yield overriddenFinding(statement, by, by, setup)
      }
      for (const { statement, by } of merged.replaced) {
        const outcome = decidingRule(merged.rules, statement.tool, statement.pattern)
        const [first] = by
        if (first === undefined || outcome === undefined) continue
        if (strictness(outcome) >= strictness(statement)) continue
        yield overriddenFinding(statement, first, outcome, setup)
      }
    }
  },
}

function overriddenFinding(
  statement: RuleStatement,
  by: RuleStatement,
  outcome: OpenCodeRule,
  setup: OpenCodeSetup,
): FindingDetails {
  const where = statement.file === by.file ? `line ${by.line}` : `${by.file}:${by.line}`
  return {
    ...placeOf(statement),
    ...(statement.action === 'ask' && { severity: 'warning' }),
    message: `This has no effect: ${where} overrides it for ${subject(by, setup)}, and the result is ${outcome.action}.`,
    fix:
      statement.file === by.file
        ? 'Set it once, in `permission`.'
        : `Change or remove the rule in ${by.file}, or deny it there.`,
  }
}

/** Statements for all agents, and for each agent; `rules` are all rules that apply together with them. */
function* mergedStatements(setup: OpenCodeSetup): Generator<Merged & { readonly rules: Layers }> {
  const { shared, agents, main } = rulesetsOf(setup)
  yield { ...shared, rules: main.rules }
  for (const agent of agents.values()) if (agent.isWritten) yield agent
}

/** No real setup has more wide rules; only the last ones are checked. */
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

/** Moves the stricter rule after the wider one, if that does not override other rules. */
function moving(
  statement: RuleStatement,
  by: RuleStatement,
  statements: readonly RuleStatement[],
): readonly Repair[] | undefined {
  const parent = statement.path.slice(0, -1)
  const from = statement.path.at(-1)
  const anchor = by.path.at(-1)
  const isSibling = JSON.stringify(parent) === JSON.stringify(by.path.slice(0, -1))
  if (!/\.jsonc?$/.test(statement.file) || !isSibling || from === undefined || anchor === undefined)
    return undefined
  const between = statements.slice(statements.indexOf(statement) + 1, statements.indexOf(by))
  const isBlocked = between.some(
    (other) =>
      other.action !== statement.action &&
      covers(statement.tool, other.tool) &&
      covers(statement.pattern, other.pattern),
  )
  if (isBlocked) return undefined
  return [
    {
      kind: 'json',
      file: statement.file,
      change: (document) => moveKey(document, parent, String(from), String(anchor)),
    },
  ]
}

function moveKey(document: Json, [step, ...rest]: JsonPath, key: string, anchor: string): Json {
  if (!isJsonObject(document)) return document
  if (step !== undefined) {
    const name = String(step)
    return Object.fromEntries(
      Object.entries(document).map(([one, value]) => [
        one,
        one === name ? moveKey(value, rest, key, anchor) : value,
      ]),
    )
  }
  const moved = document[key]
  if (moved === undefined) return document
  return Object.fromEntries(
    Object.entries(document).flatMap(([one, value]): [string, Json][] => {
      if (one === key) return []
      return one === anchor
        ? [
            [one, value],
            [key, moved],
          ]
        : [[one, value]]
    }),
  )
}

export const orderRules = [shadowed, overridden]
