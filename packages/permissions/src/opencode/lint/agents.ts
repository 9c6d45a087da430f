/** Agents whose permissions differ from what their files suggest. */

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
  why: `The \`permission\` of an agent comes after the rules for all agents, and overrides them. So an agent can have a tool that the conversation that starts it lacks. This may be intended, to reserve a tool for one agent; but the main conversation can start that agent and let it do what it cannot do itself. \`"task": {"name": "deny"}\` prevents that.`,
  *check(setup) {
    const { main, agents } = rulesetsOf(setup)
    const written = main.rules.flat().map(({ tool }) => tool)
    // For servers, often only the pattern for all their tools is known.
    const names = [...new Set([...knownTools, ...written])]
      .filter((tool) => !isAny(tool) && decideAny(main.rules, tool)?.action === 'deny')
      .slice(0, maxNames)
    if (names.length === 0) return
    for (const agent of agents.values()) {
      if (agent === main || !agent.isWritten) continue
      const finding = regained(agent, names, setup)
      if (finding !== undefined) yield finding
    }
  },
}

/** More would not fit in a message. */
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
  why: `With a list of \`tools\`, the Claude Code format, OpenCode reports an invalid configuration and refuses to start. It treats \`disallowedTools\`, \`permissionMode\`, \`mcpServers\` and \`hooks\` as model options: they restrict nothing. In OpenCode, agents are restricted by \`permission\`, with an action for each tool.`,
  *check(setup) {
    for (const agent of agentsOf(setup)) {
      const { frontmatter } = agent
      if (typeof frontmatter.tools === 'string' || Array.isArray(frontmatter.tools)) {
        yield {
          ...sourcePlace(agent, ['tools']),
          message: agent.isMode
            ? 'OpenCode requires true or false for each tool here, and skips this agent.'
            : 'OpenCode requires true or false for each tool here, and refuses to start.',
          fix: 'Write `permission`, with `"*": deny` first and `allow` for each tool of this list after it.',
          ...(!agent.isMode && { stopsClient: true }),
        }
      }
      for (const [key, what] of ignoredKeys) {
        if (frontmatter[key] === undefined) continue
        yield {
          ...sourcePlace(agent, [key]),
          ...(!what.isOpen && { severity: 'warning' }),
          message: `OpenCode ignores \`${key}\`: ${what.consequence}.`,
          fix: what.fix,
        }
      }
    }
  },
}

const inPermission = 'Write `permission`, with `deny` for each tool that this agent must not use.'

const ignoredKeys: ReadonlyMap<string, { isOpen: boolean; consequence: string; fix: string }> = new Map([
  [
    'disallowedTools',
    { isOpen: true, consequence: 'the listed tools are open to this agent', fix: inPermission },
  ],
  [
    'allowed-tools',
    { isOpen: true, consequence: 'all other tools are open to this agent', fix: inPermission },
  ],
  [
    'permissionMode',
    { isOpen: true, consequence: 'the agent runs with the general rules', fix: inPermission },
  ],
  [
    'mcpServers',
    {
      isOpen: false,
      consequence: 'these servers are not started',
      fix: 'Configure them below `mcp`, and deny their tools (`"<server>_*": "deny"`) to the others.',
    },
  ],
  [
    'hooks',
    { isOpen: true, consequence: 'no hook runs before a tool', fix: 'Write a plugin, or a `permission`.' },
  ],
])

export const agentRules = [regains, claudeFrontmatter]
