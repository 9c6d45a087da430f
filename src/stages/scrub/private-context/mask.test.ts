import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { maskPrivate } from './mask.ts'
import { compileMatcher, type ContextPattern } from './matcher.ts'

const pattern = (kind: ContextPattern['kind'], text: string, ...owners: string[]): ContextPattern => ({
  kind,
  text,
  owners: new Set(owners.length === 0 ? ['scanner'] : owners),
})

const masked = (text: string, patterns: readonly ContextPattern[], caller?: string): string =>
  maskPrivate(text, compileMatcher(patterns), caller).text

describe('a name is found', () => {
  const names = ['Anna Miller', 'acct_99120', 'kestrelDb', 'Müller GmbH', '10.20.30.41', '田中太郎'].map(
    (text) => pattern('name', text),
  )

  test.each([
    ['Anna Miller'],
    ['ANNA MILLER'],
    ['anna_miller'],
    ['anna-miller'],
    ['annaMiller'],
    ['Anna\n    // Miller'],
    ['A\u{301}nna Miller'],
    ['**Anna** _Miller_'],
    ['ACCT-99120'],
    ['acct 99120'],
    ['kestrel_db'],
    ['Mu\u{308}ller GmbH'],
    ['Muller GmbH'],
    ['Ｋｅｓｔｒｅｌ db'],
    ['10.20.30.41'],
    ['10-20-30-41'],
  ])('as %j', (written) => {
    expect(masked(`(${written})`, names)).toMatch(/^\(\*{0,2}\[PRIVATE\]_?\)$/)
    expect(masked(written, [])).toBe(written)
  })

  test.each([
    ['beside words of its own line', 'if getAnnaMiller() then', 'if get[PRIVATE]() then'],
    ['in front of a number', 'anna_miller2', '[PRIVATE]2'],
    ['between letters that know no borders', '担当は田中太郎さん', '担当は[PRIVATE]さん'],
    ['in a text written as JSON', String.raw`{"a":"x\nanna miller\n"}`, String.raw`{"a":"x\n[PRIVATE]\n"}`],
    ['in an address', 'https://x.example/?q=Anna%20Miller&y', 'https://x.example/?q=[PRIVATE]&y'],
    ['with a letter escaped', String.raw`say Ann\u0061 Miller`, 'say [PRIVATE]'],
    ['with nothing to see in it', 'say An\u{200b}na Miller', 'say [PRIVATE]'],
  ])('%s', (_, text, expected) => {
    expect(masked(text, names)).toBe(expected)
  })

  test.each(['base64', 'hex'] as const)('in %s', (encoding) => {
    const encoded = Buffer.from('the report is about Anna Miller of ours').toString(encoding)
    expect(masked(`x ${encoded} y`, names)).toMatch(/^x \S*\[PRIVATE\]\S* y$/)
  })

  test.each([
    'Joanna Miller',
    'Anna Millers',
    'acct_991201',
    'xacct_99120',
    '10, 20, 30, 41',
    'Anna (see below): Miller',
  ])('but %j is different', (text) => {
    expect(masked(text, names)).toBe(text)
  })
})

describe('a word with another meaning is found', () => {
  const words = ['Grace', 'Bluebird', 'customer_billing_address'].map((text) => pattern('exact', text))

  test.each([
    ['Grace said', '[PRIVATE] said'],
    ['GRACE', '[PRIVATE]'],
    ['bluebird_db', '[PRIVATE]_db'],
    ['customer_billing_address', '[PRIVATE]'],
  ])('in %j', (text, expected) => {
    expect(masked(text, words)).toBe(expected)
  })

  test.each(['a grace period', 'gRaCe', 'bLuebird', 'the customer billing address'])(
    'but not in %j',
    (text) => {
      expect(masked(text, words)).toBe(text)
    },
  )
})

describe('a line is found', () => {
  const line = 'The nests are on the north tower, below the bell.'
  const short = '(a, b) => a + b'
  const long = `${'every word of it counts here; '.repeat(12)}and so does the end`
  const lines = [line, short, long].map((text) => pattern('line', text))

  test.each([
    ['as it is', line],
    ['wrapped and indented', line.replaceAll(' ', '\n      ')],
    ['as an item', `- [ ] ${line}`],
    ['decorated', line.replace('north tower', '**north tower**')],
    ['in a comment of code', line.replace('tower, ', 'tower,\n * ')],
    ['as JSON', JSON.stringify({ text: `${line}\n` })],
    ['one that is mostly signs', short],
    ['a part of a long one', long.slice(0, 240)],
  ])('%s', (_, text) => {
    const left = masked(text, lines)
    expect(left).toContain('[PRIVATE]')
    expect(left).not.toMatch(/nests|bell|a \+ b|every word of it counts here; every/)
  })

  test.each([
    ['half of it', 'The nests are on the north tower'],
    ['its words in another order', 'on the north tower are The nests, below the bell.'],
    ['the letters of one that is mostly signs', 'a b a b, and (a b) a b'],
  ])('but not %s', (_, text) => {
    expect(masked(text, lines)).toBe(text)
  })
})

test('a line that repeats itself is a single one', () => {
  const repeated = 'to and fro, '.repeat(300)
  expect(masked(`so ${repeated}`, [pattern('line', repeated)])).toBe('so [PRIVATE], ')
})

describe('the owner of a context', () => {
  const patterns = [
    pattern('name', 'Anna Miller', 'scanner'),
    pattern('name', 'Otto Kern', 'scanner', 'writer'),
    pattern('line', 'Anna Miller and friends', 'writer'),
  ]
  const text = 'Otto Kern met Anna Miller, then Anna Miller and friends.'

  test.each([
    ['scanner', 'Otto Kern met Anna Miller, then [PRIVATE].'],
    ['writer', 'Otto Kern met [PRIVATE], then Anna Miller and friends.'],
    ['main', '[PRIVATE] met [PRIVATE], then [PRIVATE].'],
    ['', '[PRIVATE] met [PRIVATE], then [PRIVATE].'],
    [undefined, '[PRIVATE] met [PRIVATE], then [PRIVATE].'],
  ])('%s', (caller, expected) => {
    expect(masked(text, patterns, caller)).toBe(expected)
  })
})

test('earlier masks stay unchanged', () => {
  const patterns = ['private', 'secret_1', 'Anna private Miller'].map((text) => pattern('name', text))
  expect(masked('[PRIVATE] [SECRET_1] private', patterns)).toBe('[PRIVATE] [SECRET_1] [PRIVATE]')
  expect(masked('Anna [PRIVATE] Miller', patterns)).toBe('[PRIVATE][PRIVATE][PRIVATE]')
})

describe('for any text', () => {
  const letters = fc.string({
    unit: fc.constantFrom(...Array.from('abcdefgäöxyzABCXYZ0123456789')),
    minLength: 2,
    maxLength: 8,
  })
  const name = fc
    .array(letters, { minLength: 1, maxLength: 3 })
    .map((words) => words.join(' '))
    .filter((text) => text.length >= 4 && /\p{L}/u.test(text))
  const around = fc.string({ unit: 'binary', maxLength: 40 })
  const sign = fc.constantFrom(' ', '\n', '"', '(', ')', ',', '/', '.')

  test('a name between punctuation is masked for others, and unchanged for its owner', () => {
    fc.assert(
      fc.property(around, sign, name, sign, around, (before, left, planted, right, after) => {
        const text = `${before}${left}${planted}${right}${after}`
        const patterns = [pattern('name', planted)]
        const found = maskPrivate(text, compileMatcher(patterns), 'main')
        const start = before.length + 1
        expect(found.findings.some((one) => one.start <= start && one.end >= start + planted.length)).toBe(
          true,
        )
        expect(masked(text, patterns, 'scanner')).toBe(text)
      }),
    )
  })

  test('masking is idempotent', () => {
    fc.assert(
      fc.property(
        fc.array(name, { maxLength: 5 }),
        fc.array(fc.oneof(name, around), { maxLength: 8 }),
        (names, parts) => {
          const patterns = names.map((text) => pattern('name', text))
          const once = masked(parts.join(' '), patterns)
          expect(masked(once, patterns)).toBe(once)
        },
      ),
    )
  })
})
