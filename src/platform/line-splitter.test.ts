import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { splitLines } from './line-splitter.ts'

function split(chunks: readonly Buffer[], maxBytes: number, edge = 4): (string | [string, string])[] {
  const out: (string | [string, string])[] = []
  const push = splitLines(maxBytes, edge, {
    line: (bytes) => out.push(bytes.toString('latin1')),
    tooLong: (head, tail) => out.push([head.toString('latin1'), tail.toString('latin1')]),
  })
  for (const chunk of chunks) push(chunk)
  return out
}

test('lines are complete, however the stream was chunked', () => {
  const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array))
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 20 }), (chunks) => {
      const whole = Buffer.concat(chunks).toString('latin1')
      expect(split(chunks, 1000)).toEqual(whole.split('\n').slice(0, -1))
    }),
  )
})

test('only the edges of an oversized line are kept, and the next line is read normally', () => {
  fc.assert(
    fc.property(fc.integer({ min: 11, max: 200 }), fc.integer({ min: 1, max: 50 }), (length, step) => {
      const long = Array.from({ length }, (_, at) => String.fromCodePoint(97 + (at % 26))).join('')
      const stream = Buffer.from(`short\n${long}\nafter\n`)
      const chunks: Buffer[] = []
      for (let at = 0; at < stream.length; at += step) chunks.push(stream.subarray(at, at + step))
      expect(split(chunks, 10)).toEqual(['short', [long.slice(0, 4), long.slice(-4)], 'after'])
    }),
  )
})

test('a line of exactly the maximum length is accepted', () => {
  expect(split([Buffer.from('0123456789\n')], 10)).toEqual(['0123456789'])
  expect(split([Buffer.from('0123456789X\n')], 10)).toEqual([['0123', '789X']])
})

test('a last line without newline is incomplete and dropped', () => {
  expect(split([Buffer.from('whole\nhalf')], 100)).toEqual(['whole'])
})
