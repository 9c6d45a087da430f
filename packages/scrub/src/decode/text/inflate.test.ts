import { constants, deflateRawSync } from 'node:zlib'

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { inflate } from './inflate.ts'
import { steady } from '../../../test/decode-probe.ts'

const plenty = 1 << 20

const contents = fc.oneof(
  fc.string({ maxLength: 400 }).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes)),
  fc
    .tuple(fc.string({ minLength: 1, maxLength: 40 }), fc.nat(3000))
    .map(([part, times]) => Buffer.from(part.repeat(times))),
)
const settings = fc.record({
  level: fc.constantFrom(0, 1, 6, 9),
  strategy: fc.constantFrom(
    constants.Z_DEFAULT_STRATEGY,
    constants.Z_HUFFMAN_ONLY,
    constants.Z_RLE,
    constants.Z_FIXED,
  ),
})

describe('a whole stream', () => {
  test('gives what was packed, and its length', () => {
    fc.assert(
      fc.property(contents, settings, fc.uint8Array({ maxLength: 5 }), (content, options, rest) => {
        const stream = deflateRawSync(content, options)
        const { content: unpacked, used, status } = inflate(Buffer.concat([stream, rest]), 0, plenty)
        expect([status, used, Buffer.compare(unpacked, content)]).toEqual(['ended', stream.length, 0])
      }),
      steady,
    )
  })
})

describe('what is no whole stream', () => {
  test('a cut one gives its beginning', () => {
    fc.assert(
      fc.property(contents, settings, fc.nat(), (content, options, cut) => {
        const stream = deflateRawSync(content, options)
        const { content: unpacked, status } = inflate(stream.subarray(0, cut % stream.length), 0, plenty)
        expect(status).toBe('cut')
        expect(Buffer.compare(unpacked, content.subarray(0, unpacked.length))).toBe(0)
      }),
      steady,
    )
  })

  test('a bomb gives as much as there is room for', () => {
    const { content, status } = inflate(deflateRawSync(Buffer.alloc(5_000_000, 'a')), 0, 1000)
    expect([content.length, status]).toEqual([1000, 'cut'])
  })

  test('any bytes end somehow', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const { content, used, status } = inflate(bytes, 0, 4096)
        expect(['ended', 'cut', 'broken']).toContain(status)
        expect(content.length).toBeLessThanOrEqual(4096)
        expect(used).toBeLessThanOrEqual(bytes.length)
      }),
      { ...steady, numRuns: 2000 },
    )
  })

  test.each([
    ['a type that does not exist', [0b111]],
    ['a copy whose length is not confirmed', [1, 5, 0, 0, 0]],
    ['a repetition of what never was', [0b011, 0b10, 0, 0]],
  ])('%s is broken', (_, bytes) => {
    expect(inflate(Uint8Array.from(bytes), 0, plenty).status).toBe('broken')
  })
})
