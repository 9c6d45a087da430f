import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { findHidden, payloads, viewTextsOf, fixedRuns } from '../../../test/decode-probe.ts'

describe.each<[string, (byte: number) => string, string]>([
  ['Rust', (byte) => `${byte}u8`, ', '],
  ['Rust without spaces', (byte) => `${byte}u8`, ','],
  ['Java', (byte) => `(byte) ${byte}`, ', '],
  ['Java over several lines', (byte) => `(byte) ${byte}`, ',\n        '],
  ['PHP', (byte) => `chr(${byte})`, ' . '],
  ['Visual Basic', (byte) => `Chr(${byte})`, '&'],
  ['SQL', (byte) => `CHAR(${byte})`, ' + '],
  ['PowerShell', (byte) => `[char]${byte}`, '+'],
])('byte literals of %s', (_, write, between) => {
  test('are decoded', () => {
    fc.assert(
      fc.property(payloads, ({ text, secret }) => {
        const list = [...Buffer.from(text)].map(write).join(between)
        const whole = `x = ${list};`
        const { start, end } = findHidden(whole, secret)!
        expect(start).toBeGreaterThanOrEqual(4)
        expect(end).toBeLessThanOrEqual(4 + list.length)
        expect(end - start).toBeGreaterThan(list.length - 16)
      }),
      fixedRuns,
    )
  })
})

test('single calls and casts are not a list', () => {
  expect(
    viewTextsOf('for(i = 0; i < 10; i++) chr(65); (byte) 7; x: u8 = 3u8; char(20) not null; utf8'),
  ).toEqual([])
})
