/** What OpenCode itself says, before and after everything that a user writes. */

import type { Action, OpenCodeRule } from './ruleset.ts'

const rule = (tool: string, action: Action, pattern = '*'): OpenCodeRule => ({ tool, pattern, action })

/** What the client begins with, for every agent. `folders` are its own, which it may touch without asking. */
export function firstRules(folders: readonly string[]): readonly OpenCodeRule[] {
  return [
    rule('*', 'allow'),
    rule('doom_loop', 'ask'),
    rule('external_directory', 'ask'),
    ...folders.map((folder) => rule('external_directory', 'allow', `${folder}/*`)),
    rule('question', 'deny'),
    rule('plan_enter', 'deny'),
    rule('plan_exit', 'deny'),
    rule('read', 'allow'),
    rule('read', 'ask', '*.env'),
    rule('read', 'ask', '*.env.*'),
    rule('read', 'allow', '*.env.example'),
  ]
}

/** How an agent is used: it begins conversations, others start it, or both. */
export const agentModes = ['primary', 'subagent', 'all'] as const
export type AgentMode = (typeof agentModes)[number]

interface BuiltinAgent {
  readonly mode: AgentMode
  readonly rules: readonly OpenCodeRule[]
}

/** The client's own agents, with what it adds for each; what the user writes comes after it. */
export const openCodeAgents: ReadonlyMap<string, BuiltinAgent> = new Map([
  ['build', { mode: 'primary', rules: [rule('question', 'allow'), rule('plan_enter', 'allow')] }],
  [
    'plan',
    {
      mode: 'primary',
      rules: [
        rule('question', 'allow'),
        rule('plan_exit', 'allow'),
        rule('task', 'deny', 'general'),
        rule('edit', 'deny'),
        rule('edit', 'allow', '.opencode/plans/*.md'),
      ],
    },
  ],
  ['general', { mode: 'subagent', rules: [rule('todowrite', 'deny')] }],
  [
    'explore',
    {
      mode: 'subagent',
      rules: [
        rule('*', 'deny'),
        ...['grep', 'glob', 'list', 'bash', 'webfetch', 'websearch', 'read'].map((tool) =>
          rule(tool, 'allow'),
        ),
        rule('external_directory', 'ask'),
      ],
    },
  ],
])

/** Whatever a user says of folders outside, the client reads what it wrote down itself, unless that very folder is denied. */
export function lastRules(
  [written]: readonly string[],
  rules: readonly OpenCodeRule[],
): readonly OpenCodeRule[] {
  if (written === undefined) return []
  const own = rule('external_directory', 'allow', `${written}/*`)
  const isDenied = rules.some(
    ({ tool, pattern, action }) => tool === own.tool && pattern === own.pattern && action === 'deny',
  )
  return isDenied ? [] : [own]
}

/** What a conversation that another one started may not, unless something is said of these very tools. */
export function subagentRules(
  rules: readonly OpenCodeRule[],
  primaryTools: readonly string[],
): readonly OpenCodeRule[] {
  const closed = ['todowrite', 'task'].filter((tool) => !rules.some((one) => one.tool === tool))
  return [...closed, ...primaryTools].map((tool) => rule(tool, 'deny'))
}
