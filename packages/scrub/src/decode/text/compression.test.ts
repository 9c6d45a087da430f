import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { decompress, detectCompression, maxInflatedBytes, mayBeDeflated } from './compression.ts'
import { payloads, fixedRuns } from '../../../test/decode-probe.ts'

const budget = (remaining = maxInflatedBytes): { remaining: number } => ({ remaining })

test('gzip and zlib are detected by their headers', () => {
  expect(detectCompression(gzipSync('abc'))).toBe('gzip')
  for (const level of [1, 5, 6, 9]) expect(detectCompression(deflateSync('abc', { level }))).toBe('zlib')
  expect([detectCompression(Buffer.from('xyz')), detectCompression(Buffer.from('abc'))]).toEqual([
    undefined,
    undefined,
  ])
})

test('deflate without a header is detected by its first symbols', () => {
  fc.assert(
    fc.property(payloads, fc.constantFrom(1, 6, 9), ({ text }, level) => {
      expect(mayBeDeflated(deflateRawSync(text, { level }).subarray(0, 12))).toBe(true)
    }),
    fixedRuns,
  )
})

test('few hashes look like deflate streams', () => {
  const runs = 4000
  let accepted = 0
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 12, maxLength: 12 }), (bytes) => {
      if (mayBeDeflated(bytes)) accepted++
    }),
    { ...fixedRuns, numRuns: runs },
  )
  expect(accepted).toBeLessThan(runs / 20)
})

describe('decompression', () => {
  const content = 'some text that is packed, and packed again: some text that is packed'
  const read = (stream: Uint8Array): string => Buffer.from(stream).toString()

  test.each([
    ['gzip', gzipSync(content)],
    ['zlib', deflateSync(content)],
    ['deflate', deflateRawSync(content)],
  ] as const)('%s stops at the end of the stream', (kind, stream) => {
    const { content: decompressed, used } = decompress(
      Buffer.concat([stream, Buffer.from('rest')]),
      kind,
      budget(),
    )!
    expect([read(decompressed), used]).toEqual([content, stream.length])
  })

  test('skips the file name and comment of a gzip header', () => {
    const plain = gzipSync(content)
    const named = Buffer.concat([plain.subarray(0, 10), Buffer.from('a.txt\0words\0'), plain.subarray(10)])
    named[3] = 8 | 16
    expect(read(decompress(named, 'gzip', budget())!.content)).toBe(content)
  })

  test('shares one budget between streams, with a minimum for each', () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000, 'a'))
    const shared = budget(5000)
    const lengths = [0, 1, 2].map(() => decompress(bomb, 'gzip', shared)!.content.length)
    expect(lengths).toEqual([5000, 256, 256])
  })

  test('keeps the start of an invalid stream only if it has a header', () => {
    const broken = Buffer.concat([deflateRawSync(content).subarray(0, 30), Buffer.alloc(200, 0xff)])
    expect(decompress(broken, 'deflate', budget())).toBeUndefined()
    expect(
      read(decompress(Buffer.concat([Buffer.from([0x78, 0x9c]), broken]), 'zlib', budget())!.content),
    ).toContain('some')
  })
})
