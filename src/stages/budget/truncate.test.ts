import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { estimateTokens } from './estimate.ts'
import { loadTokenizer } from './tokenizer.ts'
import { truncateText, type Keep } from './truncate.ts'

const count = estimateTokens
const lines = (many: number): string =>
  Array.from({ length: many }, (_, index) => `line ${index} of the output\n`).join('')

/** Well-formed text with everything that must not be split. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '[SECRET_12]',
        '[SECRET_FORGOTTEN]',
        '👩‍💻',
        '🇩🇪🇫🇷',
        'e\u0301',
        '👍🏿',
        '\r\n',
        '\n',
        ' ',
        '漢字',
        'word ',
        '[',
        '1234567',
      ),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
    ),
    { maxLength: 120 },
  )
  .map((parts) => parts.join(''))
const anyKeep = fc.constantFrom<Keep>('head', 'head-and-tail')

test('a text that fits is unchanged', () => {
  expect(truncateText('short', 10, { keep: 'head', count })).toEqual({ text: 'short', truncated: false })
  expect(truncateText('', 0, { keep: 'head', count })).toEqual({ text: '', truncated: false })
})

test('the head is kept up to a line, and the marker says what is missing and where to continue', () => {
  const text = lines(1000)
  const { text: shortened, cut } = truncateText(text, 200, { keep: 'head', count, ref: 'ref_x' })
  const offset = text.indexOf('line 24 ')
  const tokens = count(text.slice(offset, offset + 16_384)) * ((text.length - offset) / 16_384)
  expect(cut).toEqual({ fromChar: offset, toChar: text.length, tokens: Math.round(tokens), lines: 976 })
  const about = `${Math.floor(tokens / 1000)},${String(Math.round(tokens % 1000)).padStart(3, '0')}`
  expect(shortened).toBe(
    `${text.slice(0, offset)}[… 976 lines, about ${about} tokens cut; read_more ref_x offset ${offset}]`,
  )
})

test('head and tail of command output are kept', () => {
  const { text: shortened } = truncateText(lines(1000), 200, { keep: 'head-and-tail', count })
  expect(shortened).toMatch(
    /^line 0 [\s\S]*\n\[… 97\d lines, about 6,\d{3} tokens cut\]\nline 98\d [\s\S]*line 999 of the output\n$/,
  )
})

test('one long line is cut between words, or else between characters', () => {
  const spaced = truncateText('some words in a row '.repeat(500), 60, { keep: 'head', count })
  expect(spaced.text).toMatch(/(?:some|words|in|a|row) \n\[… about 2,\d{3} tokens cut\]$/)
  const solid = truncateText('漢'.repeat(5000), 60, { keep: 'head', count })
  expect(solid.text).toMatch(/^漢+\n\[… about 4,9\d\d tokens cut\]$/)
})

test('handles a counter for which the whole costs more than its parts', () => {
  const steep = (text: string): number => Math.ceil(text.length ** 1.5 / 20)
  for (let max = 100; max < 2000; max += 100) {
    const { text } = truncateText('x'.repeat(5000), max, { keep: 'head', count: steep })
    expect(steep(text)).toBeLessThanOrEqual(max)
    expect(text).toMatch(/^x+\n/)
  }
})

test('if not even the marker fits, the result is empty and marked as truncated', () => {
  expect(truncateText(lines(100), 3, { keep: 'head', count })).toMatchObject({
    text: '',
    truncated: true,
    cut: { fromChar: 0 },
  })
})

describe('for any text', () => {
  const everyCut = (check: (text: string, max: number, keep: Keep) => void, runs = 300): void => {
    fc.assert(fc.property(anyText, fc.integer({ min: 0, max: 120 }), anyKeep, check), { numRuns: runs })
  }

  test('the result is within the limit', () => {
    everyCut((text, max, keep) => {
      const result = truncateText(text, max, { keep, count, ref: 'ref_abcdefghijklmnopqrstuv' })
      expect(count(result.text)).toBeLessThanOrEqual(max)
      expect(result.truncated).toBe(count(text) > max)
    })
  })

  test('it is within the limit of an exact tokenizer too', async () => {
    const exact = await loadTokenizer('o200k')
    everyCut((text, max, keep) => {
      expect(exact(truncateText(text, max, { keep, count: exact }).text)).toBeLessThanOrEqual(max)
    }, 100)
  })

  test('kept and cut parts add up to the text, cut between characters and tokens', () => {
    everyCut((text, max, keep) => {
      const { cut, text: shortened } = truncateText(text, max, { keep, count })
      if (cut === undefined || shortened === '') return
      expect(shortened.startsWith(text.slice(0, cut.fromChar))).toBe(true)
      expect(shortened.endsWith(text.slice(cut.toChar))).toBe(true)
      for (const part of [text.slice(0, cut.fromChar), text.slice(cut.toChar)]) {
        expect(Buffer.from(part).toString()).toBe(part)
      }
      for (const token of text.matchAll(/\[SECRET_[A-Z0-9]+\]/g)) {
        const isInside = (at: number): boolean => at > token.index && at < token.index + token[0].length
        expect(isInside(cut.fromChar) || isInside(cut.toChar)).toBe(false)
      }
    })
  })
})

test.each([
  ['head', 'a'],
  ['head', '\n'],
  ['head-and-tail', ' '],
  ['head-and-tail', 'e\u0301'],
  ['head', '👩‍💻\u200d'],
  ['head-and-tail', '漢'],
] as const)('ten million characters cost little more than what is kept (%s of %j)', (keep, unit) => {
  const text = unit.repeat(10_000_000 / unit.length)
  let counted = 0
  const counting = (part: string): number => {
    counted += part.length
    return count(part)
  }
  const { text: shortened } = truncateText(text, 2000, { keep, count: counting })
  expect(counted).toBeLessThan(40 * shortened.length + 200_000)
})
