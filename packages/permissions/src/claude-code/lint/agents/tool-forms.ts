/** Forms that work in permission rules but mean something else, or nothing, in an agent's lists. */

import { placeOf, type FindingDetails, type LintRule } from '../../../findings/finding.ts'
import { canonicalTool } from '../../rules/builtin-tools.ts'
import type { ClaudeSetup, McpServer } from '../../setup/setup.ts'
import { consequenceOf, isPattern, listedTools, rewriteEntry, severityIn, type AgentTool } from './entries.ts'
import { once } from '@contextd/shared/once'
import { matchesStars } from '@contextd/shared/text/wildcard'

const wildcard: LintRule<ClaudeSetup> = {
  id: 'agent-tool-wildcard',
  severity: 'warning',
  title: "An unsupported wildcard in an agent's list",
  why: `In an agent's lists the client supports \`*\` in only a few places: \`mcp__<server>__*\` in both lists, \`*\` alone in \`tools:\` (every tool), and \`mcp__*\` in \`disallowedTools:\` (every tool of every MCP server). Any other pattern matches nothing, although it works in permission rules: \`mcp__github__get_*\`, \`mcp__git*\`, and \`*\` in \`disallowedTools:\`, which looks as if it removed everything but removes nothing.

Name the server, or each tool.`,
  *check(setup) {
    const servers = setup.servers.filter(({ off, source }) => off === undefined && source !== 'agent')
    const suggestion = once((pattern) => suggestionFor(pattern, servers))
    for (const listed of listedTools(setup)) {
      const { key, entry } = listed
      if (!isPattern(listed.name) || listed.name === supportedPatterns[key]) continue
      yield {
        ...placeOf(entry),
        ...severityIn(key),
        message: `${consequenceOf(listed)}: in \`${key}:\` the client does not support this pattern.`,
        fix: suggestion(listed.name),
      }
    }
  },
}

/** By list. */
const supportedPatterns = { tools: '*', disallowedTools: 'mcp__*' }

function suggestionFor(pattern: string, servers: readonly McpServer[]): string {
  if (pattern === '*') return 'List in `tools:` what the agent may have; an empty `tools:` grants no tools.'
  const meant = servers.filter(
    ({ prefix }) => matchesStars(pattern, prefix) || pattern.startsWith(`${prefix}__`),
  )
  const names = Array.from(new Set(meant.map(({ prefix }) => `\`${prefix}__*\``)))
  if (names.length === 0) return 'Name each tool, or each whole server.'
  return `Name each tool, or each whole server: ${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''}.`
}

const parentheses: LintRule<ClaudeSetup> = {
  id: 'agent-tool-parentheses',
  severity: 'warning',
  title: "Parentheses in an agent's list have no effect: the entry means the whole tool",
  why: `In a permission rule, \`Bash(git *)\` matches some commands. In an agent's lists the client reads only the name before the parentheses: in \`tools:\` it grants all of \`Bash\`, in \`disallowedTools:\` it removes all of \`Bash\`. The types in \`Agent(<type>)\` apply only when the agent is the main conversation.

Restrict commands and paths with permission rules (they apply to every agent), or with a \`PreToolUse\` hook that checks \`agent_type\`.`,
  *check(setup) {
    for (const listed of listedTools(setup)) if (listed.content !== undefined) yield withContent(listed)
  },
}

function withContent(listed: AgentTool): FindingDetails {
  const { owner: agent, key, entry, name } = listed
  const isGranted = key === 'tools'
  const isAgent = isGranted && canonicalTool(name) === 'Agent'
  const text = `\`${entry.text}\``
  const allOfIt = `all of \`${name}\``
  const why = 'the client ignores the parentheses here'
  return {
    ...placeOf(entry),
    ...(isGranted && !isAgent && { severity: 'error' as const }),
    message: isAgent
      ? `${text} restricts \`${agent.name}\` to these types only when it is the main conversation; as a subagent it may start any.`
      : isGranted
        ? `${text} grants \`${agent.name}\` ${allOfIt}: ${why}.`
        : `${text} removes ${allOfIt} from \`${agent.name}\`: ${why}.`,
    fix: isAgent
      ? 'Deny other types with permission rules: `Agent(<type>)` in `deny`.'
      : isGranted
        ? `Remove \`${name}\`, or write \`${name}\` and restrict it with permission rules or a PreToolUse hook.`
        : `Write \`${name}\` if all of it is meant, or deny the arguments with permission rules.`,
    // Equivalent, without the misleading parentheses.
    ...rewriteEntry(listed, name),
  }
}

export const agentToolFormRules: readonly LintRule<ClaudeSetup>[] = [wildcard, parentheses]
