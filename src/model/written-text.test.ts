import { describe, expect, test } from 'vitest'

import { createWrittenText, notebookText } from './written-text.ts'

const key = '-----BEGIN KEY-----\nMIIE1\n\nMIIE2\n-----END KEY-----'
const numbered = (before: (line: number) => string): string =>
  key
    .split('\n')
    .map((line, index) => (index === 0 ? line : before(index + 1) + line))
    .join('\n')

describe('a value in a file', () => {
  test('is found at any place', () => {
    const file = createWrittenText('a=1\nb="x-value-y"\n')
    expect(file.formOf('value')).toBe('value')
    expect(file.formOf('other')).toBeUndefined()
    expect(file.formOf('other')).toBeUndefined()
  })

  test.each([
    ['cat -n', (line: number) => `${String(line).padStart(6)}\t`],
    ['an arrow', (line: number) => `${String(line).padStart(5)}→`],
    ['a bar', (line: number) => `${String(line).padStart(5, '0')}| `],
    ['a colon', (line: number) => `${line}: `],
  ])('is found where it was read with line numbers: %s', (_, before) => {
    expect(numbered(before)).not.toBe(key)
    expect(createWrittenText(`x\n${key}\n`).formOf(numbered(before))).toBe(key)
    expect(createWrittenText('x\n').formOf(numbered(before))).toBeUndefined()
  })

  test('stays as it is where the numbers are in the file', () => {
    const value = numbered((line) => `${line}: `)
    expect(createWrittenText(value).formOf(value)).toBe(value)
  })

  test('is found in a file with Windows line ends', () => {
    expect(createWrittenText(key.replaceAll('\n', '\r\n')).formOf(key)).toBe(key)
  })
})

test('lines are compared whole', () => {
  const file = createWrittenText('one\r\ntwo\nthree')
  for (const line of ['one', 'two', 'three']) expect(file.hasLine(line)).toBe(true)
  for (const line of ['on', 'one\r', 'four']) expect(file.hasLine(line)).toBe(false)
})

test('the text of a notebook is that of its cells', () => {
  const cells = [{ cell_type: 'code', source: ['key = """a\n', 'b"""\n'] }, { source: 'x = "y"' }]
  expect(notebookText(JSON.stringify({ cells }))).toBe('code\nkey = """a\nb"""\n\nx = "y"')
  expect(notebookText('no JSON')).toBe('')
})
