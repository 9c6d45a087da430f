import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { createLastLine } from './last-line.ts'

function lastOf(...chunks: (string | Buffer)[]): string | undefined {
  const last = createLastLine()
  for (const chunk of chunks) last.push(Buffer.from(chunk as string))
  return last.text()
}

test('returns the last informative line', () => {
  expect(lastOf()).toBeUndefined()
  expect(lastOf('\n \r\n')).toBeUndefined()
  expect(lastOf('one\ntwo\n')).toBe('two')
  expect(lastOf('one\ntw', 'o\n\n', ' \n')).toBe('two')
  expect(lastOf('one\nunfinished')).toBe('unfinished')
  expect(lastOf('one\n', '   ')).toBe('one')
})

test('stack traces do not hide the error message', () => {
  const error = "Error: Cannot find module '/x'"
  const stack = [
    'node:internal/modules/cjs/loader:1228',
    '  throw err;',
    '  ^',
    '',
    error,
    '    at f (x.js:1:1) {',
    "  code: 'MODULE_NOT_FOUND',",
    '  requireStack: []',
    '}',
    '',
    'Node.js v20.20.2',
    '',
  ]
  expect(lastOf(stack.join('\n'))).toBe(error)
  expect(lastOf(...stack.map((line) => `${line}\n`))).toBe(error)
  expect(lastOf('  indented\n', '  again\n')).toBe('again')
})

test('does not depend on chunk boundaries', () => {
  const lines = fc.array(fc.constantFrom('', ' ', 'a', 'bc', 'ünï', ' at x', '}'), { maxLength: 8 })
  fc.assert(
    fc.property(lines, fc.array(fc.nat(40), { maxLength: 5 }), (texts, cuts) => {
      const all = Buffer.from(texts.join('\n'))
      const at = [0, ...cuts.sort((a, b) => a - b), all.length].map((cut) => Math.min(cut, all.length))
      const chunks = at.slice(1).map((end, index) => all.subarray(at[index], end))
      const said = texts.filter((text) => text.trim() !== '')
      const expected = (said.findLast((text) => !/^[ }]/.test(text)) ?? said.at(-1))?.trim()
      expect(lastOf(...chunks)).toBe(expected)
    }),
  )
})

test('stores only the start of an endless line', () => {
  const last = createLastLine()
  for (let count = 0; count < 1000; count++) last.push(Buffer.alloc(65_536, 'x'))
  expect(last.text()).toHaveLength(2048)
})
