/** What an agent of a plugin cannot have, although an agent of a project can. */

import { placeOf, type LintRule } from '../../../findings/finding.ts'
import { guardEvents, namesEvent } from '../../rules/hook-shape.ts'
import type { ClaudeSetup } from '../../setup/setup.ts'

const ignoredKey: LintRule<ClaudeSetup> = {
  id: 'plugin-agent-ignored-key',
  severity: 'warning',
  title: 'A plugin agent sets something that the client ignores there',
  why: `Plugin agents may not choose their own servers, hooks or permission mode: the client ignores \`mcpServers:\`, \`hooks:\` and \`permissionMode:\` in their frontmatter and reports it only in its debug log. A hook that was meant to guard the agent never runs.

Put servers and hooks into the plugin itself (\`.mcp.json\`, \`hooks/hooks.json\`), where they hold for everybody, and let the hook look at \`agent_type\`. Or give the agent to the project or the user: in \`.claude/agents/\` all keys work.`,
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
    fix: "Put the hooks into the plugin's `hooks/hooks.json` and look at `agent_type` there, or move the agent to `.claude/agents/`.",
  },
  permissionMode: {
    ignored: 'runs in the mode of the conversation that starts it',
    fix: 'Remove the key, or move the agent to `.claude/agents/`.',
  },
}

export const pluginAgentRules: readonly LintRule<ClaudeSetup>[] = [ignoredKey]
