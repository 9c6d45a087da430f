/** The entries of the lists of tools that agents and skills have, and how one is written otherwise. */

import type { FindingDetails, Severity } from '../../../findings/finding.ts'
import { parseRule } from '../../rules/rule.ts'
import type { AgentFile, ClaudeSetup, Entry, SkillFile } from '../../setup/setup.ts'

type Owner = Pick<AgentFile, 'name' | 'source' | 'text'>
type Key = 'tools' | 'disallowedTools' | 'allowed-tools' | 'disallowed-tools'

/** What gives tools; the others take them away. */
const giving: ReadonlySet<Key> = new Set(['tools', 'allowed-tools'])

export interface ListedTool {
  /** The agent or skill. */
  readonly owner: Owner
  /** The agent's name, which alone has the servers that it defines in place. */
  readonly agent?: string
  readonly key: Key
  readonly entry: Entry
  /** Without what stands in parentheses. */
  readonly name: string
  /** What stands there, unless it is empty or `*`. */
  readonly content?: string
}

export interface AgentTool extends ListedTool {
  readonly owner: AgentFile
  readonly key: 'tools' | 'disallowedTools'
}

export function* listedTools({ agents }: ClaudeSetup): Iterable<AgentTool> {
  for (const owner of agents) {
    for (const key of ['tools', 'disallowedTools'] as const) {
      for (const entry of owner[key] ?? [])
        yield { owner, agent: owner.name, key, entry, ...readEntry(entry) }
    }
  }
}

export interface SkillTool extends ListedTool {
  readonly owner: SkillFile
}

export function* skillTools({ skills }: ClaudeSetup): Iterable<SkillTool> {
  for (const owner of skills) {
    for (const entry of owner.allowedTools ?? [])
      yield { owner, key: 'allowed-tools', entry, ...readEntry(entry) }
    for (const entry of owner.disallowedTools ?? [])
      yield { owner, key: 'disallowed-tools', entry, ...readEntry(entry) }
  }
}

function readEntry({ text }: Entry): Pick<ListedTool, 'name' | 'content'> {
  const rule = parseRule(text)
  if ('problem' in rule) return { name: text }
  return { name: rule.tool, ...(rule.content && { content: rule.content }) }
}

/** Other than `mcp__server__*`, which is a name for all that a server has. */
export function isPattern(name: string): boolean {
  return name.includes('*') && !/^mcp__[^*]+__\*$/.test(name)
}

/** What comes of an entry that matches nothing: an agent lacks a tool, or keeps one. */
export function inVain({ owner, key, entry }: ListedTool): string {
  const [name, text] = [`\`${owner.name}\``, `\`${entry.text}\``]
  return {
    tools: `${name} does not get ${text}`,
    disallowedTools: `${text} takes nothing away from ${name}`,
    'allowed-tools': `${text} allows nothing when ${name} runs`,
    'disallowed-tools': `${text} forbids nothing when ${name} runs`,
  }[key]
}

/** What was to be taken away is open. */
export function severityIn(key: Key): { readonly severity?: Severity } {
  return giving.has(key) ? {} : { severity: 'error' }
}

/**
 * The repair that writes something else into a list. What gives an agent a tool that it does not have is for a user; and
 * what takes nothing away here may do so in another project, where the agent is the user's.
 */
export function rewriteEntry(
  { owner, key, entry, name }: ListedTool,
  text: string,
): Pick<FindingDetails, 'repairs'> {
  const mayCountElsewhere = owner.source === 'user' && /^(?:mcp__|plugin:)/.test(name)
  return giving.has(key) || mayCountElsewhere ? {} : rewriteName(owner, entry, text)
}

/**
 * What means nothing to YAML but itself: names of plugins and servers are made by others. Three dashes would end the
 * frontmatter, and what stands behind them would count no more.
 */
const plainName = /^(?!.*---)[A-Za-z][\w:-]*\*?$/

/**
 * None where it is not written there as it is read, or where the file belongs to somebody else: what is changed in a
 * plugin is gone with its next version.
 */
export function rewriteName(owner: Owner, entry: Entry, text: string): Pick<FindingDetails, 'repairs'> {
  const { file, start, end } = entry
  const isOurs = owner.source === 'project' || owner.source === 'user'
  if (!isOurs || owner.text.slice(start, end) !== entry.text || !plainName.test(text)) return {}
  return { repairs: [{ kind: 'text', file, start, end, text }] }
}
