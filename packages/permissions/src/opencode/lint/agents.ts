/** Agents that may do other things than it looks. */

import type { FindingDetails, LintRule } from '../../findings/finding.ts'
import {
  decideAny,
  isStatement,
  rulesetsOf,
  type OpenCodeAgentRules,
  type RuleStatement,
} from '../ruleset.ts'
import { agentsOf, type OpenCodeSetup } from '../setup.ts'
import { knownTools } from '../tools.ts'
import { isAny } from '../wildcard.ts'
import { sourcePlace } from '../written.ts'
import { listed, quote } from './wording.ts'

const regains: LintRule<OpenCodeSetup> = {
  id: 'opencode-agent-regains',
  severity: 'note',
  title: 'an agent may use tools that the main conversation may not',
  why: `What an agent says in its own \`permission\` comes after the rules for all, and overrides them. So an agent can have a tool that the conversation that starts it lacks. That is how a tool is kept for one agent, and may be meant so; but the main conversation can start that agent and let it do what itself cannot. \`"task": {"name": "deny"}\` keeps it from doing so.`,
  *check(setup) {
    const { main, agents } = rulesetsOf(setup)
    const written = main.rules.flat().map(({ tool }) => tool)
    // Of servers often only the pattern for all their tools is known.
    const names = [...new Set([...knownTools, ...written])]
      .filter((tool) => !isAny(tool) && decideAny(main.rules, tool)?.action === 'deny')
      .slice(0, maxNames)
    if (names.length === 0) return
    for (const agent of agents.values()) {
      if (agent === main || !agent.isWritten) continue
      const found = regained(agent, names, setup)
      if (found !== undefined) yield found
    }
  },
}

/** More than a message can hold. */
const maxNames = 50

function regained(
  { name, statements }: OpenCodeAgentRules,
  names: readonly string[],
  setup: OpenCodeSetup,
): FindingDetails | undefined {
  const opening = (tool: string): RuleStatement | undefined => {
    const rule = decideAny([statements], tool)
    return rule !== undefined && rule.action !== 'deny' && isStatement(rule) ? rule : undefined
  }
  const open = names.filter((tool) => opening(tool) !== undefined)
  const first = open[0] === undefined ? undefined : opening(open[0])
  if (first === undefined) return undefined
  const { file, line, column } = first
  const agent = quote(name, setup)
  return {
    file,
    line,
    column,
    message: `The agent ${agent} may use ${listed(open.map((tool) => quote(tool, setup)))}, which the main conversation may not.`,
    fix: `Nothing, if intended. Otherwise remove this rule, or deny the main conversation ${agent} below \`task\`.`,
  }
}

const claudeFrontmatter: LintRule<OpenCodeSetup> = {
  id: 'opencode-claude-frontmatter',
  severity: 'error',
  title: 'an agent restricted as in Claude Code: OpenCode rejects or ignores it',
  why: `A list of \`tools\`, as Claude Code has it, makes OpenCode call the configuration invalid and refuse to start. \`disallowedTools\`, \`permissionMode\`, \`mcpServers\` and \`hooks\` it treats as model options: nothing is restricted. In OpenCode an agent is restricted by \`permission\`, with a word for each tool.`,
  *check(setup) {
    for (const agent of agentsOf(setup)) {
      const { frontmatter } = agent
      if (typeof frontmatter.tools === 'string' || Array.isArray(frontmatter.tools)) {
        yield {
          ...sourcePlace(agent, ['tools']),
          message: agent.isMode
            ? 'OpenCode wants true or false for each tool here, and leaves this agent out.'
            : 'OpenCode wants true or false for each tool here, and refuses to start.',
          fix: 'Write `permission`, with `"*": deny` first and `allow` for each tool of this list after it.',
          ...(!agent.isMode && { stopsClient: true }),
        }
      }
      for (const [key, what] of ignoredKeys) {
        if (frontmatter[key] === undefined) continue
        yield {
          ...sourcePlace(agent, [key]),
          ...(!what.isOpen && { severity: 'warning' }),
          message: `OpenCode ignores \`${key}\`: ${what.today}.`,
          fix: what.fix,
        }
      }
    }
  },
}

const inPermission = 'Write `permission`, with `deny` for each tool that this agent must not use.'

const ignoredKeys: ReadonlyMap<string, { isOpen: boolean; today: string; fix: string }> = new Map([
  [
    'disallowedTools',
    { isOpen: true, today: 'the tools it names are open to this agent', fix: inPermission },
  ],
  ['allowed-tools', { isOpen: true, today: 'all other tools are open to this agent', fix: inPermission }],
  ['permissionMode', { isOpen: true, today: 'the agent runs with the rules for all', fix: inPermission }],
  [
    'mcpServers',
    {
      isOpen: false,
      today: 'these servers are not started',
      fix: 'Configure them below `mcp`, and deny their tools (`"<server>_*": "deny"`) to the others.',
    },
  ],
  [
    'hooks',
    { isOpen: true, today: 'nothing is run before a tool', fix: 'Write a plugin, or a `permission`.' },
  ],
])

export const agentRules = [regains, claudeFrontmatter]
