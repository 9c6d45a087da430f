import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { quotedFor, readTypedLine } from './shell-line.ts'

describe('a line', () => {
  test.each([
    ['ctxd', ['ctxd'], ''],
    ['ctxd ', ['ctxd', ''], ''],
    ['ctxd  config get', ['ctxd', 'config', 'get'], ''],
    ['ctxd tool show my\\ to', ['ctxd', 'tool', 'show', 'my to'], ''],
    ["ctxd tool show 'my to", ['ctxd', 'tool', 'show', 'my to'], "'"],
    ['ctxd tool show "a\\"b c', ['ctxd', 'tool', 'show', 'a"b c'], '"'],
    ['ctxd "" x', ['ctxd', '', 'x'], ''],
    ['ctxd $(touch x) `id`', ['ctxd', '$(touch', 'x)', '`id`'], ''],
  ])('parses %j as %j', (line, words, quote) => {
    expect(readTypedLine(line)).toEqual({ words, quote })
  })
})

describe('a name on the line', () => {
  test.each([
    ['http.port', '', 'http.port'],
    ['contextd:scanner', '', 'contextd:scanner'],
    ['my tool', '', 'my\\ tool'],
    ['my tool', '"', 'my tool'],
    ['$(touch x)', '', '\\$\\(touch\\ x\\)'],
    ['$(touch x)', '"', undefined],
    ["it's", "'", undefined],
    ['Zürich', '', 'Zürich'],
  ] as const)('%j in quotes %j is %j', (name, quote, quoted) => {
    expect(quotedFor(name, quote)).toBe(quoted)
  })

  test('round-trips', () => {
    const printable = fc
      .string({ unit: 'grapheme' })
      .filter((text) => !/[\p{Cc}\s]/u.test(text.replaceAll(' ', '')))
    fc.assert(
      fc.property(printable, (name) => {
        expect(readTypedLine(`x ${quotedFor(name, '')}`).words).toEqual(['x', name])
      }),
    )
  })
})
