import { describe, expect, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { readGitleaksConfig } from '../../gitleaks/read-config.ts'
import { pieceLength } from '../../text/segments.ts'
import { builtinIds, createScanRules, type ScanRules } from '../rules/scan-rules.ts'
import type { Search } from './search-text.ts'
import { createTextScan, type LocatedSecret } from './text-scan.ts'

const random = seededRandom(11)
const sample = (recipe: string): string => makeSample(recipe, random).text
const pat = (): string => sample('ghp_{alnum:36}')

const plainRules = createScanRules()

function rulesOf(toml: string): ScanRules {
  const read = readGitleaksConfig(
    { text: toml, file: 'rules.toml' },
    { defaultIds: builtinIds(), load: () => '' },
  )
  expect(read.problems).toEqual([])
  return createScanRules(read.config, false)
}

function scan(
  text: string | readonly string[],
  options: Partial<Search> = {},
  firstLine = 1,
): LocatedSecret[] {
  const scanning = createTextScan({ rules: plainRules, path: 'a.txt', decode: true, ...options }, firstLine)
  const pieces = typeof text === 'string' ? [text] : text
  return [...pieces.flatMap((piece) => scanning.push(piece).found), ...scanning.end().found]
}

const places = (found: readonly LocatedSecret[]): unknown[] =>
  found.map(({ rule, line, column }) => ({ rule, line, column }))

describe('location', () => {
  test('line, column and offset of a secret', () => {
    const secret = pat()
    const text = `first\n\n  token = "${secret}" # x\n`
    const [found] = scan(text)
    expect(found).toMatchObject({
      rule: 'github-pat',
      line: 3,
      column: 12,
      endLine: 3,
      endColumn: 12 + secret.length,
      start: text.indexOf(secret),
      end: text.indexOf(secret) + secret.length,
      matchLine: 3,
      secret,
      shown: 'token = "[SECRET]" # x',
    })
  })

  test('columns count UTF-16 units, and the first line can be set', () => {
    expect(places(scan(`😀 ${pat()}\n`, {}, 41))).toEqual([{ rule: 'github-pat', line: 41, column: 4 }])
  })

  test('the same for chunks of any size', () => {
    const filler = 'plain words that hold nothing of interest, line after line\n'.repeat(6000)
    const text = `${filler}a ${pat()}\n${filler}b ${pat()}\n${filler}`
    const inOnePiece = scan(text)
    expect(inOnePiece.map(({ line }) => line)).toEqual([6001, 12_002])
    for (const size of [1000, 65_536, 700_001]) {
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      expect(scan(pieces)).toEqual(inOnePiece)
    }
  })

  test.each([-30, -1, 0, 1, 30])('a secret %i characters from a window boundary is found once', (shift) => {
    const before = 'x '.repeat(pieceLength / 2 - 20 + shift)
    const secret = pat()
    const found = scan(`${before}${secret} ${'x '.repeat(200_000)}`)
    expect(found.map(({ start, secret }) => ({ start, secret }))).toEqual([{ start: before.length, secret }])
    expect(found[0]?.column).toBe(before.length + 1)
  })

  test('a key across a window boundary is one finding', () => {
    const body = Array.from({ length: 90 }, () => sample('{base64:64}')).join('\n')
    const key = `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----`
    const before = 'words and words\n'.repeat((pieceLength - 3000) / 16)
    const found = scan(`${before}${key}\n${'more words\n'.repeat(40_000)}`)
    expect(found.map(({ rule, start, end }) => ({ rule, length: end - start, start }))).toEqual([
      { rule: 'private-key', length: key.length, start: before.length },
    ])
    expect(found[0]).toMatchObject({ shown: '[SECRET]', endLine: (found[0]?.line ?? 0) + 91 })
  })
})

describe('the shown line', () => {
  test('contains no secret, for any line', () => {
    for (const recipe of [
      'password={alnum:14}',
      'glpat-{word:20}',
      'https://u:{alnum:12}@host',
      'AKIA{base32:16}',
    ]) {
      for (const glue of [' ', ';', ',', '"', '/', '\t']) {
        const line = [pat(), sample(recipe), pat()].join(glue)
        for (const { shown } of scan(`${line}\n`)) {
          expect(scan(shown), `${recipe} ${glue}`).toEqual([])
          expect(shown).not.toMatch(/[A-Za-z0-9]{10}/)
        }
      }
    }
  })

  test('masks the other secrets of the line', () => {
    const [one, two] = [pat(), sample('glpat-{word:20}')]
    const found = scan(`curl -H ${one} -H ${two} host\n`)
    expect(found.map(({ shown }) => shown)).toEqual(Array(2).fill('curl -H [SECRET] -H [SECRET] host'))
  })

  test('masks secrets of disabled rules, and encoded ones without decoding', () => {
    const [one, two] = [pat(), sample('glpat-{word:20}')]
    const rules = rulesOf('[extend]\nuseDefault = true\ndisabledRules = ["gitlab-pat"]')
    expect(scan(`${one} ${two}`, { rules }).map(({ shown }) => shown)).toEqual(['[SECRET] [SECRET]'])
    const encoded = Buffer.from(two).toString('base64')
    const shown = scan(`x ${one} y ${encoded} z`, { decode: false }).map((found) => found.shown)
    expect(shown).toHaveLength(1)
    expect(shown[0]).not.toContain(encoded.slice(0, 12))
    expect(shown[0]).toMatch(/^x \[SECRET\] y .* z$/)
  })

  test('is shortened around the secret, without showing a part of another one', () => {
    const [one, two] = [pat(), pat()]
    const [first] = scan(`${'a b '.repeat(100)}${one}${' c d'.repeat(18)} ${two} ${'e f '.repeat(100)}`)
    expect(first?.shown).toMatch(/^….{80}\[SECRET\]( c d){18} \[SECRET\]…$/)
  })
})

describe('findings', () => {
  test('two secrets on consecutive lines are two findings', () => {
    const found = scan(`first = ${pat()}\nb ${pat()}\n`)
    expect(found.map(({ line, endLine, shown }) => ({ line, endLine, shown }))).toEqual([
      { line: 1, endLine: 1, shown: 'first = [SECRET]' },
      { line: 2, endLine: 2, shown: 'b [SECRET]' },
    ])
  })

  test('an encoded secret is found at its position, by its own rule', () => {
    const encoded = Buffer.from(`export GH=${pat()}`).toString('base64')
    const [found, ...others] = scan(`data: ${encoded}\n`)
    expect(found).toMatchObject({ rule: 'github-pat', line: 1 })
    expect(found?.start).toBeGreaterThanOrEqual(6)
    expect(others).toEqual([])
    expect(scan(`data: ${encoded}\n`, { decode: false })).toEqual([])
  })

  test('our tokens are not secrets', () => {
    expect(scan('password = [SECRET_12]\n')).toEqual([])
    expect(places(scan(`password = ${sample('{alnum:20}')}\n`))).toHaveLength(1)
  })

  test('a comment allows its line, and no other', () => {
    const scanning = createTextScan({ rules: plainRules, path: 'a', decode: true })
    const text = `a = "${pat()}" # gitleaks:allow\nb = "${pat()}"\n`
    expect(scanning.push(text).found).toEqual([])
    const { found, allowed } = scanning.end()
    expect(found.map(({ line }) => line)).toEqual([2])
    expect(allowed).toContain(1)
  })

  test('rules of the file, alone and with built-in ones', () => {
    const own = `[[rules]]\nid = "acme"\nregex = '''(?m)^acme:(\\w{8,})'''\nkeywords = ["acme"]\n`
    const text = `acme:${sample('{lower:12}')}\n${pat()}\n`
    expect(places(scan(text, { rules: rulesOf(own) }))).toEqual([{ rule: 'acme', line: 1, column: 6 }])
    expect(places(scan(text, { rules: rulesOf(`[extend]\nuseDefault = true\n${own}`) }))).toEqual([
      { rule: 'acme', line: 1, column: 6 },
      { rule: 'github-pat', line: 2, column: 1 },
    ])
  })

  test.each([
    ['switched off', 'disabledRules = ["github-pat"]', ''],
    ['restricted to other paths', '', '[[rules]]\nid = "github-pat"\npath = "\\\\.env$"'],
    ['with more entropy', '', '[[rules]]\nid = "github-pat"\nentropy = 6'],
    ['with a stop word', '', '[[allowlists]]\ntargetRules = ["github-pat"]\nstopwords = ["ghp_"]'],
    ['on an allowed path', '', "[[allowlists]]\npaths = ['''a\\.txt''']"],
    ['on an allowed line', '', "[[allowlists]]\nregexTarget = 'line'\nregexes = ['''^see ''']"],
    ['with another pattern', '', "[[rules]]\nid = 'github-pat'\nregex = '''nothing-like-that'''"],
  ])('a built-in rule %s does not report', (_, extend, rest) => {
    const text = `see ${pat()}`
    expect(scan(text, { rules: rulesOf(`[extend]\nuseDefault = true\n${extend}\n${rest}`) })).toEqual([])
    expect(scan(text, { rules: rulesOf('[extend]\nuseDefault = true') })).toHaveLength(1)
  })

  test('what is allowed for a specific rule is not reported by a general one', () => {
    const allow = '[[allowlists]]\ntargetRules = ["github-pat"]\nstopwords = ["ghp_"]'
    const rules = rulesOf(`[extend]\nuseDefault = true\n${allow}`)
    expect(scan(`token = "${pat()}"`, { rules })).toEqual([])
    expect(scan(`token = "${sample('{alnum:36}')}"`, { rules })).toHaveLength(1)
  })

  test('an allowed commit has none', () => {
    const rules = rulesOf(`[extend]\nuseDefault = true\n[[allowlists]]\ncommits = ["${'ab'.repeat(20)}"]`)
    expect(scan(pat(), { rules, commit: 'ab'.repeat(20) })).toEqual([])
    expect(scan(pat(), { rules, commit: 'cd'.repeat(20) })).toHaveLength(1)
  })

  test('throws when the time is up', () => {
    const checkTime = (): void => {
      throw new Error('too long')
    }
    expect(() => scan(pat(), { checkTime })).toThrow('too long')
  })
})
