/** What an agent still reaches when something was denied. */

import { placeOf, type FindingDetails, type LintRule } from '../../findings/finding.ts'
import {
  decidingRule,
  decideAny,
  isStatement,
  rulesetsOf,
  type Layers,
  type OpenCodeRule,
  type RuleStatement,
} from '../ruleset.ts'
import type { OpenCodeSetup } from '../setup.ts'
import { isAny } from '../wildcard.ts'
import { listed, subject } from './wording.ts'

const stillReachable: LintRule<OpenCodeSetup> = {
  id: 'opencode-still-reachable',
  severity: 'error',
  title: 'what is denied can be reached with another tool',
  why: `Each tool has its own rule, and everything without a rule is allowed. With \`read\` denied, \`grep\` still shows the lines of any file and \`bash\` runs \`cat\`; with \`edit\` denied, \`bash\` still writes. Patterns are no better: \`"read": {"*.env": "deny"}\` says nothing to \`grep\` and \`bash\`. Deny what leads to the same place too. After \`bash\`, \`read\` and \`edit\` are denied, names of files (\`glob\`), the network (\`webfetch\`, \`websearch\`), other agents (\`task\`) and skills (\`skill\`) are still open: that is a note, as it may be meant so.`,
  *check(setup) {
    const { main, agents, shared } = rulesetsOf(setup)
    yield* sideDoors(main.rules, [...shared.statements, ...main.statements], setup)
    for (const agent of agents.values()) {
      if (agent !== main) yield* sideDoors(agent.rules, agent.statements, setup)
    }
  },
}

/** Tools that lead to what the first is for. */
const sameEnd: ReadonlyMap<string, readonly [tool: string, how: string][]> = new Map([
  [
    'read',
    [
      ['grep', '`grep` shows the lines of files'],
      ['bash', '`bash` can read files'],
    ],
  ],
  ['edit', [['bash', '`bash` can write files']]],
])

/** Worth naming where somebody closed everything that runs, reads and writes. */
const others = ['glob', 'webfetch', 'websearch', 'task', 'skill']

/** `statements`: those of which something is said here. */
function* sideDoors(
  rules: Layers,
  statements: readonly RuleStatement[],
  setup: OpenCodeSetup,
): Generator<FindingDetails> {
  const isOpen = (tool: string): boolean => decideAny(rules, tool)?.action === 'allow'
  const said = new Set<OpenCodeRule>()
  for (const [tool, doors] of sameEnd) {
    const denied = statements.filter((statement) => isDenied(statement, tool, rules))
    const open = denied.length === 0 ? [] : doors.filter(([door]) => isOpen(door))
    if (open.length === 0) continue
    for (const statement of denied) {
      said.add(statement)
      yield {
        ...placeOf(statement),
        message: `${subject(statement, setup)} is denied, but ${listed(open.map(([, how]) => how))}: what is closed here is open there.`,
        fix: `Deny ${listed(open.map(([door]) => `\`${door}\``))} as well, or let it ask.`,
      }
    }
  }
  const core = ['bash', 'read', 'edit'].map((tool) => decideAny(rules, tool))
  if (!core.every((rule) => rule?.action === 'deny')) return
  const last = statements.findLast((statement) => core.includes(statement))
  const open = others.filter(isOpen)
  if (last === undefined || open.length === 0 || said.has(last)) return
  yield {
    ...placeOf(last),
    severity: 'note',
    message: `\`bash\`, \`read\` and \`edit\` are denied; ${listed(open.map((tool) => `\`${tool}\``))} can still be used without being asked.`,
    fix: 'Deny those too where they are not meant to be open; `"*": "deny"` as the first rule closes all that is not named after it.',
  }
}

/**
 * Whether it denies this tool by name, for all calls or for some, and decides. What closes everything closes the side
 * doors too; where they are opened again, that was meant.
 */
function isDenied(statement: RuleStatement, tool: string, rules: Layers): boolean {
  if (statement.action !== 'deny' || statement.tool !== tool) return false
  const { pattern } = statement
  return (isAny(pattern) ? decideAny(rules, tool) : decidingRule(rules, tool, pattern)) === statement
}

const undoneDefault: LintRule<OpenCodeSetup> = {
  id: 'opencode-undone-default',
  severity: 'warning',
  title: 'a wide `allow` that also opens what OpenCode protects by default',
  why: `OpenCode has built-in rules: it asks before it reads \`.env\` files and before it touches anything outside the project, and the agent \`plan\` may not edit. User rules come after these and override them. \`"permission": "allow"\`, \`"*": "allow"\`, \`"read": "allow"\` and \`"edit": "allow"\` look harmless, as nearly everything is allowed anyway; what they change is just that: \`.env\` files are read, folders outside are open, and plan mode edits. Leave such a rule out, or write the guard again after it.`,
  *check(setup) {
    const { agents, main } = rulesetsOf(setup)
    const opened = new Map<RuleStatement, string[]>()
    for (const { agent, tool, argument, what } of guards) {
      const rules = (agent === undefined ? main : agents.get(agent))?.rules ?? []
      const rule = decidingRule(rules, tool, argument)
      if (rule === undefined || !isStatement(rule) || rule.action !== 'allow') continue
      if (isAny(rule.pattern)) opened.set(rule, [...(opened.get(rule) ?? []), what])
    }
    for (const [statement, what] of opened) {
      yield {
        ...placeOf(statement),
        message: `${subject(statement, setup)} is allowed, and so ${listed(what)}.`,
        fix: 'Remove this rule (what is not named is allowed anyway), or write the guards again after it.',
      }
    }
  },
}

const guards = [
  { tool: 'read', argument: '.env', what: '`.env` files are read without asking' },
  {
    tool: 'external_directory',
    argument: '/somewhere/else/*',
    what: 'folders outside the project are open without asking',
  },
  { agent: 'plan', tool: 'edit', argument: 'some/file', what: 'the agent `plan` can edit files' },
]

export const reachRules = [stillReachable, undoneDefault]
