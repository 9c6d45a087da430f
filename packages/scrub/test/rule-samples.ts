import { describe, expect, test } from 'vitest'

import { compileSecretRules } from '../src/find/compile-rules.ts'
import { findInText } from '../src/find/find-in-text.ts'
import type { SecretRule } from '../src/rules/rule.ts'
import { makeSample, seededRandom, type RuleSamples } from '@contextd/shared/testing/secret-samples'

/** Holds that every rule takes what its `secret` samples mark, and nothing of its `clean` ones. */
export function holdSamples(rules: readonly SecretRule[], samples: RuleSamples): void {
  test('every rule has samples, and every sample a rule', () => {
    expect(Object.keys(samples).sort()).toEqual(rules.map(({ id }) => id).sort())
  })
  describe.each(rules.map((rule) => [rule.id, rule] as const))('%s', (id, rule) => {
    test.each(samples[id]?.secret ?? [])('takes %s', (recipe) => {
      const { text, secret } = makeSample(recipe, seededRandom(1))
      expect(taken(rule, text)).toContain(secret)
    })
    test.each(samples[id]?.clean ?? [])('leaves %s', (recipe) => {
      const { text } = makeSample(recipe, seededRandom(1))
      expect(taken(rule, text)).toEqual([])
    })
  })
}

/** What the engine takes in the name of this rule, with all its borders and judgements. */
function taken(rule: SecretRule, text: string): string[] {
  return findInText(text, compileSecretRules([rule]))
    .filter((span) => span.rule === rule.id)
    .map(({ start, end }) => text.slice(start, end))
}
