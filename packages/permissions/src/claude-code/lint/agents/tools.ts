/** Compares an agent's `tools:` and `disallowedTools:` with the existing tools. */

import { nearest } from '@contextd/shared/text/nearest'
import { placeOf, type FindingDetails, type LintRule } from '../../../findings/finding.ts'
import { claudeTools, isClaudeTool } from '../../rules/builtin-tools.ts'
import type { ClaudeSetup, Entry } from '../../setup/setup.ts'
import {
  consequenceOf,
  isPattern,
  listedTools,
  rewriteEntry,
  severityIn,
  type ListedTool,
} from './entries.ts'
import { meantKey } from './keys.ts'
import { meaningOf, missingTool, origin, runtimeForms, serverPart } from '../../rules/named-servers.ts'

const toolPrefix: LintRule<ClaudeSetup> = {
  id: 'agent-tool-prefix',
  severity: 'warning',
  title: "An agent's list names a tool with the wrong prefix",
  why: `\`tools:\` and \`disallowedTools:\` match the full runtime names of tools. Names of a plugin server's tools start with \`mcp__plugin_<plugin>_<server>__\`, those of a standalone server with \`mcp__<server>__\`, and characters other than letters, digits, \`_\` and \`-\` become \`_\`. An entry with any other name silently matches nothing: the agent lacks a tool that it lists, or still has one that it should not.

Write the runtime name (\`ctxd permissions explain <server>:<tool>\` shows it). A list with both forms works however the server is installed.`,
  *check(setup) {
    for (const listed of listedTools(setup)) {
      const finding = wrongPrefix(setup, listed, listed.owner[listed.key])
      if (finding !== undefined) yield finding
    }
  },
}

/** Undefined if the name is correct, or if `entries` contain the correct name as well. */
export function wrongPrefix(
  setup: ClaudeSetup,
  listed: ListedTool,
  entries: readonly Entry[] | undefined,
): FindingDetails | undefined {
  const { agent, key, entry, name } = listed
  const meaning = meaningOf(setup, name, agent)
  if (meaning?.kind !== 'elsewhere' && meaning?.kind !== 'rewritten') return undefined
  const { servers, tool } = meaning
  const forms = runtimeForms(servers, tool)
  if (forms.every((form) => isListed(entries, form, tool))) return undefined
  const shown = forms.map((form) => `\`${form}\``).join(' or ')
  return {
    ...placeOf(entry),
    ...severityIn(key),
    message: `${consequenceOf(listed)}: \`${servers[0].name}\` ${origin(servers[0])}, so the runtime name is ${shown}.`,
    fix: `Write ${shown}.`,
    ...(forms.length === 1 && rewriteEntry(listed, entry.text.replace(name, forms[0] ?? name))),
  }
}

function isListed(entries: readonly Entry[] = [], form: string, tool: string | undefined): boolean {
  const prefix = tool === undefined ? form : form.slice(0, -`__${tool}`.length)
  return entries.some(({ text }) => [form, prefix, `${prefix}__*`].includes(text))
}

const toolUnknown: LintRule<ClaudeSetup> = {
  id: 'agent-tool-unknown',
  severity: 'warning',
  title: "An agent's list names a tool that does not exist",
  why: `The client accepts any name in \`tools:\` and \`disallowedTools:\`. Unknown names are silently skipped, and names are case-sensitive: \`bash\` is not \`Bash\`. In \`tools:\`, the agent lacks the intended tool, and if no entry matches anything, the client refuses to start the agent. In \`disallowedTools:\`, the intended tool remains available.

A server that is not configured anywhere is unknown too. User agents are shared by all projects, so for these a server is reported only if a server here has a similar name.`,
  *check(setup) {
    for (const listed of listedTools(setup)) {
      const finding = unknownTool(setup, listed)
      if (finding !== undefined) yield finding
    }
  },
}

/** Undefined if the tool exists, or if the entry is a pattern. */
export function unknownTool(setup: ClaudeSetup, listed: ListedTool): FindingDetails | undefined {
  if (isPattern(listed.name)) return undefined
  return listed.name.startsWith('mcp__') ? unknownMcpTool(setup, listed) : unknownBuiltin(setup, listed)
}

function unknownMcpTool(setup: ClaudeSetup, listed: ListedTool): FindingDetails | undefined {
  const { owner, agent, name } = listed
  const meaning = meaningOf(setup, name, agent)
  if (meaning?.kind === 'there') {
    const missing = missingTool(meaning.servers, meaning.tool)
    return missing && unknown(listed, `\`${missing.server.name}\` has no such tool`, missing.nearest)
  }
  if (meaning?.kind !== 'unknown') return undefined
  const { nearest: near, isSlip = false } = meaning
  if (owner.source === 'user' && near === undefined) return undefined
  const server = serverPart(name)
  const rest = name.slice(name.indexOf(server) + server.length)
  const why = `no MCP server here is named \`${server}\``
  const finding = unknown(listed, why, near && near + rest, isSlip)
  // A server that does not exist leaves nothing available, unless the name is a misspelling.
  return finding.severity === 'error' && !isSlip ? { ...finding, severity: 'note' } : finding
}

function unknownBuiltin(setup: ClaudeSetup, listed: ListedTool): FindingDetails | undefined {
  const { name, agent } = listed
  // The full name of a server, as hooks use it, is reported by agent-tool-prefix.
  if (isClaudeTool(name) || meaningOf(setup, name, agent) !== undefined) return undefined
  const near = nearest(name, claudeTools)
  return unknown(listed, 'no tool has this name', near, near?.toLowerCase() === name.toLowerCase())
}

function unknown(
  listed: ListedTool,
  why: string,
  instead: string | undefined,
  isSlip = false,
): FindingDetails {
  const { key, entry, name } = listed
  return {
    ...placeOf(entry),
    ...severityIn(key),
    message: `${consequenceOf(listed)}: ${why}.`,
    fix: instead === undefined ? 'Correct or remove the name.' : `Write \`${instead}\` if that is meant.`,
    ...(isSlip && instead !== undefined && rewriteEntry(listed, entry.text.replace(name, instead))),
  }
}

const inheritsAll: LintRule<ClaudeSetup> = {
  id: 'agent-inherits-tools',
  severity: 'note',
  title: 'An agent without `tools:` has every tool',
  why: `An agent without \`tools:\` in its frontmatter inherits everything: the shell, the editor and every tool of every MCP server, including servers added later. \`disallowedTools:\` removes only what it lists.

List the tools the agent needs. If it should have all of them, write \`tools: "*"\`.`,
  *check({ agents }) {
    for (const agent of agents) {
      // A list under a misspelled key is reported by agent-key-spelling.
      const isMisspelled = Array.from(agent.keys.keys()).some((key) => meantKey(key) === 'tools')
      if (agent.tools !== undefined || isMisspelled) continue
      const except = agent.disallowedTools === undefined ? '' : ' except those in `disallowedTools:`'
      const place = agent.keys.get('name') ?? { file: agent.file, line: 1, column: 1 }
      yield {
        ...placeOf(place),
        message: `\`${agent.name}\` has no \`tools:\`, so it has every tool${except}, including those of all MCP servers.`,
        fix: 'List the tools it needs in `tools:`, or write `"*"` if it should have all of them.',
      }
    }
  },
}

export const agentToolRules: readonly LintRule<ClaudeSetup>[] = [toolPrefix, toolUnknown, inheritsAll]
