/** Keys that work in project agents but not in plugin agents. */

import { placeOf, type LintRule } from '../../../findings/finding.ts'
import { guardEvents, namesEvent } from '../../rules/hook-shape.ts'
import type { ClaudeSetup } from '../../setup/setup.ts'

const ignoredKey: LintRule<ClaudeSetup> = {
  id: 'plugin-agent-ignored-key',
  severity: 'warning',
  title: 'A plugin agent sets a key that the client ignores there',
  why: `Plugin agents may not choose their own servers, hooks or permission mode: the client ignores \`mcpServers:\`, \`hooks:\` and \`permissionMode:\` in their frontmatter and reports it only in its debug log. A hook that was meant to guard the agent never runs.

Put servers and hooks into the plugin itself (\`.mcp.json\`, \`hooks/hooks.json\`), where they apply to all agents, and let the hook check \`agent_type\`. Or make it an agent of the project or the user: in \`.claude/agents/\` all keys work.`,
  *check(setup) {
    for (const agent of setup.agents) {
      if (agent.source !== 'plugin') continue
      for (const [key, { ignored, fix }] of Object.entries(ignoredKeys)) {
        const entry = agent.keys.get(key)
        if (entry === undefined) continue
        yield {
          ...placeOf(entry),
          ...(key === 'hooks' &&
            namesEvent(agent.frontmatter.hooks, guardEvents) && { severity: 'error' as const }),
          message: `The client ignores \`${key}:\` in a plugin agent: \`${agent.name}\` ${ignored}.`,
          fix,
        }
      }
    }
  },
}

const ignoredKeys = {
  mcpServers: {
    ignored: 'does not get these servers',
    fix: "Name the servers in the plugin's `.mcp.json`, or move the agent to `.claude/agents/`.",
  },
  hooks: {
    ignored: 'runs without these hooks',
    fix: "Put the hooks into the plugin's `hooks/hooks.json` and check `agent_type` there, or move the agent to `.claude/agents/`.",
  },
  permissionMode: {
    ignored: 'runs in the mode of the conversation that starts it',
    fix: 'Remove the key, or move the agent to `.claude/agents/`.',
  },
}

export const pluginAgentRules: readonly LintRule<ClaudeSetup>[] = [ignoredKey]
