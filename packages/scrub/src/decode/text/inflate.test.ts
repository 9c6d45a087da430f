import { constants, deflateRawSync } from 'node:zlib'

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { inflate } from './inflate.ts'
import { fixedRuns } from '../../../test/decode-probe.ts'

const maxLength = 1 << 20

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

describe('a complete stream', () => {
  test('returns the content and the length of the stream', () => {
    fc.assert(
      fc.property(contents, settings, fc.uint8Array({ maxLength: 5 }), (content, options, rest) => {
        const stream = deflateRawSync(content, options)
        const { content: inflated, used, status } = inflate(Buffer.concat([stream, rest]), 0, maxLength)
        expect([status, used, Buffer.compare(inflated, content)]).toEqual(['ended', stream.length, 0])
      }),
      fixedRuns,
    )
  })
})

describe('an incomplete or invalid stream', () => {
  test('returns the start of a truncated stream', () => {
    fc.assert(
      fc.property(contents, settings, fc.nat(), (content, options, cut) => {
        const stream = deflateRawSync(content, options)
        const { content: inflated, status } = inflate(stream.subarray(0, cut % stream.length), 0, maxLength)
        expect(status).toBe('truncated')
        expect(Buffer.compare(inflated, content.subarray(0, inflated.length))).toBe(0)
      }),
      fixedRuns,
    )
  })

  test('limits the output of a compression bomb', () => {
    const { content, status } = inflate(deflateRawSync(Buffer.alloc(5_000_000, 'a')), 0, 1000)
    expect([content.length, status]).toEqual([1000, 'truncated'])
  })

  test('terminates on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const { content, used, status } = inflate(bytes, 0, 4096)
        expect(['ended', 'truncated', 'invalid']).toContain(status)
        expect(content.length).toBeLessThanOrEqual(4096)
        expect(used).toBeLessThanOrEqual(bytes.length)
      }),
      { ...fixedRuns, numRuns: 2000 },
    )
  })

  test.each([
    ['an unknown block type', [0b111]],
    ['a stored block with a wrong length check', [1, 5, 0, 0, 0]],
    ['a distance beyond the start', [0b011, 0b10, 0, 0]],
  ])('%s is invalid', (_, bytes) => {
    expect(inflate(Uint8Array.from(bytes), 0, maxLength).status).toBe('invalid')
  })
})
