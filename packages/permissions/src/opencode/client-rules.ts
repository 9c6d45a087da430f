/** OpenCode's built-in rules, before and after those of the user. */

import type { Action, OpenCodeRule } from './ruleset.ts'

const rule = (tool: string, action: Action, pattern = '*'): OpenCodeRule => ({ tool, pattern, action })

/** The client's first rules, for every agent. `folders` are its own, which it may access without asking. */
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

/** How an agent is used: as the main agent, as a subagent, or both. */
export const agentModes = ['primary', 'subagent', 'all'] as const
export type AgentMode = (typeof agentModes)[number]

interface BuiltinAgent {
  readonly mode: AgentMode
  readonly rules: readonly OpenCodeRule[]
}

/** The client's built-in agents with their rules; those of the user come after them. */
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

/** The client may always read its own output folder, unless exactly that folder is denied. */
export function lastRules(
  [outputFolder]: readonly string[],
  rules: readonly OpenCodeRule[],
): readonly OpenCodeRule[] {
  if (outputFolder === undefined) return []
  const own = rule('external_directory', 'allow', `${outputFolder}/*`)
  const isDenied = rules.some(
    ({ tool, pattern, action }) => tool === own.tool && pattern === own.pattern && action === 'deny',
  )
  return isDenied ? [] : [own]
}

/** What subagents may not do, unless a rule names exactly these tools. */
export function subagentRules(
  rules: readonly OpenCodeRule[],
  primaryTools: readonly string[],
): readonly OpenCodeRule[] {
  const denied = ['todowrite', 'task'].filter((tool) => !rules.some((one) => one.tool === tool))
  return [...denied, ...primaryTools].map((tool) => rule(tool, 'deny'))
}
