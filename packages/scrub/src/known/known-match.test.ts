import { describe, expect, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { formsOf, type KnownForm } from './known-forms.ts'
import { matchAt, withItsEdges } from './known-match.ts'
import { windowLength } from './known-windows.ts'

const random = seededRandom(6)
const value = makeSample('{alnum:40}', random).text
const [plain] = formsOf(value) as [KnownForm]

/** Compares where the window with that offset stands in the text. */
function match(text: string, form = plain, offset = 8): ReturnType<typeof matchAt> {
  const window = form.body.slice(offset, offset + windowLength)
  return matchAt(text, form, offset, text.indexOf(window) + windowLength - 1)
}

const spaced = (gap: string): string => value.split('').join(gap)

describe('a value', () => {
  test('is matched from its first to its last character', () => {
    expect(match(`..${value}..`)).toEqual({ start: 2, end: 42, hasStart: true, hasEnd: true, isEnough: true })
  })

  test('is matched with line breaks and indentation in it, but not over wide gaps', () => {
    const broken = (gap: string): string => `${value.slice(0, 20)}${gap}${value.slice(20)}`
    expect(match(broken(`" +\n${' '.repeat(20)}"`))).toMatchObject({ hasStart: true, hasEnd: true })
    expect(match(broken(' '.repeat(33)))).toMatchObject({ hasStart: true, hasEnd: false })
  })

  test('is matched with something between all its characters, but not scattered over a page', () => {
    const match7 = (gap: string) => matchAt(spaced(gap), plain, 0, 6 * (gap.length + 1))
    expect(match7(' - ')).toMatchObject({ isEnough: true, hasEnd: true })
    expect(match7(' '.repeat(20))).toMatchObject({ isEnough: false, hasEnd: true })
  })

  test('counts when enough of it is there', () => {
    expect(match(`${value.slice(0, 18)}...`)).toMatchObject({ isEnough: true, hasEnd: false, end: 18 })
    expect(match(`...${value.slice(6, 24)}...`)).toMatchObject({ isEnough: true, start: 3, end: 21 })
    expect(match(`${value.slice(6, 20)}...`)).toMatchObject({ isEnough: false })
  })

  test('does not count by the words in it', () => {
    const [url] = formsOf(
      `postgres://app:${makeSample('{alnum:12}', random).text}@primary.example.com/app`,
    ) as [KnownForm]
    expect(matchAt('primary.example.com/app', url, 24, 6)).toMatchObject({ isEnough: false })
    const offset = url.body.indexOf('primary')
    expect(matchAt('primary.example.com/app', url, offset, 6)).toMatchObject({ isEnough: false, end: 23 })
    expect(matchAt(url.body.slice(4), url, offset, offset + 2)).toMatchObject({ isEnough: true })
  })

  test('does not count where another window has the same hash', () => {
    expect(matchAt('abcdefghijklmnop', plain, 0, 6)).toMatchObject({ isEnough: false })
  })
})

describe('what belongs to a match', () => {
  const edges = (form: KnownForm, text: string, start: number, end: number): string => {
    const stretch = withItsEdges(text, form, { start, end, hasStart: true, hasEnd: true, isEnough: true })
    return text.slice(stretch.start, stretch.end)
  }
  const ofUnit = (unit: KnownForm['unit']): KnownForm => ({ ...plain, unit })

  test('the signs at the ends of the value, where they stand', () => {
    const form = { ...plain, lead: '$!', tail: '?' }
    expect(edges(form, 'a $!abc? b', 4, 7)).toBe('$!abc?')
    expect(edges(form, 'a $ ! abc ? b', 6, 9)).toBe('$ ! abc ?')
    expect(edges(form, 'a !abc! b', 3, 6)).toBe('abc')
  })

  test('the neighbour in base64, which holds bits of it, and padding', () => {
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
  ])('what introduces a byte: %s', (text, start) => {
    expect(edges(ofUnit('escape'), ` menu ${text}`, 6 + start, 6 + text.replace(/[;}]$/, '').length)).toBe(
      text,
    )
  })

  test('nothing of the word before it', () => {
    expect(edges(ofUnit('escape'), 'menu 4142', 5, 9)).toBe('4142')
    expect(edges(ofUnit('escape'), 'menu4142', 4, 8)).toBe('4142')
  })
})
