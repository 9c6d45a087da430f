import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { compilePattern, PatternError } from './re2.ts'

const found = (pattern: string, text: string): string[] =>
  [...compilePattern(pattern).matches(text)].map(({ start, end }) => text.slice(start, end))

const places = (pattern: string, text: string): [number, number][] =>
  [...compilePattern(pattern).matches(text)].map(({ start, end }) => [start, end])

const refusal = (pattern: string): PatternError => {
  try {
    compilePattern(pattern)
  } catch (error) {
    if (error instanceof PatternError) return error
    throw error
  }
  throw new Error(`${pattern} was not refused`)
}

describe('patterns mean what they mean in Go', () => {
  test.each<[why: string, pattern: string, text: string, expected: string[]]>([
    [String.raw`\z is the end of the text`, String.raw`a\z`, 'aza', ['a']],
    [String.raw`\A is its start`, String.raw`\Aa`, 'a\na', ['a']],
    ['$ is the end of the text, not of a line', 'a$', 'a\nba', ['a']],
    ['$ is not before a last line break', 'a$', 'a\n', []],
    ['^ is the start of the text', '^a', 'a\na', ['a']],
    ['(?m) makes both match at lines', '(?m)^a$', 'a\nb\na', ['a', 'a']],
    ['. is everything but a line feed', '.', '\r\u2028\u2029\u0085\n', ['\r', '\u2028', '\u2029', '\u0085']],
    ['(?s) makes . match everything', '(?s).', '\n', ['\n']],
    ['(?s: is scoped to its group', '(?s:a.)b.', 'a\nb\n', []],
    [
      String.raw`\s is ASCII and without \v`,
      String.raw`\s`,
      '\v\u00A0\u2003\uFEFF\t\n\f\r ',
      ['\t', '\n', '\f', '\r', ' '],
    ],
    [String.raw`\S is the rest`, String.raw`\S`, '\v\u00A0 ', ['\v', '\u00A0']],
    [String.raw`\w is ASCII`, String.raw`\w+`, 'éa_1ñ', ['a_1']],
    [String.raw`\d is ASCII`, String.raw`\d+`, '٣12٣', ['12']],
    [String.raw`\b is ASCII`, String.raw`\ba`, 'éa', ['a']],
    [String.raw`\B is too`, String.raw`\Ba`, 'éa ba', ['a']],
    ['[[:alnum:]] is a class', '[[:alnum:]]+', ':a1[é', ['a1']],
    ['[[:^space:]] is its opposite', '[[:^space:]]+', 'a b', ['a', 'b']],
    ['[^a] matches line breaks', '[^a]', 'a\n', ['\n']],
    ['(?i) applies from its position on', 'a(?i)b', 'aB AB', ['aB']],
    ['(?i) ends with its group', '(?:(?i)a)b', 'Ab AB', ['Ab']],
    ['(?i: is scoped to its group', '(?i:a)b', 'Ab AB', ['Ab']],
    ['(?-i: turns it off', '(?i)a(?-i:b)', 'Ab AB', ['Ab']],
    ['(?i) folds beyond ASCII', '(?i)k', '\u212A', ['\u212A']],
    ['(?i) folds classes', '(?i)[k-l]+', 'Kl\u212A', ['Kl\u212A']],
    ['(?U) swaps greed', '(?U)a+', 'aa', ['a', 'a']],
    ['the first alternative wins, not the longest', 'a|ab', 'ab', ['a']],
    ['lazy repeats are lazy', 'a+?', 'aa', ['a', 'a']],
    [String.raw`\pL is any letter`, String.raw`\pL+`, 'aé1', ['aé']],
    [String.raw`\p{Greek} is a script`, String.raw`\p{Greek}`, 'aα', ['α']],
    [String.raw`\PL is its opposite`, String.raw`\PL`, 'a1', ['1']],
    [String.raw`\Q…\E quotes`, String.raw`\Qa.b\E+`, 'a.bb axb', ['a.bb']],
    [String.raw`\Q without \E quotes to the end`, String.raw`\Q(a`, '(a', ['(a']],
    [String.raw`\x{…} is a code point`, String.raw`\x{10FFFF}`, '\u{10FFFF}', ['\u{10FFFF}']],
    [String.raw`\x41 too`, String.raw`\x41`, 'A', ['A']],
    ['three digits are octal, not a reference', String.raw`\101`, 'A', ['A']],
    ['an invalid count is literal text', 'a{,2}', 'a{,2}aa', ['a{,2}']],
    ['] may come first in a class', '[]a]+', ']a', [']a']],
    ['NUL is a character', String.raw`\x00`, 'a\0', ['\0']],
    ['. matches a whole character', '.', '\u{1F600}a', ['\u{1F600}', 'a']],
    ['a class matches whole characters', '[^a]', '\u{1F600}', ['\u{1F600}']],
  ])('%s', (_, pattern, text, expected) => {
    expect(found(pattern, text)).toEqual(expected)
  })

  test('groups have their own offsets, with either name syntax or none', () => {
    const [match] = compilePattern('(?P<key>a+)=(?<value>b+)(c)?').matches('xaa=bb')
    expect(match).toEqual({
      start: 1,
      end: 6,
      groups: [
        { start: 1, end: 3 },
        { start: 4, end: 6 },
        { start: -1, end: -1 },
      ],
    })
  })

  test('test() agrees with matches() on whether there is a match', () => {
    const pattern = compilePattern(String.raw`(?m)^key\b.*$`)
    expect(pattern.test('a\nkey 1')).toBe(true)
    expect(pattern.test('a\nkeys 1')).toBe(false)
  })
})

describe('empty matches', () => {
  test.each<[pattern: string, text: string, expected: string]>([
    ['', 'ab', '0-0 1-1 2-2'],
    ['a*', 'baac', '0-0 1-3 4-4'],
    ['a*?', 'aa', '0-0 1-1 2-2'],
    [String.raw`\b`, 'ab c', '0-0 2-2 3-3 4-4'],
    ['$', 'ab', '2-2'],
    ['x*', '\u{1F600}', '0-0 2-2'],
    ['x*', '\uD83D', '0-0 1-1'],
    ['', '', '0-0'],
  ])('%j in %j are the same as in Go', (pattern, text, expected) => {
    const shown = places(pattern, text).map(([start, end]) => `${start}-${end}`)
    expect(shown.join(' ')).toBe(expected)
  })
})

describe('lone surrogates', () => {
  test('match as single characters', () => {
    expect(found('.', '\uD83Da\uDE00')).toEqual(['\uD83D', 'a', '\uDE00'])
    expect(found('a(.)b', 'a\uDC00b')).toEqual(['a\uDC00b'])
  })

  test('are not matched inside surrogate pairs', () => {
    expect(places(String.raw`\x{D83D}`, '\u{1F600}')).toEqual([])
    expect(places(String.raw`\x{DE00}`, '\u{1F600}')).toEqual([])
    expect(places(String.raw`\x{D83D}`, '\uD83D')).toEqual([[0, 1]])
  })
})

describe('rejected patterns', () => {
  test.each<[pattern: string, position: number, reason: RegExp]>([
    ['a(?=b)', 1, /not support lookahead/],
    ['a(?!b)', 1, /not support lookahead/],
    ['ab(?<=b)', 2, /does not support lookahead or lookbehind/],
    ['ab(?<!b>)', 2, /lookbehind/],
    [String.raw`\\1(a)\1`, 6, /backreferences/],
    [String.raw`(?P<n>a)\k<n>`, 8, /backreferences/],
    ['(?P<n>a)(?P=n)', 8, /backreferences/],
    ['a(?>b)', 1, /"\(\?>" is not RE2 syntax/],
    ['(?x)a', 0, /not RE2 syntax/],
    ['a++', 1, /"\+\+" repeats a repetition/],
    ['[a-z][z-a]', 6, /"z-a" is in reverse order/],
    ['a{1000}b{1001}', 8, /"\{1001\}" is not a valid count/],
    ['a{2,1}', 1, /is not a valid count/],
    ['(?:a{100}){11}', 10, /is not a valid count/],
    ['a|*b', 2, /nothing precedes "\*"/],
    ['[[:alpha:][:alfa:]]', 10, /unknown character class "\[:alfa:\]"/],
    [String.raw`\pL\pX`, 3, /unknown character class/],
    [String.raw`a\Z`, 1, /"\\Z" is not an escape sequence/],
    [String.raw`a\y`, 1, /"\\y" is not an escape sequence/],
    [String.raw`\C`, 0, /is not an escape sequence/],
    ['(?P<a>b)(?P<a>c)', 12, /two groups have the name "a"/],
    ['(?P<a-b>c)', 0, /group name/],
    ['x(?P<a', 1, /group name/],
    ['(a)(b', 3, /not closed/],
    [String.raw`\(([)]\Q(\E`, 2, /group is not closed/],
    ['(a))b', 3, /no group is open/],
    ['ab[cd', 2, /class is not closed/],
    [String.raw`\\a` + '\\', 3, /ends in a backslash/],
    ['('.repeat(1001) + ')'.repeat(1001), 0, /nested more than 1000/],
  ])('%s at %i', (pattern, position, reason) => {
    const error = refusal(pattern)
    expect(error.reason).toMatch(reason)
    expect(error.position).toBe(position)
    expect(error.message).toBe(`${error.reason}, at character ${position + 1}`)
  })

  test.each(['a{1000}', '(?:a{100}){10}', '(?<n>a)(?<m>b)', String.raw`\\1`, '[a-]', '(?i)(?s:.)', '(?:)'])(
    'accepts %s',
    (pattern) => {
      expect(compilePattern(pattern).source).toBe(pattern)
    },
  )
})

describe('a search can be stopped', () => {
  const stopAfter = (checks: number) => () => {
    if (--checks < 0) throw new Error('out of time')
  }
  const text = `${'x'.repeat(100_000)}y`

  test('inside one search, anywhere in the engine', () => {
    const pattern = compilePattern('[a-z]{50}[^y]y|yz')
    expect(() => pattern.test(text, stopAfter(3))).toThrow('out of time')
    expect(() => [...compilePattern('x+x+x+z?y').matches(text, stopAfter(3))]).toThrow('out of time')
  })

  test('between matches', () => {
    expect(() => [...compilePattern('x').matches(text, stopAfter(1000))]).toThrow('out of time')
  })

  test('and repeated afterwards', () => {
    const pattern = compilePattern('(x+)y')
    expect(() => [...pattern.matches(text, stopAfter(3))]).toThrow('out of time')
    expect(places('(x+)y', text)).toEqual([[0, text.length]])
    expect([...pattern.matches('axy')]).toEqual([{ start: 1, end: 3, groups: [{ start: 1, end: 2 }] }])
  })

  test('and has the same matches with and without a clock', () => {
    const pattern = compilePattern(String.raw`\bx{3,7}`)
    const withClock = [...pattern.matches(`${text} xxxx`, () => {})]
    expect(withClock).toEqual([...pattern.matches(`${text} xxxx`)])
    expect(withClock).toHaveLength(2)
  })
})

/** Pieces that form many valid patterns, and some invalid ones. */
const pieces = [
  ...Array.from('abc01 .*+?|()[]{}^$\\-:=<>!,\0\n\uD83D\u{1F600}'),
  ...String.raw`(?i) (?: (?s: (?P<n> (?= [^ [[:alnum:]] {2} {1,3} {0,} \b \w \s \z \pL \Q \E \x{41}`.split(
    ' ',
  ),
]
const anyPattern = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''))
const anyText = fc
  .array(fc.constantFrom('a', 'b', 'B', '0', ' ', '\n', '\0', '\uD83D', '\uDE00', '\u{1F600}', 'é', '('), {
    maxLength: 30,
  })
  .map((parts) => parts.join(''))

test('no pattern or text crashes or hangs, and matches are ordered and inside the text', () => {
  let compiled = 0
  fc.assert(
    fc.property(anyPattern, anyText, (source, text) => {
      let pattern
      try {
        pattern = compilePattern(source)
      } catch (error) {
        expect(error).toBeInstanceOf(PatternError)
        const { position } = error as PatternError
        expect(position).toBeGreaterThanOrEqual(0)
        expect(position).toBeLessThan(source.length)
        return
      }
      compiled++
      let last = -1
      let count = 0
      for (const { start, end, groups } of pattern.matches(text)) {
        expect(start).toBeGreaterThanOrEqual(Math.max(last, 0))
        expect(end).toBeGreaterThanOrEqual(start)
        expect(end).toBeLessThanOrEqual(text.length)
        expect(groups).toHaveLength(pattern.groupCount)
        for (const group of groups) {
          expect(group.start === -1 || (start <= group.start && group.end <= end)).toBe(true)
        }
        last = end
        count++
      }
      expect(pattern.test(text)).toBe(count > 0)
    }),
    { numRuns: 1500, seed: 7 },
  )
  expect(compiled).toBeGreaterThan(200)
})

test('simple patterns match what V8 matches', () => {
  const simple = fc
    .array(fc.constantFrom('a', 'b', 'a?', 'b*', '(a|ab)', '(?:b|)', '[ab]', '[^a]', 'a+?', '|'), {
      maxLength: 8,
    })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(
      simple,
      fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 }),
      (source, text) => {
        // V8 also reports an empty match directly after another one.
        let previousEnd = -1
        const expected: [number, number][] = []
        for (const { 0: match, index } of text.matchAll(new RegExp(source, 'g'))) {
          if (match !== '' || index !== previousEnd) expected.push([index, index + match.length])
          previousEnd = index + match.length
        }
        expect(places(source, text)).toEqual(expected)
      },
    ),
    { numRuns: 1000, seed: 11 },
  )
})
