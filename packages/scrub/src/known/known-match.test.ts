import { describe, expect, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { formsOf, type KnownForm } from './known-forms.ts'
import { matchAt, withEdges } from './known-match.ts'
import { windowLength } from './known-windows.ts'

const random = seededRandom(6)
const value = makeSample('{alnum:40}', random).text
const [plain] = formsOf(value) as [KnownForm]

/** Compares the form with the text where its window at `offset` occurs. */
function match(text: string, form = plain, offset = 8): ReturnType<typeof matchAt> {
  const window = form.body.slice(offset, offset + windowLength)
  return matchAt(text, form, offset, text.indexOf(window) + windowLength - 1)
}

const withGaps = (gap: string): string => value.split('').join(gap)

describe('a value', () => {
  test('is matched from its first to its last character', () => {
    expect(match(`..${value}..`)).toEqual({ start: 2, end: 42, hasStart: true, hasEnd: true, isEnough: true })
  })

  test('is matched across line breaks and indentation, but not across wide gaps', () => {
    const broken = (gap: string): string => `${value.slice(0, 20)}${gap}${value.slice(20)}`
    expect(match(broken(`" +\n${' '.repeat(20)}"`))).toMatchObject({ hasStart: true, hasEnd: true })
    expect(match(broken(' '.repeat(33)))).toMatchObject({ hasStart: true, hasEnd: false })
  })

  test('is matched with separators between all characters, but not if they are far apart', () => {
    const match7 = (gap: string) => matchAt(withGaps(gap), plain, 0, 6 * (gap.length + 1))
    expect(match7(' - ')).toMatchObject({ isEnough: true, hasEnd: true })
    expect(match7(' '.repeat(20))).toMatchObject({ isEnough: false, hasEnd: true })
  })

  test('is matched by a long enough part', () => {
    expect(match(`${value.slice(0, 18)}...`)).toMatchObject({ isEnough: true, hasEnd: false, end: 18 })
    expect(match(`...${value.slice(6, 24)}...`)).toMatchObject({ isEnough: true, start: 3, end: 21 })
    expect(match(`${value.slice(6, 20)}...`)).toMatchObject({ isEnough: false })
  })

  test('is not matched by the words in it', () => {
    const [url] = formsOf(
      `postgres://app:${makeSample('{alnum:12}', random).text}@primary.example.com/app`,
    ) as [KnownForm]
    expect(matchAt('primary.example.com/app', url, 24, 6)).toMatchObject({ isEnough: false })
    const offset = url.body.indexOf('primary')
    expect(matchAt('primary.example.com/app', url, offset, 6)).toMatchObject({ isEnough: false, end: 23 })
    expect(matchAt(url.body.slice(4), url, offset, offset + 2)).toMatchObject({ isEnough: true })
  })

  test('is not matched by a hash collision', () => {
    expect(matchAt('abcdefghijklmnop', plain, 0, 6)).toMatchObject({ isEnough: false })
  })
})

describe('a match includes', () => {
  const edges = (form: KnownForm, text: string, start: number, end: number): string => {
    const range = withEdges(text, form, { start, end, hasStart: true, hasEnd: true, isEnough: true })
    return text.slice(range.start, range.end)
  }
  const ofUnit = (unit: KnownForm['unit']): KnownForm => ({ ...plain, unit })

  test('the punctuation at the ends of the value, if present', () => {
    const form = { ...plain, prefix: '$!', suffix: '?' }
    expect(edges(form, 'a $!abc? b', 4, 7)).toBe('$!abc?')
    expect(edges(form, 'a $ ! abc ? b', 6, 9)).toBe('$ ! abc ?')
    expect(edges(form, 'a !abc! b', 3, 6)).toBe('abc')
  })

  test('the adjacent base64 characters, which contain bits of it, and padding', () => {
    expect(edges(ofUnit('base64'), 'AAAAAAAAbcdBBBBBBBB', 8, 11)).toBe('AbcdB')
    expect(edges(ofUnit('base64'), '"AAbcdBBB=="', 3, 6)).toBe('AAbcdBBB==')
    expect(edges(ofUnit('base64'), '?k=bcd%3D%3D&', 3, 6)).toBe('bcd%3D%3D')
  })

  test.each([
    ['%41', 1],
    ['=41', 1],
    [String.raw`\x41`, 2],
    [String.raw`\u0041`, 4],
    ['&#x41;', 3],
    ['&#65;', 2],
    ['0x41', 2],
    ['U+0041', 4],
    [String.raw`\u{41}`, 3],
    [String.raw`\101`, 1],
  ])('the prefix of an escape: %s', (text, start) => {
    expect(edges(ofUnit('escape'), ` menu ${text}`, 6 + start, 6 + text.replace(/[;}]$/, '').length)).toBe(
      text,
    )
  })

  test('nothing of the preceding word', () => {
    expect(edges(ofUnit('escape'), 'menu 4142', 5, 9)).toBe('4142')
    expect(edges(ofUnit('escape'), 'menu4142', 4, 8)).toBe('4142')
  })
})
