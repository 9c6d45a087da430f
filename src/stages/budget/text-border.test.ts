import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { borderAfter, borderBefore, firstCharacterEnd } from './text-border.ts'

const before = (text: string, index: number): string =>
  text.slice(0, borderBefore(text, index, Math.max(0, index - 20)))
const after = (text: string, index: number): string => text.slice(borderAfter(text, index, index + 20))

test('prefers a nearby line end, then a word, then a character', () => {
  expect(before('first line\nsecond line here', 20)).toBe('first line\n')
  expect(after('first line\nsecond line here', 4)).toBe('second line here')
  expect(before('some words without lines', 14)).toBe('some words ')
  expect(after('some words without lines', 2)).toBe('words without lines')
  expect(before('solid'.repeat(20), 14)).toHaveLength(14)
  expect(before('far away\n'.padEnd(200, 'x'), 150)).toHaveLength(150)
})

test.each([
  ['a pair', '😀'],
  ['a joined emoji', '👩‍💻'],
  ['a flag', '🇩🇪'],
  ['a skin tone', '👍🏿'],
  ['a combined letter', 'e\u0301\u0302'],
  ['a selector', '⚠\ufe0f'],
  ['a line break', '\r\n'],
  ['a scrub token', '[SECRET_1234]'],
  ['a forgotten secret', '[SECRET_FORGOTTEN]'],
])('%s is not split', (_, unit) => {
  const text = `xx${unit}${unit}yy`
  for (let index = 0; index <= text.length; index += 1) {
    for (const at of [borderBefore(text, index, index), borderAfter(text, index, index)]) {
      expect([0, 1, 2, 2 + unit.length, 2 + 2 * unit.length, text.length - 1, text.length]).toContain(at)
    }
  }
})

test('text that only resembles a token may be cut', () => {
  expect(borderBefore('[SECRET_1234', 5, 5)).toBe(5)
  expect(borderBefore('[SECRET_1234]', 5, 5)).toBe(0)
})

test('the first character includes its marks', () => {
  expect(firstCharacterEnd('')).toBe(0)
  expect(firstCharacterEnd('e\u0301x')).toBe(2)
  expect(firstCharacterEnd('👩‍💻x')).toBe(5)
})

test('an endless cluster is cut, but not inside a surrogate pair', () => {
  const text = '👩\u200d'.repeat(1000)
  fc.assert(
    fc.property(fc.integer({ min: 100, max: text.length - 100 }), (index) => {
      for (const at of [borderBefore(text, index, index), borderAfter(text, index, index)]) {
        expect(Math.abs(at - index)).toBeLessThanOrEqual(1)
        expect(Buffer.from(text.slice(0, at)).toString()).toBe(text.slice(0, at))
      }
    }),
  )
})
