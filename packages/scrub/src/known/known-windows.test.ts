import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  alphanumeric,
  createWindowIndex,
  minBodyLength,
  skeletonOf,
  visible,
  windowLength,
} from './known-windows.ts'

const seed = 20260719
const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'.split(''))
const separator = fc.constantFrom('', '', '', ' ', '-', '\n', '\u{200b}', ' | ', '…')
const bodies = fc.array(letter, { minLength: minBodyLength, maxLength: 128 }).map((chars) => chars.join(''))

interface Seen {
  readonly id: number
  readonly offset: number
  readonly last: number
}

function scan(bodyOf: readonly string[], text: string, minLength = Infinity): Seen[] {
  const index = createWindowIndex(alphanumeric)
  for (const [id, body] of bodyOf.entries()) index.add(id, body, Math.min(minLength, body.length))
  const seen: Seen[] = []
  index.scan(text, (id, offset, last) => seen.push({ id, offset, last }))
  return seen
}

describe('the skeleton of a text', () => {
  test.each([
    ['a-B_c 1\n2', 'aBc12'],
    ['é1ü2', '12'],
    ['ＡＢ１', 'AB1'],
    ['\u{10}\u{19}', ''],
  ])('of %j is %j', (text, skeleton) => {
    expect(skeletonOf(text, alphanumeric)).toBe(skeleton)
  })

  test('with the visible alphabet excludes white space and invisible characters', () => {
    expect(skeletonOf('ä \u{200b}!\u{feff}\u{ad}\n！', visible)).toBe('ä!!')
  })
})

test('every part of the minimum length is reported, at any offset and with any separators between its characters', () => {
  fc.assert(
    fc.property(
      bodies,
      fc.nat(),
      fc.array(separator, { minLength: 128, maxLength: 128 }),
      fc.nat(3),
      (body, cut, separators, shift) => {
        const minLength = Math.min(body.length, 16)
        const from = cut % (body.length - minLength + 1)
        const before = '.'.repeat(shift)
        let text = before
        const offsets: number[] = []
        for (let i = from; i < from + minLength; i++) {
          offsets[i] = text.length
          text += body[i]! + separators[i]!
        }
        const seen = scan([body], text, minLength)
        expect(seen.some(({ offset, last }) => offsets[offset + windowLength - 1] === last)).toBe(true)
      },
    ),
    { seed, numRuns: 300 },
  )
})

test('a window across a chunk boundary is reported', () => {
  const body = 'q7w8e9r0t1'
  for (let before = 4080; before < 4100; before++) {
    expect(scan([body], `${' '.repeat(before)}${body} `)).not.toEqual([])
  }
})

test('other text is not reported', () => {
  expect(scan(['q7w8e9r0t1'], 'q7w8e9 q7w8e8r0t1 1t0r9e8w7q'.repeat(100))).toEqual([])
})

test('bodies that share all windows but one are distinguished by that one', () => {
  const shared = 'abcdefghijklmnopqrstuvwxyz'
  const many = Array.from({ length: 300 }, (_, i) => shared + String(1000 + i))
  for (const id of [0, 150, 299]) {
    expect(scan(many, many[id]!).some((seen) => seen.id === id)).toBe(true)
  }
})

test('the index keeps its entries when it grows', () => {
  const many = Array.from({ length: 5000 }, (_, i) => `key${Math.imul(i + 1, 0x9e3779b1) >>> 0}x${i}`)
  const seen = new Set(scan(many, many.join(' ')).map(({ id }) => id))
  expect(seen.size).toBe(many.length)
})

test('too many indistinguishable bodies are refused', () => {
  const index = createWindowIndex(alphanumeric)
  for (let id = 0; id < 512; id++) index.add(id, 'abcdefg1', minBodyLength)
  expect(() => index.add(512, 'abcdefg1', minBodyLength)).toThrow('look alike')
  expect(() => index.add(512, 'abcdxfg1', minBodyLength)).not.toThrow()
})

test('the alignment is constant within an occurrence, and differs between occurrences and texts', () => {
  const body = 'q7w8e9r0t1y2u3i4'
  const index = createWindowIndex(alphanumeric)
  index.add(0, body, 9)
  const alignments = (text: string): number[] => {
    const found: number[] = []
    index.scan(text, (_, offset, __, ordinal) => found.push(ordinal - offset))
    return found
  }
  const first = alignments(body.split('').join(' '))
  expect(first.length).toBeGreaterThan(2)
  expect(new Set(first).size).toBe(1)
  const twice = alignments(`${body} and again ${body}, far away${'.'.repeat(1000)}${body}`)
  expect(new Set(twice).size).toBe(3)
  expect(twice).not.toContain(first[0])
})
