/**
 * Project agents in strict mode: a list that names only built-in tools leaves an agent without tools, so ours are added
 * next to them. The built-in names stay, because the files are shared with people who use them.
 */

import type { AgentFile } from '@contextd/permissions/internal/claude-setup'
import { settingsPrefix } from '../../core/own-tools.ts'
import type { ClientFile } from '../init/client-file.ts'
import { withoutAgentTools } from '../init/agent-tools.ts'
import { ownToolFor } from './replaced-tools.ts'

export interface AgentsToExtend {
  readonly files: readonly ClientFile[]
  /** Agents that have to be changed by hand. */
  readonly left: readonly string[]
}

export function agentsToExtend(agents: readonly AgentFile[]): AgentsToExtend {
  const lacking = agents.filter((agent) => agent.source === 'project' && missingTools(agent).length > 0)
  const edited = lacking.map((agent) => ({ agent, text: withTools(agent) }))
  return {
    files: edited.flatMap(({ agent, text }) => (text === undefined ? [] : [agentFile(agent, text)])),
    left: edited.flatMap(({ agent, text }) => (text === undefined ? [agent.file] : [])),
  }
}

/** The text can be extended only as it was read: a later version of the file is left alone. */
function agentFile(agent: AgentFile, extended: string): ClientFile {
  return {
    path: agent.file,
    kind: 'agent',
    extend: (text) => (text === agent.text ? extended : (text ?? '')),
    clear: (text) => text,
  }
}

/** Each built-in tool of the list, with ours that replaces it. */
function missingTools({ tools = [] }: AgentFile): { end: number; start: number; own: string }[] {
  const listed = new Set(tools.map(({ text }) => text))
  const isOurs = (name: string): boolean => name.startsWith(settingsPrefix) || name === 'mcp__contextd'
  if (listed.has('*') || [...listed].some(isOurs)) return []
  const added = new Set<string>()
  return tools.flatMap(({ text, start, end }) => {
    const tool = ownToolFor(text.replace(/\(.*$/s, '').trim())
    if (tool === undefined || added.has(tool)) return []
    added.add(tool)
    return [{ start, end, own: `${settingsPrefix}${tool}` }]
  })
}

/** Undefined if a name is quoted or otherwise written in a form to which nothing can be added in place. */
function withTools(agent: AgentFile): string | undefined {
  let { text } = agent
  for (const { start, end, own } of missingTools(agent).toReversed()) {
    const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
    const item = /^\s*-[ \t]+$/.exec(line)?.[0]
    const isPlain = /^\w+(?:\([^)\n]*\))?$/.test(text.slice(start, end)) && !/["']$/.test(line)
    if (!isPlain) return undefined
    const added = item === undefined ? `, ${own}` : `\n${item}${own}`
    text = text.slice(0, end) + added + text.slice(end)
  }
  return withoutAgentTools(text, agent.text) === agent.text ? text : undefined
}
