/** Misspelled tool lists in an agent's frontmatter. */

import { placeOf, type LintRule, type TextRepair } from '../../../findings/finding.ts'
import type { AgentFile, ClaudeSetup, Entry } from '../../setup/setup.ts'

const keySpelling: LintRule<ClaudeSetup> = {
  id: 'agent-key-spelling',
  severity: 'error',
  title: 'An agent restricts its tools with a key that the client does not know',
  why: `The client knows \`tools:\` and \`disallowedTools:\`, in exactly this spelling. \`allowed-tools:\` (correct in a skill), \`allowedTools:\`, \`disallowed-tools:\` and \`disallowed_tools:\` are silently ignored, and the agent has every tool.`,
  *check({ agents }) {
    for (const agent of agents) {
      // A duplicate key makes the whole frontmatter unreadable.
      const usedKeys = new Set(agent.keys.keys())
      for (const [key, entry] of agent.keys) {
        const right = meantKey(key)
        if (right === undefined) continue
        const isFree = !usedKeys.has(right)
        usedKeys.add(right)
        yield {
          ...placeOf(entry),
          message: `The client does not know \`${key}:\`, so it does not restrict \`${agent.name}\`.`,
          fix: isFree ? `Write \`${right}:\`.` : `Move its entries to \`${right}:\`.`,
          ...(isFree && renameKey(agent, key, entry, right)),
        }
      }
    }
  },
}

/** The intended key, if this is a misspelling of it. */
export function meantKey(key: string): 'tools' | 'disallowedTools' | undefined {
  const plain = key.toLowerCase().replaceAll(/[-_\s]/g, '')
  const right =
    plain === 'disallowedtools' ? 'disallowedTools' : /^(?:allowed)?tools?$/.test(plain) ? 'tools' : undefined
  return right === key ? undefined : right
}

/** No repair for files that are not the user's. */
export function renameKey(
  { text, source }: Pick<AgentFile, 'text' | 'source'>,
  key: string,
  { file, line, column }: Entry,
  to: string,
): { readonly repairs?: readonly TextRepair[] } {
  const before = text.split('\n', line - 1)
  const start = before.reduce((length, one) => length + one.length + 1, 0) + column - 1
  const isEditable = source === 'project' || source === 'user'
  if (!isEditable || text.slice(start, start + key.length) !== key) return {}
  return { repairs: [{ kind: 'text', file, start, end: start + key.length, text: to }] }
}

export const agentKeyRules: readonly LintRule<ClaudeSetup>[] = [keySpelling]
