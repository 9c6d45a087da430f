/** Which tools an agent has: what `tools:` and `disallowedTools:` of its file mean, and what the client's own agents lack. */

import { canonicalTool, isClaudeTool } from '../rules/builtin-tools.ts'
import type { AgentFile, ClaudeSetup, Entry } from '../setup/setup.ts'

/** Agents that the client brings, with the tools they have or lack. */
const ownAgents: ReadonlyMap<
  string,
  { readonly only?: readonly string[]; readonly without?: readonly string[] }
> = new Map([
  ['general-purpose', {}],
  ['claude', {}],
  ['Explore', { without: ['Agent', 'Edit', 'ExitPlanMode', 'NotebookEdit', 'Write'] }],
  ['Plan', { without: ['Agent', 'Edit', 'ExitPlanMode', 'NotebookEdit', 'Write'] }],
  ['statusline-setup', { only: ['Edit', 'Read'] }],
])

export const claudeAgents: readonly string[] = [...ownAgents.keys()]

/** What is written in parentheses behind an entry counts for nothing: `Bash(git:*)` is all of Bash. */
export function entryName(text: string): string {
  return canonicalTool(text.replace(/\(.*$/s, '').trim())
}

/** Whether an entry of `tools:` means a tool. Only whole servers can be meant at once. */
function toolsEntryMeans(text: string, tool: string, prefix?: string): boolean {
  const name = entryName(text)
  if (name === '*' || name === tool) return true
  return prefix !== undefined && (name === prefix || name === `${prefix}__*`)
}

/** The same for `disallowedTools:`, where `*` means nothing and `mcp__*` every tool of every server. */
function disallowedEntryMeans(text: string, tool: string, prefix?: string): boolean {
  const name = entryName(text)
  if (name === '*') return false
  return (name === 'mcp__*' && prefix !== undefined) || toolsEntryMeans(text, tool, prefix)
}

/** Whether an entry of `tools:` means any tool there is. */
function meansAnything(setup: ClaudeSetup, agent: AgentFile, text: string): boolean {
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
  /** The entry, where one says so. */
  readonly entry?: Entry
  readonly rule: string
  /** In one sentence. */
  readonly why: string
}

/** Why an agent does not have a tool; undefined where it has. */
export function missingFor(
  setup: ClaudeSetup,
  agent: AgentFile | string,
  { name: tool, prefix }: { readonly name: string; readonly prefix?: string },
): Missing | undefined {
  if (typeof agent === 'string') return missingForOwn(agent, tool)
  const disallowed = agent.disallowedTools?.find(({ text }) => disallowedEntryMeans(text, tool, prefix))
  if (disallowed !== undefined)
    return {
      entry: disallowed,
      rule: `disallowedTools: ${disallowed.text}`,
      why: `The agent ${agent.name} may not have it.`,
    }
  if (agent.tools === undefined || isOwnServer(setup, agent, prefix)) return undefined
  const place = agent.keys.get('tools')
  const said = { rule: 'tools', ...(place !== undefined && { entry: place }) }
  if (agent.tools.length === 0) return { ...said, why: `The agent ${agent.name} has no tools at all.` }
  if (!agent.tools.some(({ text }) => meansAnything(setup, agent, text)))
    return { ...said, why: `No entry of its tools exists, so ${agent.name} has none and is not started.` }
  if (agent.tools.some(({ text }) => toolsEntryMeans(text, tool, prefix))) return undefined
  if (agent.tools.some(({ text }) => isOneOf(text, tool, prefix))) return undefined
  return {
    ...said,
    why: `The agent ${agent.name} has only the tools its file lists, and this is none of them.`,
  }
}

/** Asked about all tools of a server: whether an entry means one of them. */
function isOneOf(text: string, tool: string, prefix: string | undefined): boolean {
  const name = entryName(text)
  return tool === prefix && name.startsWith(`${prefix}__`) && !name.includes('*')
}

/** Asked about all tools of a server: those that the agent has of it, and those that it has not. */
export function singleTools(
  agent: AgentFile,
  { name: tool, prefix }: { readonly name: string; readonly prefix?: string },
): Missing[] {
  const single = (key: 'tools' | 'disallowedTools', why: string): Missing[] =>
    (agent[key] ?? [])
      .filter(({ text }) => isOneOf(text, tool, prefix))
      .map((entry) => ({ entry, rule: `${key}: ${entry.text}`, why }))
  const hasAll = agent.tools?.some(({ text }) => toolsEntryMeans(text, tool, prefix)) ?? true
  return [
    ...(hasAll
      ? []
      : single('tools', `Of this server the agent ${agent.name} has only the tools its file lists.`)),
    ...single('disallowedTools', `The agent ${agent.name} may not have it.`),
  ]
}

/** `Agent(Plan, Explore)` lets an agent that is the main conversation start these types only; in subagents it says nothing. */
export function missingType(agent: AgentFile, type: string): Missing | undefined {
  const entries = agent.tools?.filter(({ text }) => entryName(text) === 'Agent') ?? []
  const types = entries.flatMap(({ text }) => /^[^(]*\((.*)\)$/s.exec(text)?.[1]?.split(',') ?? ['*'])
  const isFree = entries.length === 0 || types.some((one) => one.trim() === '*' || one.trim() === type)
  if (isFree) return undefined
  return {
    entry: entries[0]!,
    rule: `tools: ${entries[0]!.text}`,
    why: `The agent ${agent.name} may start other agents than this one only.`,
  }
}

/** A server that an agent defines in its file is there for it, listed or not. */
function isOwnServer(setup: ClaudeSetup, agent: AgentFile, prefix: string | undefined): boolean {
  return (
    prefix !== undefined &&
    setup.servers.some(
      (server) => server.source === 'agent' && server.owner === agent.name && server.prefix === prefix,
    )
  )
}

function missingForOwn(agent: string, tool: string): Missing | undefined {
  const own = ownAgents.get(agent)
  const isMissing = own?.only?.includes(tool) === false || own?.without?.includes(tool) === true
  return isMissing ? { rule: agent, why: `The client's own agent ${agent} does not have it.` } : undefined
}
