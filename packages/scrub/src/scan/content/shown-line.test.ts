import { expect, test } from 'vitest'

import { shownLine } from './shown-line.ts'

const span = (start: number, end: number): { rule: string; start: number; end: number } => ({
  rule: 'x',
  start,
  end,
})
const nothing = (): never[] => []

test('shows only the line of the secret, as one line', () => {
  const text = 'before\n\tkey =\u0000 SECRET ; rest\r\nafter'
  const start = text.indexOf('SECRET')
  const secret = span(start, start + 6)
  expect(shownLine(text, secret, [secret], nothing)).toBe('key = [SECRET] ; rest')
})

test('shows a secret over several lines in one', () => {
  const text = 'a = "one\ntwo\nthree" end\nmore'
  const secret = span(5, text.indexOf('" end'))
  expect(shownLine(text, secret, [secret], nothing)).toBe('a = "[SECRET]" end')
})

test('masks other secrets that cross the boundary of the shown part', () => {
  const text = `${'a'.repeat(50)}${'b'.repeat(60)}SECRET${'c'.repeat(60)}${'d'.repeat(50)}`
  const secret = span(110, 116)
  expect(shownLine(text, secret, [span(40, 60), secret, span(170, 220)], nothing)).toBe(
    `…${'a'.repeat(10)}[SECRET]${'b'.repeat(50)}[SECRET]${'c'.repeat(54)}[SECRET]…`,
  )
})

test('masks what is only detected once the secret is masked', () => {
  const text = 'SECRET:neighbour'
  const find = (line: string): ReturnType<typeof span>[] => {
    const at = line.indexOf('[SECRET_0]:neighbour')
    return at === -1 ? [] : [span(at + 11, at + 20)]
  }
  expect(shownLine(text, span(0, 6), [span(0, 6)], find)).toBe('[SECRET]:[SECRET]')
})

test('shows nothing of a line where masking never settles', () => {
  const findNext = (line: string): ReturnType<typeof span>[] => {
    const at = line.search(/[a-z]/)
    return at === -1 ? [] : [span(at, at + 1)]
  }
  const text = `SECRET ${'some more text '.repeat(3)}`
  expect(shownLine(text, span(0, 6), [span(0, 6)], findNext)).toBe('[SECRET]')
})
