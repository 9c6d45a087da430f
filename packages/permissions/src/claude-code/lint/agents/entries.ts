/** Entries in the tool lists of agents and skills, and their repairs. */

import type { FindingDetails, Severity } from '../../../findings/finding.ts'
import { parseRule } from '../../rules/rule.ts'
import type { AgentFile, ClaudeSetup, Entry, SkillFile } from '../../setup/setup.ts'

type Owner = Pick<AgentFile, 'name' | 'source' | 'text'>
type Key = 'tools' | 'disallowedTools' | 'allowed-tools' | 'disallowed-tools'

/** Keys that grant tools; the others remove them. */
const grantingKeys: ReadonlySet<Key> = new Set(['tools', 'allowed-tools'])

export interface ListedTool {
  /** The agent or skill. */
  readonly owner: Owner
  /** Name of the agent: only this agent has the servers it defines. */
  readonly agent?: string
  readonly key: Key
  readonly entry: Entry
  /** Without the parentheses. */
  readonly name: string
  /** The text in parentheses, unless it is empty or `*`. */
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

/** `mcp__server__*` is not a pattern but the name of a whole server. */
export function isPattern(name: string): boolean {
  return name.includes('*') && !/^mcp__[^*]+__\*$/.test(name)
}

/** The consequence of an entry that matches nothing: a tool is missing, or is still available. */
export function consequenceOf({ owner, key, entry }: ListedTool): string {
  const [name, text] = [`\`${owner.name}\``, `\`${entry.text}\``]
  return {
    tools: `${name} does not get ${text}`,
    disallowedTools: `${text} removes nothing from ${name}`,
    'allowed-tools': `${text} allows nothing when ${name} runs`,
    'disallowed-tools': `${text} denies nothing when ${name} runs`,
  }[key]
}

/** An entry that fails to remove a tool leaves the tool available: an error. */
export function severityIn(key: Key): { readonly severity?: Severity } {
  return grantingKeys.has(key) ? {} : { severity: 'error' }
}

/**
 * Repairs an entry. Entries that would grant a tool are left to the user. So are MCP names in a user's agent: they may
 * match in another project.
 */
export function rewriteEntry(
  { owner, key, entry, name }: ListedTool,
  text: string,
): Pick<FindingDetails, 'repairs'> {
  const mayMatchElsewhere = owner.source === 'user' && /^(?:mcp__|plugin:)/.test(name)
  return grantingKeys.has(key) || mayMatchElsewhere ? {} : rewriteName(owner, entry, text)
}

/**
 * Safe as a plain YAML scalar: names of plugins and servers are untrusted. Three dashes would end the frontmatter and
 * void all keys after it.
 */
const plainName = /^(?!.*---)[A-Za-z][\w:-]*\*?$/

/**
 * No repair if the source text differs from the parsed value, or if the file is not the user's: changes in a plugin are
 * overwritten by its next version.
 */
export function rewriteName(owner: Owner, entry: Entry, text: string): Pick<FindingDetails, 'repairs'> {
  const { file, start, end } = entry
  const isEditable = owner.source === 'project' || owner.source === 'user'
  if (!isEditable || owner.text.slice(start, end) !== entry.text || !plainName.test(text)) return {}
  return { repairs: [{ kind: 'text', file, start, end, text }] }
}
