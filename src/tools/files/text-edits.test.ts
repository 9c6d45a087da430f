import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { applyEdits, linesOf, locateEdits, problemWith, type TextEdit } from './text-edits.ts'

/** The new text, or the problem. */
function edited(text: string, ...edits: TextEdit[]): string {
  const located = locateEdits(text, edits)
  const problem = problemWith(text, edits, located)
  return problem === undefined ? applyEdits(text, located).text : `${problem.edit}: ${problem.problem}`
}

const text = 'one\ntwo\nthree\ntwo\n'

test('replaces texts and lines of the text as it was', () => {
  expect(edited(text, { old: 'one\ntwo', new: 'ONE' }, { old: 'thr', new: '3' })).toBe('ONE\n3ee\ntwo\n')
  expect(edited(text, { old: 'three', new: 'two' }, { lines: '1-2', new: 'x\ny\nz' })).toBe(
    'x\ny\nz\ntwo\ntwo\n',
  )
  expect(edited(text, { old: 'two', new: '2', all: true })).toBe('one\n2\nthree\n2\n')
  expect(edited('aaaa', { old: 'aa', new: 'b', all: true })).toBe('bb')
  expect(edited('a$1', { old: '$1', new: '$&$1' })).toBe('a$&$1')
})

test('lines: the last line end is optional, and no text removes them', () => {
  expect(edited(text, { lines: '2', new: 'x' })).toBe('one\nx\nthree\ntwo\n')
  expect(edited(text, { lines: '2', new: 'x\n' })).toBe('one\nx\nthree\ntwo\n')
  expect(edited(text, { lines: '2', new: '\n' })).toBe('one\n\nthree\ntwo\n')
  expect(edited(text, { lines: '2-3', new: '' })).toBe('one\ntwo\n')
  expect(edited(text, { lines: '4', new: '' })).toBe('one\ntwo\nthree\n')
  expect(edited('a\nb', { lines: '2', new: '' })).toBe('a')
  expect(edited('a\nb', { lines: '2', new: 'c\n' })).toBe('a\nc')
  expect(edited('a\n\nb\n', { lines: '2', new: 'x' })).toBe('a\nx\nb\n')
  expect(edited('a', { lines: '1', new: '' })).toBe('')
  expect(linesOf(text, '2-3')).toBe('two\nthree')
  expect(linesOf(text, '9')).toBeUndefined()
})

test('names the edit that cannot be applied, and why', () => {
  expect(edited(text, { old: 'one', new: '1' }, { old: 'four', new: '4' })).toBe('2: has no match for `old`')
  expect(edited(text, { old: 'two', new: '2' })).toBe('1: has 2 matches, at lines 2, 4')
  expect(edited('x\n'.repeat(9), { old: 'x', new: 'y' })).toBe('1: has 9 matches, at lines 1, 2, 3, 4, 5, …')
  expect(edited('x'.repeat(1001), { old: 'x', new: 'y', all: true })).toBe('1: has more than 1000 matches')
  expect(edited('x'.repeat(1000), { old: 'x', new: 'y', all: true })).toBe('y'.repeat(1000))
  expect(edited(text, { old: 'one', new: 'one' })).toBe('1: changes nothing')
  expect(edited(text, { lines: '1', new: 'one' })).toBe('1: changes nothing')
  for (const lines of ['5', '4-5', '3-2', '999999999'])
    expect(edited(text, { lines, new: 'x' }), lines).toMatch(/^1: names lines .* the file has 4 lines$/)
})

test('overlapping edits are refused, adjacent ones are not', () => {
  expect(edited(text, { old: 'ne\nt', new: '' }, { old: 'one', new: '1' })).toBe('1: overlaps edit 2')
  expect(edited(text, { lines: '1-2', new: 'x' }, { lines: '2-3', new: 'y' })).toBe('2: overlaps edit 1')
  expect(edited('\n', { lines: '1', new: 'x' }, { lines: '1', new: 'y' })).toBe('2: overlaps edit 1')
  expect(edited(text, { old: 'one\n', new: '1\n' }, { old: 'two\nthree', new: '23' })).toBe('1\n23\ntwo\n')
  expect(edited(text, { lines: '1', new: 'x' }, { lines: '2', new: 'y' })).toBe('x\ny\nthree\ntwo\n')
})

test('Windows line ends are matched by plain ones, and stay; mixed ones stay per line', () => {
  const windows = 'one\r\ntwo\r\nthree\r\n'
  expect(edited(windows, { old: 'one\ntwo', new: 'a\nb\nc' })).toBe('a\r\nb\r\nc\r\nthree\r\n')
  expect(edited(windows, { old: 'one\r\ntwo', new: 'a\r\nb' })).toBe('a\r\nb\r\nthree\r\n')
  expect(edited(windows, { lines: '2-3', new: 'x\ny\n' })).toBe('one\r\nx\r\ny\r\n')
  expect(edited(windows, { lines: '2', new: '' })).toBe('one\r\nthree\r\n')
  expect(edited('one\r\ntwo', { lines: '2', new: 'x\ny' })).toBe('one\r\nx\r\ny')
  const mixed = 'a\r\nb\nc\r\n'
  expect(edited(mixed, { old: 'b', new: 'x\ny' })).toBe('a\r\nx\ny\nc\r\n')
  expect(edited(mixed, { old: 'a', new: 'x\ny' })).toBe('x\r\ny\r\nb\nc\r\n')
  expect(edited('a\nb\n', { old: 'a', new: 'x\r\ny' })).toBe('x\r\ny\nb\n')
})

test('reports the changed lines of the new text', () => {
  const changed = (...edits: TextEdit[]) => applyEdits(text, locateEdits(text, edits)).changed
  expect(changed({ old: 'one\n', new: '1\n' })).toEqual([{ first: 1, last: 1 }])
  expect(changed({ lines: '1', new: 'a\nb\nc' }, { lines: '4', new: 'x' })).toEqual([
    { first: 1, last: 3 },
    { first: 6, last: 6 },
  ])
  expect(changed({ lines: '1', new: 'a' }, { lines: '2', new: 'b' })).toEqual([{ first: 1, last: 2 }])
  expect(changed({ lines: '2-3', new: '' })).toEqual([{ first: 2, last: 2 }])
})

test('what is not replaced keeps every byte', () => {
  const part = fc.constantFrom('a', 'b', '\n', '\r\n', '\r', 'é', '')
  fc.assert(
    fc.property(fc.array(part), fc.nat(20), fc.nat(20), (parts, from, length) => {
      const original = parts.join('')
      const old = original.slice(from, from + length)
      const [places = []] = locateEdits(original, [{ old, new: 'X', all: true }])
      for (const { start, end } of places) {
        expect(original.slice(start, end).replaceAll('\r\n', '\n')).toBe(old.replaceAll('\r\n', '\n'))
      }
      const { text: after } = applyEdits(original, [places])
      expect(after.length).toBe(
        original.length + places.reduce((sum, { start, end }) => sum + 1 - (end - start), 0),
      )
    }),
  )
})
