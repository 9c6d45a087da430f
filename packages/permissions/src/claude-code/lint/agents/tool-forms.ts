/** Forms that work in rules of settings and mean something else, or nothing, in the lists of an agent. */

import { placeOf, type FindingDetails, type LintRule } from '../../../findings/finding.ts'
import { canonicalTool } from '../../rules/builtin-tools.ts'
import type { ClaudeSetup, McpServer } from '../../setup/setup.ts'
import { inVain, isPattern, listedTools, rewriteEntry, severityIn, type AgentTool } from './entries.ts'
import { once } from '@contextd/shared/once'
import { matchesStars } from '@contextd/shared/text/wildcard'

const wildcard: LintRule<ClaudeSetup> = {
  id: 'agent-tool-wildcard',
  severity: 'warning',
  title: "A wildcard that the client does not support in an agent's list",
  why: `In the lists of an agent the client knows \`*\` in few places: \`mcp__<server>__*\` in both lists, \`*\` alone in \`tools:\` (every tool), and \`mcp__*\` in \`disallowedTools:\` (every tool of every MCP server). Any other pattern matches nothing, although it works in the rules of settings: \`mcp__github__get_*\`, \`mcp__git*\`, and \`*\` in \`disallowedTools:\`, which looks as if it took everything away and takes nothing.

Name the server, or each tool.`,
  *check(setup) {
    const servers = setup.servers.filter(({ off, source }) => off === undefined && source !== 'agent')
    const instead = once((pattern) => insteadOf(pattern, servers))
    for (const listed of listedTools(setup)) {
      const { key, entry } = listed
      if (!isPattern(listed.name) || listed.name === knownPatterns[key]) continue
      yield {
        ...placeOf(entry),
        ...severityIn(key),
        message: `${inVain(listed)}: in \`${key}:\` the client does not support this pattern.`,
        fix: instead(listed.name),
      }
    }
  },
}

/** The patterns that the client knows, each in its list. */
const knownPatterns = { tools: '*', disallowedTools: 'mcp__*' }

function insteadOf(pattern: string, servers: readonly McpServer[]): string {
  if (pattern === '*') return 'Name in `tools:` what the agent may have; an empty `tools:` leaves it nothing.'
  const meant = servers.filter(
    ({ prefix }) => matchesStars(pattern, prefix) || pattern.startsWith(`${prefix}__`),
  )
  const names = Array.from(new Set(meant.map(({ prefix }) => `\`${prefix}__*\``)))
  if (names.length === 0) return 'Name each tool, or each server as a whole.'
  return `Name each tool, or each server as a whole: ${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''}.`
}

const parentheses: LintRule<ClaudeSetup> = {
  id: 'agent-tool-parentheses',
  severity: 'warning',
  title: "Parentheses in an agent's list have no effect: the whole tool is meant",
  why: `\`Bash(git *)\` in a rule of settings is about some commands. In the lists of an agent the client looks only at the name before the parentheses: in \`tools:\` it gives the agent all of \`Bash\`, in \`disallowedTools:\` it removes all of \`Bash\`. The types in \`Agent(<type>)\` count only where the agent is the main conversation.

Limit commands and paths by rules in settings (they hold for every agent), or by a \`PreToolUse\` hook that looks at \`agent_type\`.`,
  *check(setup) {
    for (const listed of listedTools(setup)) if (listed.content !== undefined) yield withContent(listed)
  },
}

function withContent(listed: AgentTool): FindingDetails {
  const { owner: agent, key, entry, name } = listed
  const isGiven = key === 'tools'
  const isAgent = isGiven && canonicalTool(name) === 'Agent'
  const text = `\`${entry.text}\``
  const whole = `the whole of \`${name}\``
  const why = 'the client does not look into the parentheses here'
  return {
    ...placeOf(entry),
    ...(isGiven && !isAgent && { severity: 'error' as const }),
    message: isAgent
      ? `${text} holds \`${agent.name}\` to these types only where it is the main conversation; as a subagent it may start any.`
      : isGiven
        ? `${text} gives \`${agent.name}\` ${whole}: ${why}.`
        : `${text} takes ${whole} away from \`${agent.name}\`: ${why}.`,
    fix: isAgent
      ? 'Forbid other types by rules in settings: `Agent(<type>)` in `deny`.'
      : isGiven
        ? `Leave \`${name}\` out, or write \`${name}\` and limit it by rules in settings or a PreToolUse hook.`
        : `Write \`${name}\` if all of it is meant, or forbid the rest by rules in settings.`,
    // The same said plainly.
    ...rewriteEntry(listed, name),
  }
}

export const agentToolFormRules: readonly LintRule<ClaudeSetup>[] = [wildcard, parentheses]
