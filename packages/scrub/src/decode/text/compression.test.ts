import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { inflateLimit, markedCompression, mayBeDeflated, unpacked } from './compression.ts'
import { payloads, steady } from '../../../test/decode-probe.ts'

const budget = (left = inflateLimit): { left: number } => ({ left })

test('gzip and zlib are known by their marks', () => {
  expect(markedCompression(gzipSync('abc'))).toBe('gzip')
  for (const level of [1, 5, 6, 9]) expect(markedCompression(deflateSync('abc', { level }))).toBe('zlib')
  expect([markedCompression(Buffer.from('xyz')), markedCompression(Buffer.from('abc'))]).toEqual([
    undefined,
    undefined,
  ])
})

test('deflate without a mark is known by what it begins with', () => {
  fc.assert(
    fc.property(payloads, fc.constantFrom(1, 6, 9), ({ text }, level) => {
      expect(mayBeDeflated(deflateRawSync(text, { level }).subarray(0, 12))).toBe(true)
    }),
    steady,
  )
})

test('few hashes begin like it', () => {
  const tried = 4000
  let taken = 0
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 12, maxLength: 12 }), (bytes) => {
      if (mayBeDeflated(bytes)) taken++
    }),
    { ...steady, numRuns: tried },
  )
  expect(taken).toBeLessThan(tried / 20)
})

describe('unpacking', () => {
  const content = 'some text that is packed, and packed again: some text that is packed'
  const read = (stream: Uint8Array): string => Buffer.from(stream).toString()

  test.each([
    ['gzip', gzipSync(content)],
    ['zlib', deflateSync(content)],
    ['deflate', deflateRawSync(content)],
  ] as const)('%s ends where it ends', (kind, stream) => {
    const { content: found, used } = unpacked(Buffer.concat([stream, Buffer.from('rest')]), kind, budget())!
    expect([read(found), used]).toEqual([content, stream.length])
  })

  test('a name and a comment in front are skipped', () => {
    const plain = gzipSync(content)
    const named = Buffer.concat([plain.subarray(0, 10), Buffer.from('a.txt\0words\0'), plain.subarray(10)])
    named[3] = 8 | 16
    expect(read(unpacked(named, 'gzip', budget())!.content)).toBe(content)
  })

  test('all of a text together keep to the budget, and each gets a little', () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000, 'a'))
    const shared = budget(5000)
    const lengths = [0, 1, 2].map(() => unpacked(bomb, 'gzip', shared)!.content.length)
    expect(lengths).toEqual([5000, 256, 256])
  })

  test('what breaks is kept only behind a mark', () => {
    const broken = Buffer.concat([deflateRawSync(content).subarray(0, 30), Buffer.alloc(200, 0xff)])
    expect(unpacked(broken, 'deflate', budget())).toBeUndefined()
    expect(
      read(unpacked(Buffer.concat([Buffer.from([0x78, 0x9c]), broken]), 'zlib', budget())!.content),
    ).toContain('some')
  })
})
