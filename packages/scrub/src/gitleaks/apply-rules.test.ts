import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import {
  applyRules,
  prepareRules,
  rulesForFile,
  withoutGenericTwins,
  type ApplyOptions,
} from './apply-rules.ts'
import type { GitleaksRule } from './gitleaks-config.ts'
import { readGitleaksConfig } from './read-config.ts'

function rulesOf(toml: string): readonly GitleaksRule[] {
  const { config, problems } = readGitleaksConfig(
    { text: toml, file: 'rules.toml' },
    { defaultIds: new Set(), load: () => '' },
  )
  expect(problems).toEqual([])
  return config!.rules
}

/** What each rule finds, as text. */
function found(toml: string, text: string, options?: ApplyOptions): string[] {
  return applyRules(text, prepareRules(rulesOf(toml)), options).map(({ start, end }) =>
    text.slice(start, end),
  )
}

const rule = (id: string, regex: string, ...more: string[]): string =>
  ['[[rules]]', `id = "${id}"`, `regex = '''${regex}'''`, ...more, ''].join('\n')

const random = seededRandom(21)
const key = makeSample('acme_{lower:16}', random).text
const acme = rule('acme', 'acme_[a-z0-9]{16}')

test('a finding has the offsets of the secret and of the match, and its lines', () => {
  const text = `one\ntwo key="${key}"\n`
  const prepared = prepareRules(rulesOf(rule('acme', 'key="(acme_[a-z0-9]{16})"')))
  expect(applyRules(text, prepared)).toEqual([
    {
      rule: 'acme',
      start: 13,
      end: 13 + key.length,
      matchStart: 8,
      matchEnd: 14 + key.length,
      startLine: 2,
      endLine: 2,
      startColumn: 5,
    },
  ])
})

test('all matches of all rules are found, rule by rule', () => {
  const text = `${key} b1 ${key} b2`
  expect(found(acme + rule('b', String.raw`b\d`), text)).toEqual([key, key, 'b1', 'b2'])
})

describe('keywords', () => {
  const withKeywords = rule('k', '[a-z]+-[0-9]+', 'keywords = ["Alpha", "beta"]')

  test.each([
    ['alpha x-1', ['x-1']],
    ['x-1 ALPHA', ['x-1']],
    ['xBeta-1', ['eta-1']],
    ['alph x-1', []],
    ['', []],
  ])('one of them must occur anywhere in %j', (text, expected) => {
    expect(found(withKeywords, text)).toEqual(expected)
  })

  test('without any, the rule always runs', () => {
    expect(found(rule('k', '[a-z]+-[0-9]+'), 'x-1')).toEqual(['x-1'])
  })

  test('may be non-ASCII', () => {
    const beyond = rule('k', '[0-9]+', 'keywords = ["Schlüssel", "ключ"]')
    expect(found(beyond, 'SCHLÜSSEL 1')).toEqual(['1'])
    expect(found(beyond, 'КЛЮЧ 2')).toEqual(['2'])
    expect(found(beyond, 'schlussel 1')).toEqual([])
  })
})

describe('the secret is', () => {
  test.each<[why: string, toml: string, text: string, expected: string[]]>([
    ['the match, without groups', rule('a', 'k=[a-z]+'), 'k=abc', ['k=abc']],
    ['the first group', rule('a', '(k)=([a-z]+)'), 'k=abc', ['k']],
    ['the first non-empty group', rule('a', '(x?)k=([a-z]+)'), 'k=abc', ['abc']],
    ['the first group that participated', rule('a', '(?:x=(x+)|k=([a-z]+))'), 'k=abc', ['abc']],
    ['the match, if all groups are empty', rule('a', 'k=[a-z]+(x?)'), 'k=abc', ['k=abc']],
    ['the requested group', rule('a', '(k)=([a-z]+)', 'secretGroup = 2'), 'k=abc', ['abc']],
    [
      'the next best group, if the requested one is empty',
      rule('a', '(?:x=(x+)|k=([a-z]+))', 'secretGroup = 1'),
      'k=abc',
      ['abc'],
    ],
    [
      'without leading and trailing line breaks',
      rule('a', String.raw`\n+k=[a-z]+\n+`),
      'a\n\nk=abc\n\nb',
      ['k=abc'],
    ],
    ['without them in a group too', rule('a', String.raw`k=([a-z]+\n)`), 'k=abc\n', ['abc']],
    ['matched in its context', rule('a', String.raw`\b(k)\b|kk(k)$`), 'kkk k', ['k']],
  ])('%s', (_, toml, text, expected) => {
    expect(found(toml, text)).toEqual(expected)
  })

  test('never empty', () => {
    expect(found(rule('a', 'x*'), 'axxb')).toEqual(['xx'])
    expect(found(rule('a', String.raw`\n*`), '\n\n')).toEqual([])
    expect(found(rule('a', '(?:)'), 'ab')).toEqual([])
  })

  test('counted from the match without leading line breaks', () => {
    const [finding] = applyRules('a\n\nk=1', prepareRules(rulesOf(rule('a', String.raw`\n+k=\d`))))
    expect(finding).toMatchObject({ startLine: 3, startColumn: 1, start: 3, end: 6 })
  })
})

describe('entropy', () => {
  const atLeast = (entropy: number): string => rule('e', 'k=([a-z]+)', `entropy = ${entropy}`)

  test('must exceed that of the rule', () => {
    expect(found(atLeast(1), 'k=abab')).toEqual([])
    expect(found(atLeast(0.99), 'k=abab')).toEqual(['abab'])
    expect(found(atLeast(2), 'k=abcde')).toEqual(['abcde'])
  })

  test('is not checked if it is 0', () => {
    expect(found(atLeast(0), 'k=aaaa')).toEqual(['aaaa'])
  })

  test('is measured on the secret, not on the match', () => {
    expect(found(rule('e', 'abcdefgh=(a+)', 'entropy = 1'), 'abcdefgh=aaaa')).toEqual([])
  })
})

describe('a path', () => {
  const inEnv = rule('p', 'k=[a-z]+', String.raw`path = '''\.env$'''`)

  test('must match if the text has one', () => {
    expect(found(inEnv, 'k=abc', { path: 'app/.env' })).toEqual(['k=abc'])
    expect(found(inEnv, 'k=abc', { path: 'app/main.ts' })).toEqual([])
  })

  test('counts as met if the text has none', () => {
    expect(found(inEnv, 'k=abc')).toEqual(['k=abc'])
  })

  test('alone reports the file, never a text', () => {
    const rules = rulesOf(
      `[[rules]]\nid = "key-file"\npath = '''\\.p12$'''\nkeywords = ["x"]\n[[rules]]\nid = "helper"\npath = "p12"\nskipReport = true\n${inEnv}`,
    )
    expect(rulesForFile(rules, 'a/b.p12').map(({ id }) => id)).toEqual(['key-file'])
    expect(rulesForFile(rules, 'a/.env')).toEqual([])
    expect(applyRules('text', prepareRules(rules), { path: 'a/b.p12' })).toEqual([])
  })
})

describe('required rules', () => {
  const pair = (...within: string[]): string =>
    rule('secret', 's[0-9]+', '[[rules.required]]', 'id = "name"', ...within) +
    rule('name', 'n[0-9]+', 'skipReport = true')

  test('must have findings too, and are not reported with skipReport', () => {
    expect(found(pair(), `s1${'\n'.repeat(50)}n1`)).toEqual(['s1'])
    expect(found(pair(), 's1 m1')).toEqual([])
    expect(found(pair(), 'n1')).toEqual([])
  })

  test('are reported otherwise', () => {
    expect(found(pair().replace('skipReport = true', ''), 's1 n1')).toEqual(['s1', 'n1'])
  })

  test.each<[within: string[], text: string, isFound: boolean]>([
    [['withinLines = 1'], 's1\nn1', true],
    [['withinLines = 1'], 'n1\n\ns1', false],
    [['withinLines = 0'], 's1 n1', true],
    [['withinColumns = 5'], 's1   n1', true],
    [['withinColumns = 5'], 's1      n1', false],
    [['withinColumns = 5'], 's1\nn1', false],
    [['withinLines = 2', 'withinColumns = 3'], 's1\n\n   n1', true],
    [['withinLines = 2', 'withinColumns = 3'], 's1\n\n    n1', false],
    [['withinLines = 2', 'withinColumns = 3'], 's1\n\n\nn1', false],
  ])('%j in %j: %s', (within, text, isFound) => {
    expect(found(pair(...within), text)).toEqual(isFound ? ['s1'] : [])
  })

  test('each secret is checked in its own surroundings', () => {
    expect(found(pair('withinLines = 1'), 's1\nn1\n\n\n\ns2')).toEqual(['s1'])
  })

  test('all of them must match', () => {
    const two =
      rule('s', 's[0-9]', '[[rules.required]]', 'id = "a"', '[[rules.required]]', 'id = "b"') +
      rule('a', 'a', 'skipReport = true') +
      rule('b', 'b', 'skipReport = true')
    expect(found(two, 's1 a b')).toEqual(['s1'])
    expect(found(two, 's1 a')).toEqual([])
  })

  test('are applied without their keywords and their required rules', () => {
    const toml =
      rule('s', 's[0-9]', '[[rules.required]]', 'id = "a"') +
      rule('a', 'a[0-9]', 'keywords = ["absent"]', '[[rules.required]]', 'id = "b"') +
      rule('b', 'b[0-9]')
    expect(found(toml, 's1 a1')).toEqual(['s1'])
  })

  test('may be a rule for files', () => {
    const toml = `${rule('s', 's[0-9]', '[[rules.required]]', 'id = "file"', 'withinLines = 0')}[[rules]]\nid = "file"\npath = "secrets/"\n`
    expect(found(toml, 's1', { path: 'secrets/a' })).toEqual(['s1'])
    expect(found(toml, 's1', { path: 'other/a' })).toEqual([])
    expect(found(toml, 's1')).toEqual(['s1'])
  })
})

describe('generic findings', () => {
  const finding = (ruleId: string, start: number, end: number) => ({ rule: ruleId, start, end })

  test.each([
    [[finding('generic-api-key', 2, 5), finding('acme', 0, 9)], ['acme']],
    [[finding('acme', 2, 5), finding('my-Generic', 2, 5)], ['acme']],
    [
      [finding('generic-api-key', 2, 6), finding('acme', 2, 5)],
      ['generic-api-key', 'acme'],
    ],
    [
      [finding('generic-api-key', 2, 5), finding('generic-other', 0, 9)],
      ['generic-api-key', 'generic-other'],
    ],
    [
      [finding('b', 3, 4), finding('generic', 2, 8), finding('a', 0, 9)],
      ['b', 'a'],
    ],
    [[finding('generic', 0, 1)], ['generic']],
  ])('are dropped if another rule covers them: %j', (findings, expected) => {
    expect(withoutGenericTwins(findings).map(({ rule: id }) => id)).toEqual(expected)
  })
})

describe('unusual texts', () => {
  test.each(['\uD83D', '\uDE00\uD83D', '\0\0', '\u{1F600}', '', '\n', '\r\n\r\n', '\uFEFF'])(
    '%j is handled',
    (text) => {
      expect(
        found(acme + rule('any', '.', 'keywords = []') + rule('nothing', '(?:)'), `${text}${key}${text}`),
      ).toContain(key)
    },
  )

  test('a secret next to lone surrogates has the right offsets', () => {
    expect(found(acme, `\uD83D${key}\uDE00`)).toEqual([key])
  })
})

test('checks the time between rules and inside them', () => {
  const stop = (after: number) => () => {
    if (--after < 0) throw new Error('out of time')
  }
  const prepared = prepareRules(rulesOf(rule('slow', '[a-z]{200}[^a-z]x') + acme))
  const text = `${'y'.repeat(200_000)}.x`
  expect(() => applyRules(text, prepared, { checkTime: stop(5) })).toThrow('out of time')
  expect(() => applyRules('', prepared, { checkTime: stop(1) })).toThrow('out of time')
  expect(applyRules(key, prepared, { checkTime: stop(100) })).toHaveLength(1)
})

describe('a rule whose matches all contain a keyword is searched only near keywords', () => {
  const bounded = rule(
    'near',
    String.raw`(?m)^(?:k[0-9]{0,3})?\bkey=([a-z]{2,4})\b|end_key$`,
    'keywords = ["key"]',
  )
  const everywhere = bounded.replace('["key"]', '[]')
  const filler = 'x'.repeat(40)

  test.each([
    `${filler}\nkey=abc ${filler}`,
    `${filler} key=abc`,
    `key=abcd${filler}`,
    `k123key=abc`,
    `${filler}end_key`,
    `${filler}end_key\n${filler}`,
    `${filler}end_key ${filler}`,
    `key=abkey=cd\nkey=ef${filler}${filler}\nKEY=gh`,
    `\u{1F600}${filler}\u{1F600}\nkey=ab\u{1F600}`,
    `${filler}\n\u212Aey=ab`,
  ])('with the same findings in %j', (text) => {
    expect(found(bounded, text)).toEqual(text.toLowerCase().includes('key') ? found(everywhere, text) : [])
  })

  test('with the same findings in any text', () => {
    const near = prepareRules(rulesOf(bounded))
    const all = prepareRules(rulesOf(everywhere))
    const unit = fc.constantFrom(
      'key',
      'key=',
      '=',
      'ab',
      'k1',
      '\n',
      ' ',
      'x'.repeat(12),
      'end_key',
      '\u{1F600}',
      '\uD83D',
    )
    let count = 0
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 20 }), (text) => {
        const findings = applyRules(text, near)
        count += findings.length
        expect(findings).toEqual(applyRules(text, all))
      }),
      { numRuns: 500, seed: 29 },
    )
    expect(count).toBeGreaterThan(50)
  })

  test('so that only a small part of a long text is read', () => {
    let checks = 0
    const text = `${'y'.repeat(100_000)}\nkey=abc\n${'y'.repeat(100_000)}`
    const options = { checkTime: () => void checks++ }
    expect(applyRules(text, prepareRules(rulesOf(bounded)), options)).toHaveLength(1)
    expect(checks).toBeLessThan(10)
    expect(applyRules(text, prepareRules(rulesOf(everywhere)), options)).toHaveLength(1)
    expect(checks).toBeGreaterThan(30)
  })

  test('even if other rules require it', () => {
    const toml =
      bounded.replace('[[rules]]', '[[rules]]\nskipReport = true') +
      rule('s', 's[0-9]', '[[rules.required]]', 'id = "near"')
    expect(found(toml, `s1 ${filler}\nkey=abc`)).toEqual(['s1'])
    expect(found(toml, `s1 ${filler}\nkex=abc`)).toEqual([])
  })
})

test('finds planted secrets anywhere, and nothing else', () => {
  const prepared = prepareRules(rulesOf(rule('acme', 'acme_([a-z0-9]{16})', 'keywords = ["acme_"]')))
  const noise = fc.string({ unit: fc.constantFrom('x', ' ', '\n', '\uD83D', '\u{1F600}', '\0', 'é', '"') })
  fc.assert(
    fc.property(noise, fc.array(noise, { maxLength: 5 }), (head, gaps) => {
      let text = head
      const expected: [number, number][] = []
      for (const gap of gaps) {
        expected.push([text.length + 5, text.length + key.length])
        text += `${key} ${gap}`
      }
      const findings = applyRules(text, prepared)
      expect(findings.map(({ start, end }) => [start, end])).toEqual(expected)
      for (const { matchStart, startLine, startColumn } of findings) {
        const lines = text.slice(0, matchStart).split('\n')
        expect([startLine, startColumn]).toEqual([lines.length, lines.at(-1)!.length + 1])
      }
    }),
    { seed: 17 },
  )
})
