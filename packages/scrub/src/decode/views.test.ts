import { gzipSync } from 'node:zlib'

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { findHidden, sampleSecret, payloads, viewTextsOf, fixedRuns } from '../../test/decode-probe.ts'
import { viewsOf } from './views.ts'

const each = (text: string, write: (char: string) => string): string => text.split('').map(write).join('')
const hexOf = (char: string): string => char.charCodeAt(0).toString(16).padStart(2, '0')

/** Encodings whose output is a single line of text that can be encoded again. */
const layers: Record<string, (text: string) => string> = {
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  hex: (text) => Buffer.from(text).toString('hex'),
  percent: (text) => each(text, (char) => `%${hexOf(char)}`),
  url: encodeURIComponent,
  json: (text) => JSON.stringify(text),
  unicode: (text) => each(text, (char) => `\\u00${hexOf(char)}`),
  entities: (text) => each(text, (char) => `&#${char.charCodeAt(0)};`),
  gzip: (text) => gzipSync(text).toString('base64'),
  colours: (text) => `\x1b[32m${text.slice(0, 5)}\x1b[0m${text.slice(5)}`,
  bytes: (text) => JSON.stringify([...Buffer.from(text)]),
}

describe('nested encodings', () => {
  test('a secret is found through up to four layers', () => {
    const names = fc.array(fc.constantFrom(...Object.keys(layers)), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(payloads, names, ({ text, secret }, chain) => {
        const encoded = chain.reduce((inner, name) => layers[name]!(inner), text)
        if (encoded.includes(secret)) return
        const { start, end } = findHidden(`out: ${encoded} end`, secret)!
        expect(start).toBeGreaterThanOrEqual(5)
        expect(end).toBeLessThanOrEqual(5 + encoded.length)
      }),
      { ...fixedRuns, numRuns: 300 },
    )
  })
})

describe('ordinary text has no views', () => {
  test.each([
    ['source', `export const pattern = /^[a-z]+$/\nconst list = [1, 2, 3]\nif (a && b) return c % 2 === 0\n`],
    ['JSON', JSON.stringify({ name: 'x', version: '1.2.3', list: [1, 2, 3], nested: { a: null } }, null, 2)],
    [
      'prose',
      'It is what it is. "Quoted words," she said, and 50% of them were right & well.\n\nNew paragraph.',
    ],
    ['a log', '2026-07-19T10:00:00.123Z INFO [main] started in 1234 ms (pid 4321)\n'.repeat(5)],
    ['a table', '| a | b |\n|---|---|\n| 1 | 2 |\n'],
  ])('%s', (_, text) => {
    expect(viewsOf(text)).toEqual([])
  })

  test('control: the same text with an encoded secret has one', () => {
    expect(viewTextsOf(`const list = [1, 2, 3]\nconst token = '${layers.base64!(sampleSecret)}'\n`)).toEqual([
      sampleSecret,
    ])
  })
})

describe('any text', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ maxLength: 300 }),
    fc
      .array(
        fc.constantFrom(
          '%',
          '\\',
          '&',
          '=',
          '"',
          "' '",
          '\n',
          '\x1b[',
          '\b',
          '\0',
          '0x6',
          '67 ',
          'AAAA',
          '\ud800',
          '\u200b',
          '#1',
          'u0041',
          ';',
        ),
        {
          maxLength: 200,
        },
      )
      .map((parts) => parts.join('')),
  )

  test('is decoded without errors, and views only have locations inside it', () => {
    fc.assert(
      fc.property(anything, (text) => {
        for (const view of viewsOf(text)) {
          for (const [from, to] of [
            [0, view.text.length],
            [0, 1],
            [view.text.length - 1, view.text.length],
          ] as const) {
            const { start, end } = view.locate(from, to)
            expect(0 <= start && start <= end && end <= text.length).toBe(true)
          }
        }
      }),
      { ...fixedRuns, numRuns: 1000 },
    )
  })

  test.each([
    '',
    'short',
    '\0\0\0\0\0\0\0\0\0',
    '\ud800\udfff\ud800 lone',
    '\ufeff\ufeff\ufeff\ufeff\ufeff\ufeff\ufeff\ufeff',
  ])('%o has no views', (text) => {
    expect(viewsOf(text)).toEqual([])
  })

  test('a very long line is decoded', () => {
    const long = `${'word and word, '.repeat(500_000)}${layers.base64!(sampleSecret)}`
    expect(viewTextsOf(long)).toEqual([sampleSecret])
    expect(viewTextsOf('A'.repeat(8_000_000))).toEqual([])
  })
})

describe('pathological texts', () => {
  const size = 64 << 10
  const line = `${Buffer.from('this is a line of text and no more').toString('base64')}${'/'.repeat(28)}\n`
  const patterns = [
    '%',
    '\\',
    '=',
    'A',
    '&',
    '"',
    '0',
    ' ',
    '\n',
    '\b',
    '\0',
    'a\0',
    '%25',
    '\\\\"',
    '&amp;',
    '\x1b[',
    '\x1b]x',
  ]
  const more = [
    '=20a',
    'a"+"',
    'a" ',
    'a=\n',
    '67 ',
    '0000 ',
    '103, ',
    '0x67,',
    'U+0041 ',
    '[0;0',
    '=?a?b?',
    'a1b2c3d4e5f6g7h8i9j0\n',
  ]
  const sizes = (text: string, depth: number): number =>
    depth === 0
      ? 0
      : viewsOf(text).reduce((sum, view) => sum + view.text.length + sizes(view.text, depth - 1), 0)

  test.each([...patterns, ...more, 'aGVsbG8gd29ybGQg/', 'H4sIAAAAAAAAA0vP\n', 'eJxLzyiId8vOyioy\n', line])(
    '%o repeated: views are at most twice as long as the text',
    (pattern) => {
      const text = pattern.repeat(Math.ceil(size / pattern.length))
      const total = viewsOf(text).reduce((sum, view) => sum + view.text.length, 0)
      expect(total).toBeLessThanOrEqual(2 * text.length + (64 << 10))
      expect(sizes(text, 5)).toBeLessThanOrEqual(8 * text.length)
    },
  )

  test('compression bombs expand to at most a megabyte in total', () => {
    const bomb = gzipSync(Buffer.alloc(4_000_000, 'a text of a bomb ')).toString('base64')
    const total = viewsOf(`${bomb}\n\n`.repeat(20)).reduce((sum, view) => sum + view.text.length, 0)
    expect(total).toBeLessThanOrEqual((1 << 20) + 20 * 256)
    expect(total).toBeGreaterThan(1 << 19)
  })
})
