/** Which tools an agent has: how `tools:` and `disallowedTools:` match, and what built-in agents lack. */

import { canonicalTool, isClaudeTool } from '../rules/builtin-tools.ts'
import type { AgentFile, ClaudeSetup, Entry } from '../setup/setup.ts'

/** The client's built-in agents, with the tools they have or lack. */
const builtinAgents: ReadonlyMap<
  string,
  { readonly only?: readonly string[]; readonly without?: readonly string[] }
> = new Map([
  ['general-purpose', {}],
  ['claude', {}],
  ['Explore', { without: ['Agent', 'Edit', 'ExitPlanMode', 'NotebookEdit', 'Write'] }],
  ['Plan', { without: ['Agent', 'Edit', 'ExitPlanMode', 'NotebookEdit', 'Write'] }],
  ['statusline-setup', { only: ['Edit', 'Read'] }],
])

export const claudeAgents: readonly string[] = [...builtinAgents.keys()]

/** Parentheses in an entry are ignored: `Bash(git:*)` means all of Bash. */
export function entryName(text: string): string {
  return canonicalTool(text.replace(/\(.*$/s, '').trim())
}

/** Whether an entry of `tools:` matches a tool. A wildcard can only match a whole server. */
function toolsEntryMatches(text: string, tool: string, prefix?: string): boolean {
  const name = entryName(text)
  if (name === '*' || name === tool) return true
  return prefix !== undefined && (name === prefix || name === `${prefix}__*`)
}

/** The same for `disallowedTools:`, where `*` matches nothing and `mcp__*` every MCP tool. */
function disallowedEntryMatches(text: string, tool: string, prefix?: string): boolean {
  const name = entryName(text)
  if (name === '*') return false
  return (name === 'mcp__*' && prefix !== undefined) || toolsEntryMatches(text, tool, prefix)
}

/** Whether an entry of `tools:` matches any existing tool. */
function matchesExistingTool(setup: ClaudeSetup, agent: AgentFile, text: string): boolean {
  const name = entryName(text)
  if (name === '*' || isClaudeTool(name)) return true
  return setup.servers.some(
    ({ prefix, off, source, owner }) =>
      off === undefined &&
      (source !== 'agent' || owner === agent.name) &&
      (name === prefix || (name.startsWith(`${prefix}__`) && !/\*./.test(name) && isKnownTool(name, prefix))),
  )
}

function isKnownTool(name: string, prefix: string): boolean {
  const tool = name.slice(prefix.length + 2)
  return tool === '*' || !tool.includes('*')
}

export interface Missing {
  /** The entry that decides, if any. */
  readonly entry?: Entry
  readonly rule: string
  /** In one sentence. */
  readonly why: string
}

/** Why an agent does not have a tool; undefined if it has the tool. */
export function missingFor(
  setup: ClaudeSetup,
  agent: AgentFile | string,
  { name: tool, prefix }: { readonly name: string; readonly prefix?: string },
): Missing | undefined {
  if (typeof agent === 'string') return missingForBuiltin(agent, tool)
  const disallowed = agent.disallowedTools?.find(({ text }) => disallowedEntryMatches(text, tool, prefix))
  if (disallowed !== undefined)
    return {
      entry: disallowed,
      rule: `disallowedTools: ${disallowed.text}`,
      why: `The agent ${agent.name} may not have it.`,
    }
  if (agent.tools === undefined || isOwnServer(setup, agent, prefix)) return undefined
  const place = agent.keys.get('tools')
  const details = { rule: 'tools', ...(place !== undefined && { entry: place }) }
  if (agent.tools.length === 0) return { ...details, why: `The agent ${agent.name} has no tools at all.` }
  if (!agent.tools.some(({ text }) => matchesExistingTool(setup, agent, text)))
    return {
      ...details,
      why: `No entry in its tools matches an existing tool, so ${agent.name} is not started.`,
    }
  if (agent.tools.some(({ text }) => toolsEntryMatches(text, tool, prefix))) return undefined
  if (agent.tools.some(({ text }) => isOneOf(text, tool, prefix))) return undefined
  return {
    ...details,
    why: `The agent ${agent.name} has only the tools its file lists, and this is not one of them.`,
  }
}

/** For a question about a whole server: whether an entry matches one of its tools. */
function isOneOf(text: string, tool: string, prefix: string | undefined): boolean {
  const name = entryName(text)
  return tool === prefix && name.startsWith(`${prefix}__`) && !name.includes('*')
}

/** For a question about a whole server: the single tools that the agent has, and those it lacks. */
export function singleTools(
  agent: AgentFile,
  { name: tool, prefix }: { readonly name: string; readonly prefix?: string },
): Missing[] {
  const single = (key: 'tools' | 'disallowedTools', why: string): Missing[] =>
    (agent[key] ?? [])
      .filter(({ text }) => isOneOf(text, tool, prefix))
      .map((entry) => ({ entry, rule: `${key}: ${entry.text}`, why }))
  const hasAll = agent.tools?.some(({ text }) => toolsEntryMatches(text, tool, prefix)) ?? true
  return [
    ...(hasAll
      ? []
      : single('tools', `The agent ${agent.name} has only the tools of this server that its file lists.`)),
    ...single('disallowedTools', `The agent ${agent.name} may not have it.`),
  ]
}

/** `Agent(Plan, Explore)` restricts which agents the main conversation can start; in subagents it has no effect. */
export function missingType(agent: AgentFile, type: string): Missing | undefined {
  const entries = agent.tools?.filter(({ text }) => entryName(text) === 'Agent') ?? []
  const types = entries.flatMap(({ text }) => /^[^(]*\((.*)\)$/s.exec(text)?.[1]?.split(',') ?? ['*'])
  const isUnrestricted =
    entries.length === 0 || types.some((one) => one.trim() === '*' || one.trim() === type)
  if (isUnrestricted) return undefined
  return {
    entry: entries[0]!,
    rule: `tools: ${entries[0]!.text}`,
    why: `The agent ${agent.name} may only start other agents, not this one.`,
  }
}

/** An agent always has the servers that its file defines, listed or not. */
function isOwnServer(setup: ClaudeSetup, agent: AgentFile, prefix: string | undefined): boolean {
  return (
    prefix !== undefined &&
    setup.servers.some(
      (server) => server.source === 'agent' && server.owner === agent.name && server.prefix === prefix,
    )
  )
}

function missingForBuiltin(agent: string, tool: string): Missing | undefined {
  const builtin = builtinAgents.get(agent)
  const isMissing = builtin?.only?.includes(tool) === false || builtin?.without?.includes(tool) === true
  return isMissing ? { rule: agent, why: `The built-in agent ${agent} does not have it.` } : undefined
}
