import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { clearLength, createHeldInput } from './held-input.ts'
import { ResponseTooLarge } from './response-too-large.ts'

/** What a client has assembled when the input is complete, and what it had before. */
function passThrough(pieces: readonly string[], restore: (text: string) => string) {
  const input = createHeldInput<string>()
  const before = pieces.map((piece) => input.add(piece, piece).join('')).join('')
  const rest = input.finish(restore(input.text()))
  return { before, all: before + (rest.kind === 'same' ? rest.pieces.join('') : rest.text) }
}

const restore = (text: string): string =>
  text.replaceAll('[SECRET_1]', 'value').replaceAll('\\u005bSECRET_1]', 'value')

describe('the clear prefix', () => {
  test.each([
    ['', 0],
    ['plain text', 10],
    ['a [list] of [SECRETS]', 21],
    ['a [SECRET_1] b', 2],
    ['a [SECRET_ b', 2],
    ['a [SECRET', 2],
    ['a [', 2],
    ['a [SECRETARY]', 13],
    ['[[SECRET_1]', 1],
    ['a \\u005bSECRET_1]', 2],
    ['a \\u005BSECRET_1]', 2],
    ['a [\\u0053ECRET\\u005f1]', 2],
    ['a \\u005', 2],
    ['a \\', 2],
    ['a \\n b', 6],
    ['a \\u005c b', 10],
  ])('%j: %i characters', (text, length) => {
    expect(clearLength(text)).toBe(length)
  })
})

describe('an input in pieces', () => {
  test('gives the restored text for every split into three', () => {
    for (const text of [
      '{"a":"x [SECRET_1] [y] \\u005bSECRET_1] \\n"}',
      '{"a":["[SECRET", "_1]", "\\\\"]}',
    ]) {
      for (let first = 0; first <= text.length; first += 1) {
        for (let second = first; second <= text.length; second += 1) {
          const pieces = [text.slice(0, first), text.slice(first, second), text.slice(second)]
          const { before, all } = passThrough(pieces, restore)
          expect(all).toBe(restore(text))
          expect(text.slice(0, clearLength(text)).startsWith(before)).toBe(true)
        }
      }
    }
  })

  test('gives the restored text for any text and any split', () => {
    const part = fc.constantFrom(
      '[SECRET_1]',
      '[SECRET_',
      '[',
      '\\u005bSECRET_1]',
      '\\',
      '\\u00',
      'SECRET_1]',
      'text ',
    )
    fc.assert(
      fc.property(fc.array(part), fc.array(fc.nat(80)), (parts, cuts) => {
        const text = parts.join('')
        const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length]
        const pieces = places.slice(1).map((place, index) => text.slice(places[index], place))
        expect(passThrough(pieces, restore).all).toBe(restore(text))
        expect(passThrough(pieces, (same) => same).all).toBe(text)
      }),
    )
  })

  test('passes immediately what cannot become a token, and prefixes that did not', () => {
    const input = createHeldInput<number>()
    expect(input.add('{"list": ', 1)).toEqual([1])
    expect(input.add('[', 2)).toEqual([])
    expect(input.isHolding()).toBe(true)
    expect(input.add('"SEC"]', 3)).toEqual([2, 3])
    expect(input.isHolding()).toBe(false)
  })

  test('holds everything from the first token on', () => {
    const input = createHeldInput<number>()
    expect(input.add('{"a": "', 1)).toEqual([1])
    expect(input.add('x [SECRET_1]', 2)).toEqual([])
    expect(input.add(' plain"', 3)).toEqual([])
    expect(input.add('}', 4)).toEqual([])
    expect(input.finish('{"a": "x value plain"}')).toEqual({
      kind: 'changed',
      pieces: [2, 3, 4],
      text: 'x value plain"}',
    })
  })

  test('releases held pieces if it is incomplete or nothing was restored', () => {
    for (const restored of [undefined, '{"a": "[SECRET_1]']) {
      const input = createHeldInput<number>()
      input.add('{"a": "[SECRET_1]', 1)
      expect(input.finish(restored)).toEqual({ kind: 'same', pieces: [1] })
    }
  })

  test('rejects a change of text that was already passed on', () => {
    const input = createHeldInput<number>()
    input.add('{"a": ', 1)
    input.add('"[SECRET_1]"}', 2)
    expect(() => input.finish('{"b": "value"}')).toThrow('passed on already')
  })

  test('has a max size', () => {
    const input = createHeldInput<number>(10)
    expect(input.add('0123456789', 1)).toEqual([1])
    expect(() => input.add('0', 2)).toThrow(ResponseTooLarge)
  })
})
