/** What an agent can still access although it is denied. */

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
  title: 'what is denied is accessible with another tool',
  why: `Each tool has its own rule, and everything without a rule is allowed. With \`read\` denied, \`grep\` still shows the lines of any file and \`bash\` runs \`cat\`; with \`edit\` denied, \`bash\` can still write. Patterns are no better: \`"read": {"*.env": "deny"}\` does not apply to \`grep\` and \`bash\`. Deny the tools with the same effect too. With \`bash\`, \`read\` and \`edit\` denied, file names (\`glob\`), the network (\`webfetch\`, \`websearch\`), other agents (\`task\`) and skills (\`skill\`) are still open: that is a note, as it may be intended.`,
  *check(setup) {
    const { main, agents, shared } = rulesetsOf(setup)
    yield* sideDoors(main.rules, [...shared.statements, ...main.statements], setup)
    for (const agent of agents.values()) {
      if (agent !== main) yield* sideDoors(agent.rules, agent.statements, setup)
    }
  },
}

/** Other tools with the effect of the first. */
const alternatives: ReadonlyMap<string, readonly [tool: string, how: string][]> = new Map([
  [
    'read',
    [
      ['grep', '`grep` shows the lines of files'],
      ['bash', '`bash` can read files'],
    ],
  ],
  ['edit', [['bash', '`bash` can write files']]],
])

/** Worth reporting if everything that runs, reads and writes is denied. */
const otherTools = ['glob', 'webfetch', 'websearch', 'task', 'skill']

/** `statements`: those to report on. */
function* sideDoors(
  rules: Layers,
  statements: readonly RuleStatement[],
  setup: OpenCodeSetup,
): Generator<FindingDetails> {
  const isOpen = (tool: string): boolean => decideAny(rules, tool)?.action === 'allow'
  const reported = new Set<OpenCodeRule>()
  for (const [tool, doors] of alternatives) {
    const denied = statements.filter((statement) => isDenied(statement, tool, rules))
    const open = denied.length === 0 ? [] : doors.filter(([door]) => isOpen(door))
    if (open.length === 0) continue
    for (const statement of denied) {
      reported.add(statement)
      yield {
        ...placeOf(statement),
        message: `${subject(statement, setup)} is denied, but ${listed(open.map(([, how]) => how))}, so what is denied here is still accessible.`,
        fix: `Deny ${listed(open.map(([door]) => `\`${door}\``))} as well, or set it to ask.`,
      }
    }
  }
  const core = ['bash', 'read', 'edit'].map((tool) => decideAny(rules, tool))
  if (!core.every((rule) => rule?.action === 'deny')) return
  const last = statements.findLast((statement) => core.includes(statement))
  const open = otherTools.filter(isOpen)
  if (last === undefined || open.length === 0 || reported.has(last)) return
  yield {
    ...placeOf(last),
    severity: 'note',
    message: `\`bash\`, \`read\` and \`edit\` are denied; ${listed(open.map((tool) => `\`${tool}\``))} can still be used without asking.`,
    fix: 'Deny those too unless they should be open; `"*": "deny"` as the first rule denies everything that is not named after it.',
  }
}

/**
 * Whether it denies this tool by name, for all calls or for some, and decides. Rules that deny everything also deny the
 * alternatives; if these are opened again, that is intended.
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
  why: `OpenCode has built-in rules: it asks before it reads \`.env\` files and before it touches anything outside the project, and the agent \`plan\` may not edit. User rules come after these and override them. \`"permission": "allow"\`, \`"*": "allow"\`, \`"read": "allow"\` and \`"edit": "allow"\` look harmless, as nearly everything is allowed anyway; but they override exactly these guards: \`.env\` files are read, folders outside are open, and plan mode edits. Remove such a rule, or repeat the guard after it.`,
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
        message: `${subject(statement, setup)} is allowed, and therefore ${listed(what)}.`,
        fix: 'Remove this rule (tools without a rule are allowed anyway), or repeat the guards after it.',
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
