import { describe, expect, test } from 'vitest'

import type { CheckedTexts, KeyedText, PartOptions } from '../../../core/checks.ts'
import type { Finding, Scrubbed } from '../../../core/ports.ts'
import { createScrubEngine } from '@contextd/scrub/internal/engine'
import { performCheck } from './perform-check.ts'

const owner = { tenant: 'local', session: 's1', reader: 'main' }

interface Looks {
  readonly scrub: (text: string) => Scrubbed
  readonly mask: (text: string) => Scrubbed
}

const clean = (text: string, { scrub, mask }: Looks, options: PartOptions = {}) =>
  performCheck({ kind: 'text', value: text, ...options }, owner, {
    scrub,
    privacy: { mask },
    prepareKnown: () => 0,
  })

/** Finds each of these words anywhere. */
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

test('secrets and private context are replaced, and the rest stays', () => {
  const session = {
    scrub: finder('key', '[SECRET_1]', 'hunter2'),
    mask: finder('private-context', '[PRIVATE]', 'Ada'),
  }
  const { value, found } = clean('Ada has hunter2.', session)
  expect(value).toBe('[PRIVATE] has [SECRET_1].')
  expect(found.map(({ rule, count }) => [rule, count])).toEqual([
    ['private-context', 1],
    ['key', 1],
  ])
})

test('overlapping findings become private as a whole', () => {
  const session = {
    scrub: finder('key', '[SECRET_1]', 'bcd'),
    mask: finder('private-context', '[PRIVATE]', 'cdefg'),
  }
  expect(clean('abcdefgh', session).value).toBe('a[PRIVATE]h')
})

test('text before a part is examined, but not returned again', () => {
  const session = { scrub: finder('key', '[SECRET_1]', 'password: hunter2'), mask: nothing }
  const part = clean('hunter2 and more', session, { before: 'password: ' })
  expect(part).toMatchObject({ value: '[SECRET_1] and more', found: [{ rule: 'key', count: 1 }] })
  // Without it, nothing suggests a secret.
  expect(clean('hunter2 and more', session).value).toBe('hunter2 and more')
})

test('a multi-line secret can keep its line breaks', () => {
  const session = { scrub: finder('key', '[SECRET_1]', 'BEGIN\nx\nEND'), mask: nothing }
  expect(clean('a\nBEGIN\nx\nEND\nb', session, { keepLines: true }).value).toBe('a\n[SECRET_1]\n\n\nb')
  expect(clean('a\nBEGIN\nx\nEND\nb', session).value).toBe('a\n[SECRET_1]\nb')
})

describe('texts that belong together', () => {
  const password = 'Quite-Private-8812'

  function together(
    texts: readonly KeyedText[],
    mask: Looks['mask'] = nothing,
    known: readonly string[] = [],
  ) {
    const engine = createScrubEngine()
    for (const value of known) engine.know(value, 'set')
    const checks = { scrub: engine.scrub, privacy: { mask }, prepareKnown: engine.knownCount }
    const checked = performCheck({ kind: 'texts', value: texts }, owner, checks)
    return { ...(checked.value as CheckedTexts), found: checked.found }
  }

  test('stay unchanged if nothing is found', () => {
    expect(together([{ text: 'nothing here' }, { text: password }])).toEqual({
      changed: [undefined, undefined],
      learned: 0,
      found: [],
    })
  })

  test('lose secrets that a later one reveals', () => {
    const { changed, learned, found } = together([
      { text: `bare ${password} in the first` },
      { text: 'nothing' },
      { text: `password = "${password}"` },
    ])
    expect(changed.map((one) => one?.text)).toEqual([
      'bare [SECRET_1] in the first',
      undefined,
      'password = "[SECRET_1]"',
    ])
    expect(learned).toBe(1)
    expect(found.map(({ count }) => count)).toEqual([2])
  })

  test("lose secrets that another's field name reveals", () => {
    const texts = [{ text: `bare ${password}` }, { text: password, key: 'password' }]
    expect(together(texts).changed.map((one) => one?.text)).toEqual(['bare [SECRET_1]', '[SECRET_1]'])
    // Another field name does not suggest a secret.
    expect(together([texts[0]!, { text: password, key: 'title' }]).changed).toEqual([undefined, undefined])
  })

  test('do not report values that were already known', () => {
    const { changed, learned } = together([{ text: password }], nothing, [password])
    expect(changed).toEqual([{ text: '[SECRET_1]', rules: ['set'] }])
    expect(learned).toBe(0)
  })

  test('are masked depending on the reader', () => {
    const mask = (text: string) => ({
      text: text.replace('Ada', '[PRIVATE]'),
      findings: finder('private-context', '[PRIVATE]', 'Ada')(text).findings,
    })
    const { changed } = together([{ text: 'Ada was here' }], mask)
    expect(changed).toEqual([{ text: '[PRIVATE] was here', rules: ['private-context'] }])
  })
})
