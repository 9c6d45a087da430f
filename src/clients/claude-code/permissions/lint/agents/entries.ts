/** The entries of `tools:` and `disallowedTools:`, and how one is written otherwise. */

import type { Found, Severity } from '../../../../permissions/finding.ts'
import { parseRule } from '../../rules/rule.ts'
import type { AgentFile, ClaudeSetup, Entry } from '../../setup.ts'

type Key = 'tools' | 'disallowedTools'

export interface ListedTool {
  readonly agent: AgentFile
  readonly key: Key
  readonly entry: Entry
  /** Without what stands in parentheses. */
  readonly name: string
  /** What stands there, unless it is empty or `*`. */
  readonly content?: string
}

export function* listedTools({ agents }: ClaudeSetup): Iterable<ListedTool> {
  for (const agent of agents) {
    for (const key of ['tools', 'disallowedTools'] as const) {
      for (const entry of agent[key] ?? []) {
        const { tool: name, content } = readEntry(entry)
        yield { agent, key, entry, name, ...(content && { content }) }
      }
    }
  }
}

function readEntry({ text }: Entry): { readonly tool: string; readonly content?: string } {
  const rule = parseRule(text)
  return 'problem' in rule ? { tool: text } : rule
}

/** Other than `mcp__server__*`, which is a name for all that a server has. */
export function isPattern(name: string): boolean {
  return name.includes('*') && !/^mcp__[^*]+__\*$/.test(name)
}

/** What comes of an entry that matches nothing: an agent lacks a tool, or keeps one. */
export function inVain({ agent, key, entry }: ListedTool): string {
  return key === 'tools'
    ? `\`${agent.name}\` does not get \`${entry.text}\``
    : `\`${entry.text}\` takes nothing away from \`${agent.name}\``
}

/** What was to be taken away is open. */
export function severityIn(key: Key): { readonly severity?: Severity } {
  return key === 'disallowedTools' ? { severity: 'error' } : {}
}

/**
 * The repair that writes something else into a list. What gives an agent a tool that it does not have is for a person; and
 * what takes nothing away here may do so in another project, where the agent is the person's.
 */
export function rewriteEntry({ agent, key, entry, name }: ListedTool, text: string): Pick<Found, 'repairs'> {
  const mayCountElsewhere = agent.source === 'user' && /^(?:mcp__|plugin:)/.test(name)
  return key === 'tools' || mayCountElsewhere ? {} : rewriteName(agent, entry, text)
}

/** What means nothing to YAML but itself: names of plugins and servers are made by others. */
const plainName = /^[A-Za-z][\w:-]*\*?$/

/**
 * None where it is not written there as it is read, or where the file belongs to somebody else: what is changed in a
 * plugin is gone with its next version.
 */
export function rewriteName(agent: AgentFile, entry: Entry, text: string): Pick<Found, 'repairs'> {
  const { file, start, end } = entry
  const isOurs = agent.source === 'project' || agent.source === 'user'
  if (!isOurs || agent.text.slice(start, end) !== entry.text || !plainName.test(text)) return {}
  return { repairs: [{ kind: 'text', file, start, end, text }] }
}
