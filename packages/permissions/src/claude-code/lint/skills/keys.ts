/** Keys of a skill's frontmatter that look like others, and are ignored. */

import { placeOf, type LintRule } from '../../../findings/finding.ts'
import type { ClaudeSetup } from '../../setup/setup.ts'
import { renameKey } from '../agents/keys.ts'

const keySpelling: LintRule<ClaudeSetup> = {
  id: 'skill-key-spelling',
  severity: 'warning',
  title: 'A skill has a key that the client does not know',
  why: `In a skill or command the keys are \`allowed-tools:\`, \`disallowed-tools:\` and \`disable-model-invocation:\`, spelled exactly like this; of \`disallowed-tools:\` the client also knows \`disallowedTools:\`, unless both are there. \`tools:\` (which is right in an agent), \`allowedTools:\`, \`disallowed_tools:\` and \`disableModelInvocation:\` are ignored silently: nothing is allowed, and, which is an error here, what was to be closed stays open.

No key limits a skill to some tools: \`allowed-tools:\` only allows more.`,
  *check({ skills }) {
    for (const skill of skills) {
      const taken = new Set(skill.keys.keys())
      // It counts as long as the other spelling is not there.
      if (taken.has('disallowedTools')) taken.add('disallowed-tools')
      for (const [key, entry] of skill.keys) {
        const right = meantKey(key, skill.keys)
        if (right === undefined) continue
        const closes = right !== 'allowed-tools'
        const isFree = !taken.has(right)
        taken.add(right)
        yield {
          ...placeOf(entry),
          ...(closes && { severity: 'error' as const }),
          message: `The client does not know \`${key}:\`, so ${losses[right]} \`${skill.name}\`.`,
          fix: isFree ? `Write \`${right}:\`.` : `Put it into \`${right}:\`.`,
          ...(closes && isFree && renameKey(skill, key, entry, right)),
        }
      }
    }
  },
}

const losses = {
  'allowed-tools': 'it neither allows nor limits anything for',
  'disallowed-tools': 'it forbids nothing to',
  'disable-model-invocation': 'the model may run',
} as const

/** The key that was meant, where it is not one that counts. */
function meantKey(key: string, keys: ReadonlyMap<string, unknown>): keyof typeof losses | undefined {
  const plain = key.toLowerCase().replaceAll(/[-_\s]/g, '')
  const right = /^(?:allowed)?tools?$/.test(plain)
    ? 'allowed-tools'
    : /^disallowedtools?$/.test(plain)
      ? 'disallowed-tools'
      : /^disablemodelinvocations?$/.test(plain)
        ? 'disable-model-invocation'
        : undefined
  const isKnown = key === right || (key === 'disallowedTools' && !keys.has('disallowed-tools'))
  return isKnown ? undefined : right
}

export const skillKeyRules: readonly LintRule<ClaudeSetup>[] = [keySpelling]
