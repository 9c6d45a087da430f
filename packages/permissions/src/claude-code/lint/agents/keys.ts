/** Keys of an agent's frontmatter that look like lists of tools and are none. */

import { placeOf, type LintRule, type TextRepair } from '../../../findings/finding.ts'
import type { AgentFile, ClaudeSetup, Entry } from '../../setup/setup.ts'

const keySpelling: LintRule<ClaudeSetup> = {
  id: 'agent-key-spelling',
  severity: 'error',
  title: 'An agent limits its tools with a key that the client does not know',
  why: `The client knows \`tools:\` and \`disallowedTools:\`, spelled exactly like this. \`allowed-tools:\` (which is right in a skill), \`allowedTools:\`, \`disallowed-tools:\` and \`disallowed_tools:\` are ignored silently, and the agent has every tool.`,
  *check({ agents }) {
    for (const agent of agents) {
      // A key that stands there twice makes the whole head unreadable.
      const taken = new Set(agent.keys.keys())
      for (const [key, entry] of agent.keys) {
        const right = meantKey(key)
        if (right === undefined) continue
        const isFree = !taken.has(right)
        taken.add(right)
        yield {
          ...placeOf(entry),
          message: `The client does not know \`${key}:\`, so it does not limit \`${agent.name}\`.`,
          fix: isFree ? `Write \`${right}:\`.` : `Put its entries into \`${right}:\`.`,
          ...(isFree && renameKey(agent, key, entry, right)),
        }
      }
    }
  },
}

/** The key that was meant, where it is not the one that is written. */
export function meantKey(key: string): 'tools' | 'disallowedTools' | undefined {
  const plain = key.toLowerCase().replaceAll(/[-_\s]/g, '')
  const right =
    plain === 'disallowedtools' ? 'disallowedTools' : /^(?:allowed)?tools?$/.test(plain) ? 'tools' : undefined
  return right === key ? undefined : right
}

/** None where the file is somebody else's. */
export function renameKey(
  { text, source }: Pick<AgentFile, 'text' | 'source'>,
  key: string,
  { file, line, column }: Entry,
  to: string,
): { readonly repairs?: readonly TextRepair[] } {
  const before = text.split('\n', line - 1)
  const start = before.reduce((length, one) => length + one.length + 1, 0) + column - 1
  const isOurs = source === 'project' || source === 'user'
  if (!isOurs || text.slice(start, start + key.length) !== key) return {}
  return { repairs: [{ kind: 'text', file, start, end: start + key.length, text: to }] }
}

export const agentKeyRules: readonly LintRule<ClaudeSetup>[] = [keySpelling]
