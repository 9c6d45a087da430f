/** Misspelled keys in a skill's frontmatter. */

import { placeOf, type LintRule } from '../../../findings/finding.ts'
import type { ClaudeSetup } from '../../setup/setup.ts'
import { renameKey } from '../agents/keys.ts'

const keySpelling: LintRule<ClaudeSetup> = {
  id: 'skill-key-spelling',
  severity: 'warning',
  title: 'A skill has a key that the client does not know',
  why: `In a skill or command the keys are \`allowed-tools:\`, \`disallowed-tools:\` and \`disable-model-invocation:\`, in exactly this spelling; the client also accepts \`disallowedTools:\` unless \`disallowed-tools:\` is present too. \`tools:\` (correct in an agent), \`allowedTools:\`, \`disallowed_tools:\` and \`disableModelInvocation:\` are silently ignored: nothing is allowed, and what should be denied remains open, which is an error.

No key restricts a skill to certain tools: \`allowed-tools:\` only allows more.`,
  *check({ skills }) {
    for (const skill of skills) {
      const usedKeys = new Set(skill.keys.keys())
      // The client accepts this spelling unless the other one is present.
      if (usedKeys.has('disallowedTools')) usedKeys.add('disallowed-tools')
      for (const [key, entry] of skill.keys) {
        const right = meantKey(key, skill.keys)
        if (right === undefined) continue
        const isRestrictive = right !== 'allowed-tools'
        const isFree = !usedKeys.has(right)
        usedKeys.add(right)
        yield {
          ...placeOf(entry),
          ...(isRestrictive && { severity: 'error' as const }),
          message: `The client does not know \`${key}:\`, so ${consequences[right]} \`${skill.name}\`.`,
          fix: isFree ? `Write \`${right}:\`.` : `Move its value to \`${right}:\`.`,
          ...(isRestrictive && isFree && renameKey(skill, key, entry, right)),
        }
      }
    }
  },
}

const consequences = {
  'allowed-tools': 'it neither allows nor restricts anything for',
  'disallowed-tools': 'it denies nothing to',
  'disable-model-invocation': 'the model may run',
} as const

/** The intended key, if the client does not accept this spelling. */
function meantKey(key: string, keys: ReadonlyMap<string, unknown>): keyof typeof consequences | undefined {
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
