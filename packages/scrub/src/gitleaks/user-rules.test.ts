import { describe, expect, it, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import type { CommonError } from '@contextd/shared/errors/common-error'
import { createScrubber } from '../engine/scrubber.ts'
import { readUserRules, type UserRules } from './user-rules.ts'

const random = seededRandom(11)
const sampleOf = (recipe: string): string => makeSample(recipe, random).text

const acme =
  '[[rules]]\nid = "acme"\ndescription = "Acme token"\nregex = \'\'\'acme_[a-z0-9]{12}\'\'\'\nkeywords = ["acme_"]\n'
const onTop = '[extend]\nuseDefault = true\n'

function read(text: string, mayUnmask = false): UserRules {
  const load = (): string => {
    throw new Error('does not exist')
  }
  return readUserRules([{ file: 'own.toml', text, mayUnmask, load }])
}

function scrub(text: string, { find, unmask }: UserRules): string {
  const scrubber = createScrubber({ ownRules: find, ...(unmask && { unmask }) })
  return scrubber.scrub(text, { tenant: 't', session: 's' }).text
}

describe('rules', () => {
  const token = sampleOf('acme_{lower:12}')

  it('find what built-in rules do not, in every reading of the text', () => {
    const encoded = Buffer.from(`my ${token} is here`).toString('base64')
    expect(scrub(`a ${token} b ${token}`, read(acme))).toBe('a [SECRET_1] b [SECRET_1]')
    expect(scrub(`a ${encoded} b`, read(acme))).not.toContain(encoded)
    expect(scrub(`a ${token} b`, read(''))).toBe(`a ${token} b`)
  })

  it('are listed with their location', () => {
    expect(read(`${onTop}\n${acme}`).list).toEqual([
      { id: 'acme', description: 'Acme token', keywords: ['acme_'], file: 'own.toml', line: 4 },
    ])
  })

  it('of several files all apply', () => {
    const other = acme.replaceAll('acme', 'emca')
    const files = [acme, other].map((text, i) => ({
      file: `${i}.toml`,
      text,
      mayUnmask: false,
      load: () => '',
    }))
    expect(scrub(`${token} ${token.replace('acme', 'emca')}`, readUserRules(files))).toBe(
      '[SECRET_1] [SECRET_2]',
    )
  })

  it('stop when the time is up', () => {
    const { find } = read(acme)
    const late = (): void => {
      throw new Error('late')
    }
    expect(find(`a ${token}`, () => {})).toEqual([{ rule: 'acme', start: 2, end: 19 }])
    expect(() => find(`a ${token}`, late)).toThrow('late')
  })
})

describe('unmasking', () => {
  const pat = sampleOf('ghp_{alnum:36}')
  const own = sampleOf('acme_{lower:12}')
  const text = `${pat} ${own}`
  const stop = (target = ''): string =>
    `[[allowlists]]\n${target}stopwords = ["${pat.slice(4, 24)}", "${own.slice(5, 15)}"]\n`

  test.each([
    ['an allowlist for all rules', `${onTop}${acme}${stop()}`, text],
    [
      'an allowlist for all rules of a file that does not extend the default rules',
      `${acme}${stop()}`,
      `[SECRET_1] ${own}`,
    ],
    ['an allowlist of one of its rules', `${acme}${stop().replace('[[', '[[rules.')}`, `[SECRET_1] ${own}`],
    [
      'an allowlist for a default rule',
      `${onTop}${acme}${stop('targetRules = ["github-pat"]\n')}`,
      `${pat} [SECRET_1]`,
    ],
    ['a disabled default rule', `${onTop}disabledRules = ["github-pat"]\n${acme}`, `${pat} [SECRET_1]`],
    [
      'an entropy above that of the secret',
      `${onTop}[[rules]]\nid = "github-pat"\nentropy = 7.5\n${acme}`,
      `${pat} [SECRET_1]`,
    ],
    [
      'another pattern for a default rule',
      `${onTop}[[rules]]\nid = "github-pat"\nregex = "nothing like it"\n${acme}`,
      `${pat} [SECRET_1]`,
    ],
  ])('%s applies only if the file may unmask', (_, config, expected) => {
    expect(scrub(text, read(config))).toBe('[SECRET_1] [SECRET_2]')
    expect(scrub(text, read(config, true))).toBe(expected)
  })

  it('is never caused by a comment in the text', () => {
    const commented = `${text} # gitleaks:allow`
    expect(scrub(commented, read(`${onTop}${acme}`, true))).toBe('[SECRET_1] [SECRET_2] # gitleaks:allow')
  })

  it('does not affect values known as secrets', () => {
    const { find, unmask } = read(`${onTop}disabledRules = ["github-pat"]\n`, true)
    const scrubber = createScrubber({ ownRules: find, unmask: unmask! })
    const scope = { tenant: 't', session: 's' }
    expect(scrubber.scrub(pat, scope).text).toBe(pat)
    scrubber.know(pat, 'set-by-hand')
    expect(scrubber.scrub(pat, scope).text).toBe('[SECRET_1]')
  })

  it('also applies to values under a telling key', () => {
    const value = sampleOf('{alnum:32}')
    const config = `${onTop}[[allowlists]]\nstopwords = ["${value.slice(0, 20)}"]\n`
    const scrubUnder = (rules: UserRules): string =>
      createScrubber({ ownRules: rules.find, ...(rules.unmask && { unmask: rules.unmask }) }).scrub(
        value,
        { tenant: 't', session: 's' },
        'api_key',
      ).text
    expect(scrubUnder(read(config))).toBe('[SECRET_1]')
    expect(scrubUnder(read(config, true))).toBe(value)
  })

  it('lists the disabled default rules', () => {
    const config = `${onTop}disabledRules = ["github-pat"]\n`
    expect([...read(config, true).disabled]).toEqual(['github-pat'])
    expect([...read(config).disabled]).toEqual([])
  })
})

describe('a broken file', () => {
  const problemOf = (text: string): string => {
    try {
      read(text)
    } catch (error) {
      return (error as CommonError).message
    }
    return ''
  }

  test.each([
    ['no TOML', 'a = [', /^own\.toml:\d+: /],
    [
      'a pattern that RE2 does not support',
      acme.replace('acme_[', '(?=x)acme_['),
      /^own\.toml:4: acme: regex is not a valid RE2 pattern/,
    ],
    ['a missing extended file', '[extend]\npath = "base.toml"\n', /^own\.toml:2: .*does not exist/],
  ])('with %s is rejected with line and reason', (_, text, message) => {
    expect(problemOf(text)).toMatch(message)
    expect(problemOf(acme)).toBe('')
  })

  it('reports all its problems, up to a limit', () => {
    const broken = Array.from({ length: 200 }, (_, i) => `[[rules]]\nid = "r${i}"\nregex = "("\n`).join('')
    expect(problemOf(broken).split('\n')).toHaveLength(20)
  })

  it('with only warnings is read', () => {
    expect(read(`${acme}colour = "red"\n`).warnings).toEqual([
      expect.stringMatching(/^own\.toml:6: .*colour/),
    ])
  })
})

test('a pattern that matches the empty string and one that is slow in other engines are harmless', () => {
  const rules = read('[[rules]]\nid = "empty"\nregex = "x*"\n[[rules]]\nid = "slow"\nregex = "(a+)+$"\n')
  expect(scrub('b c d', rules)).toBe('b c d')
  expect(scrub(`${'a'.repeat(5000)}b`, rules)).toBe(`${'a'.repeat(5000)}b`)
})
