import { describe, expect, test } from 'vitest'

import { compileSecretRules } from '../src/find/compile-rules.ts'
import { findInText } from '../src/find/find-in-text.ts'
import type { SecretRule } from '../src/rules/rule.ts'
import { makeSample, seededRandom, type RuleSamples } from '@contextd/shared/testing/secret-samples'

/** Tests that every rule finds the secrets marked in its `secret` samples, and nothing in its `clean` samples. */
export function testRuleSamples(rules: readonly SecretRule[], samples: RuleSamples): void {
  test('every rule has samples, and every sample a rule', () => {
    expect(Object.keys(samples).sort()).toEqual(rules.map(({ id }) => id).sort())
  })
  describe.each(rules.map((rule) => [rule.id, rule] as const))('%s', (id, rule) => {
    test.each(samples[id]?.secret ?? [])('finds %s', (recipe) => {
      const { text, secret } = makeSample(recipe, seededRandom(1))
      expect(foundBy(rule, text)).toContain(secret)
    })
    test.each(samples[id]?.clean ?? [])('ignores %s', (recipe) => {
      const { text } = makeSample(recipe, seededRandom(1))
      expect(foundBy(rule, text)).toEqual([])
    })
  })
}

/** What the engine finds with this rule, including its boundary and entropy checks. */
function foundBy(rule: SecretRule, text: string): string[] {
  return findInText(text, compileSecretRules([rule]))
    .filter((span) => span.rule === rule.id)
    .map(({ start, end }) => text.slice(start, end))
}
