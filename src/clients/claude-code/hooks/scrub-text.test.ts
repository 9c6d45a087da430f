import { expect, test } from 'vitest'

import type { Finding, Scrubbed } from '../../../core/ports.ts'
import { cleanText } from './scrub-text.ts'

/** Finds each of these words, wherever it stands. */
function finder(rule: string, token: string, ...words: string[]): (text: string) => Scrubbed {
  return (text) => {
    const findings: Finding[] = words.flatMap((word) => {
      const start = text.indexOf(word)
      return start === -1 ? [] : [{ rule, token, start, end: start + word.length }]
    })
    return { text: 'not used', findings }
  }
}
const nothing = finder('none', '')

test('secrets and what is private are replaced, and the rest stays', () => {
  const session = {
    scrub: finder('key', '[SECRET_1]', 'hunter2'),
    mask: finder('private-context', '[PRIVATE]', 'Ada'),
  }
  const { text, findings } = cleanText('Ada has hunter2.', session)
  expect(text).toBe('[PRIVATE] has [SECRET_1].')
  expect(findings.map(({ rule, start, end }) => [rule, start, end])).toEqual([
    ['private-context', 0, 3],
    ['key', 8, 15],
  ])
})

test('where both overlap, the whole stretch is private', () => {
  const session = {
    scrub: finder('key', '[SECRET_1]', 'bcd'),
    mask: finder('private-context', '[PRIVATE]', 'cdefg'),
  }
  expect(cleanText('abcdefgh', session).text).toBe('a[PRIVATE]h')
})

test('what was passed on before is looked at, and not passed on again', () => {
  const session = { scrub: finder('key', '[SECRET_1]', 'password: hunter2'), mask: nothing }
  expect(cleanText('hunter2 and more', session, { before: 'password: ' })).toMatchObject({
    text: '[SECRET_1] and more',
    findings: [{ start: 0, end: 7 }],
  })
  // The twin: without it nothing speaks for the value.
  expect(cleanText('hunter2 and more', session).text).toBe('hunter2 and more')
})

test('a secret of many lines can leave as many behind', () => {
  const session = { scrub: finder('key', '[SECRET_1]', 'BEGIN\nx\nEND'), mask: nothing }
  expect(cleanText('a\nBEGIN\nx\nEND\nb', session, { keepLines: true }).text).toBe('a\n[SECRET_1]\n\n\nb')
  expect(cleanText('a\nBEGIN\nx\nEND\nb', session).text).toBe('a\n[SECRET_1]\nb')
})
