import { describe, expect, it, test } from 'vitest'

import { seededRandom } from '../../testing/secret-samples.ts'
import { losslessBytes, createTextReader } from './lossless-text.ts'

const readAll = (bytes: Uint8Array, cuts: readonly number[] = []): string => {
  const reader = createTextReader()
  const borders = [0, ...cuts, bytes.length]
  return (
    borders
      .slice(1)
      .map((end, i) => reader.read(bytes.subarray(borders[i], end)))
      .join('') + reader.end()
  )
}

describe('bytes that are UTF-8', () => {
  const text = 'plain, ümläut, \u0000, 漢字, \uFEFF, 🔑 and 👩‍👩‍👧'
  const bytes = Buffer.from(text)

  it('decode to their text and back to the same bytes', () => {
    expect(readAll(bytes)).toBe(text)
    expect(losslessBytes(text)).toEqual(bytes)
  })

  it('decode to the same text wherever they are split', () => {
    for (let cut = 0; cut <= bytes.length; cut++) expect(readAll(bytes, [cut])).toBe(text)
    const single = Array.from({ length: bytes.length - 1 }, (_, i) => i + 1)
    expect(readAll(bytes, single)).toBe(text)
  })
})

describe('bytes that are not UTF-8', () => {
  test.each([
    ['a lone continuation', [0x41, 0x80, 0x42], 'A\udc80B'],
    ['a character cut off at the end', [0x41, 0xf0, 0x9f, 0x94], 'A\udcf0\udc9f\udc94'],
    ['an overlong slash', [0xc0, 0xaf], '\udcc0\udcaf'],
    ['an overlong character of three', [0xe0, 0x80, 0xaf], '\udce0\udc80\udcaf'],
    ['an encoded surrogate', [0xed, 0xb2, 0x80], '\udced\udcb2\udc80'],
    ['beyond the last character', [0xf4, 0x90, 0x80, 0x80], '\udcf4\udc90\udc80\udc80'],
    ['bytes that never occur', [0xff, 0xfe, 0xf5], '\udcff\udcfe\udcf5'],
    [
      'a valid character after an invalid byte',
      [0xff, 0xe6, 0xbc, 0xa2, 0xf0, 0x9f, 0x94, 0x91],
      '\udcff漢🔑',
    ],
  ])('%s', (_, bytes, text) => {
    const given = Buffer.from(bytes)
    for (let cut = 0; cut <= given.length; cut++) expect(readAll(given, [cut])).toBe(text)
    expect(losslessBytes(text)).toEqual(given)
  })

  it('survive a round trip, at random and in random chunks', () => {
    const random = seededRandom(3)
    // Mostly start and continuation bytes, so that complete, broken and truncated characters all occur.
    const likely = [0x41, 0x80, 0xbf, 0xc3, 0xe2, 0xed, 0xf0, 0x9f, 0x90]
    for (let round = 0; round < 500; round++) {
      const bytes = Uint8Array.from({ length: Math.floor(random() * 40) }, () =>
        random() < 0.3 ? Math.floor(random() * 256) : likely[Math.floor(random() * likely.length)]!,
      )
      const cuts = [random(), random()].map((part) => Math.floor(part * bytes.length)).sort((a, b) => a - b)
      expect(readAll(bytes, cuts)).toBe(readAll(bytes))
      expect([...losslessBytes(readAll(bytes, cuts))]).toEqual([...bytes])
    }
  })

  it('decode like other decoders where they are valid', () => {
    const random = seededRandom(4)
    for (let round = 0; round < 200; round++) {
      const good = String.fromCodePoint(
        ...Array.from(
          { length: 6 },
          () => [0x24, 0xe9, 0x20ac, 0xffff, 0x1f511, 0x10ffff][Math.floor(random() * 6)]!,
        ),
      )
      const bytes = Buffer.concat([Buffer.from(good), Buffer.from([0xff]), Buffer.from(good)])
      expect(readAll(bytes)).toBe(`${good}\udcff${good}`)
    }
  })
})

it('encodes any other lone surrogate as a replacement character', () => {
  expect(losslessBytes('a\ud800b\udfffc').toString()).toBe('a\ufffdb\ufffdc')
})
