/** What an agent's `tools:` and `disallowedTools:` name, held against the tools that there are. */

import { nearest } from '@contextd/shared/text/nearest'
import { placeOf, type FindingDetails, type LintRule } from '../../../findings/finding.ts'
import { claudeTools, isClaudeTool } from '../../rules/builtin-tools.ts'
import type { ClaudeSetup, Entry } from '../../setup/setup.ts'
import { inVain, isPattern, listedTools, rewriteEntry, severityIn, type ListedTool } from './entries.ts'
import { meantKey } from './keys.ts'
import { meaningOf, missingTool, origin, runtimeForms, serverPart } from '../../rules/named-servers.ts'

const toolPrefix: LintRule<ClaudeSetup> = {
  id: 'agent-tool-prefix',
  severity: 'warning',
  title: "An agent's list names a tool with the wrong prefix",
  why: `\`tools:\` and \`disallowedTools:\` go by the full names that tools have at runtime. Those of a server that a plugin brings begin with \`mcp__plugin_<plugin>_<server>__\`, those of a server set up on its own with \`mcp__<server>__\`, and characters other than letters, digits, \`_\` and \`-\` become \`_\`. An entry with another name matches nothing, silently: the agent lacks a tool that its list names, or keeps one that its list takes away.

Write the name at runtime (\`ctxd permissions explain <server>:<tool>\` tells it). A list that holds both forms works whichever way the server is installed.`,
  *check(setup) {
    for (const listed of listedTools(setup)) {
      const found = otherPrefix(setup, listed, listed.owner[listed.key])
      if (found !== undefined) yield found
    }
  },
}

/** Undefined where the name is one that a tool has, or where all `entries` together hold that name too. */
export function otherPrefix(
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
    message: `${inVain(listed)}: \`${servers[0].name}\` ${origin(servers[0])}, and the name at runtime is ${shown}.`,
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
  why: `The client takes any name in \`tools:\` and \`disallowedTools:\`. One that no tool has is skipped silently, and names are case-sensitive: \`bash\` is not \`Bash\`. In \`tools:\` the agent lacks what it was meant to have, and where no entry matches anything, the client refuses to start it. In \`disallowedTools:\` the tool that was meant stays open.

A server that is set up nowhere counts as unknown too. Agents of the user are for all projects, so for those a server is mentioned only where one here has nearly that name.`,
  *check(setup) {
    for (const listed of listedTools(setup)) {
      const found = unknownTool(setup, listed)
      if (found !== undefined) yield found
    }
  },
}

/** Undefined where there is such a tool, or where it is a pattern. */
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
  const why = `no MCP server here is called \`${server}\``
  const found = unknown(listed, why, near && near + rest, isSlip)
  // What nothing is called is not open either, unless it is there under nearly that name.
  return found.severity === 'error' && !isSlip ? { ...found, severity: 'note' } : found
}

function unknownBuiltin(setup: ClaudeSetup, listed: ListedTool): FindingDetails | undefined {
  const { name, agent } = listed
  // A server's name, as hooks call it: another rule's.
  if (isClaudeTool(name) || meaningOf(setup, name, agent) !== undefined) return undefined
  const near = nearest(name, claudeTools)
  return unknown(listed, 'there is no such tool', near, near?.toLowerCase() === name.toLowerCase())
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
    message: `${inVain(listed)}: ${why}.`,
    fix: instead === undefined ? 'Correct or remove the name.' : `Write \`${instead}\` if that is meant.`,
    ...(isSlip && instead !== undefined && rewriteEntry(listed, entry.text.replace(name, instead))),
  }
}

const inheritsAll: LintRule<ClaudeSetup> = {
  id: 'agent-inherits-tools',
  severity: 'note',
  title: 'An agent without `tools:` has every tool',
  why: `An agent whose frontmatter has no \`tools:\` inherits everything: the shell, the editor and every tool of every MCP server, also of those that are added later. \`disallowedTools:\` removes only what it names.

Name the tools the agent needs. Where all of them are meant, \`tools: "*"\` says so.`,
  *check({ agents }) {
    for (const agent of agents) {
      // Of a list under a wrong key something else is said.
      const isMisspelt = Array.from(agent.keys.keys()).some((key) => meantKey(key) === 'tools')
      if (agent.tools !== undefined || isMisspelt) continue
      const but = agent.disallowedTools === undefined ? '' : ' but those its `disallowedTools:` names'
      const place = agent.keys.get('name') ?? { file: agent.file, line: 1, column: 1 }
      yield {
        ...placeOf(place),
        message: `\`${agent.name}\` has no \`tools:\`, so it has every tool${but}, those of all MCP servers included.`,
        fix: 'Name the tools it needs in `tools:`, or `"*"` where all of them are meant.',
      }
    }
  },
}

export const agentToolRules: readonly LintRule<ClaudeSetup>[] = [toolPrefix, toolUnknown, inheritsAll]
