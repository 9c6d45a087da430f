import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { addEvidence, confidenceOf, evidenceOf, priorEvidence } from './confidence.ts'

const prior = fc.double({ min: 0, max: 1, noNaN: true })
const verdict = fc.record({
  helpful: fc.boolean(),
  outcome: fc.constantFrom(undefined, 'success', 'failure'),
})
const history = fc.array(verdict, { maxLength: 50 })

/** Sums of fractions differ slightly in the last digits. */
const slack = 1e-12

test("the initial value is the author's confidence", () => {
  expect(priorEvidence(0.8)).toEqual({ helped: 4, misled: 1 })
  expect(priorEvidence()).toEqual({ helped: 4, misled: 1 })
  fc.assert(
    fc.property(prior, (confidence) => {
      expect(confidenceOf(priorEvidence(confidence))).toBeCloseTo(confidence, 12)
    }),
  )
})

test('positive feedback never lowers it and negative feedback never raises it, whatever the history and outcome', () => {
  fc.assert(
    fc.property(prior, history, verdict, (confidence, before, last) => {
      const evidence = addEvidence(priorEvidence(confidence), ...before.map(evidenceOf))
      const was = confidenceOf(evidence)
      const is = confidenceOf(addEvidence(evidence, evidenceOf(last)))
      if (last.helpful) expect(is).toBeGreaterThanOrEqual(was - slack)
      else expect(is).toBeLessThanOrEqual(was + slack)
    }),
  )
})

test('it stays between 0 and 1', () => {
  fc.assert(
    fc.property(prior, history, (confidence, verdicts) => {
      const is = confidenceOf(addEvidence(priorEvidence(confidence), ...verdicts.map(evidenceOf)))
      expect(is).toBeGreaterThanOrEqual(0)
      expect(is).toBeLessThanOrEqual(1)
    }),
  )
})

test('the order of feedback does not matter', () => {
  fc.assert(
    fc.property(prior, history, (confidence, verdicts) => {
      const forth = addEvidence(priorEvidence(confidence), ...verdicts.map(evidenceOf))
      const back = addEvidence(priorEvidence(confidence), ...verdicts.toReversed().map(evidenceOf))
      expect(confidenceOf(forth)).toBeCloseTo(confidenceOf(back), 12)
    }),
  )
})

test('an outcome strengthens the feedback it confirms, and otherwise changes nothing', () => {
  const after = (helpful: boolean, outcome?: 'success' | 'failure'): number =>
    confidenceOf(addEvidence(priorEvidence(0.5), evidenceOf({ helpful, outcome })))
  expect(after(true)).toBeGreaterThan(0.5)
  expect(after(true, 'success')).toBeGreaterThan(after(true))
  expect(after(true, 'failure')).toBe(after(true))
  expect(after(false)).toBeLessThan(0.5)
  expect(after(false, 'failure')).toBeLessThan(after(false))
  expect(after(false, 'success')).toBe(after(false))
})
