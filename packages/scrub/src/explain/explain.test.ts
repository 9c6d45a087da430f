import { describe, expect, it, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import type { MissReason } from './explain-miss.ts'
import { explainDetection, type ExplainedFinding, type TextExplanation } from './explain.ts'
import { allSamples } from '../rules/all.samples.ts'
import { createScrubber } from '../engine/scrubber.ts'
import { readUserRules } from '../gitleaks/user-rules.ts'

const random = seededRandom(41)
const sampleOf = (recipe: string): string => makeSample(recipe, random).text
const pat = sampleOf('ghp_{alnum:36}')

function explain(text: string, rules = '', mayUnmask = false): TextExplanation {
  const own = readUserRules([{ file: 'own.toml', text: rules, mayUnmask, load: () => '' }])
  const scrubber = createScrubber({ ownRules: own.find, ...(own.unmask && { unmask: own.unmask }) })
  const found = scrubber.scrub(text, { tenant: 't', session: 's' }).findings
  return explainDetection(text, { found, decode: true, own })
}

describe('a finding', () => {
  const only = (text: string, rules?: string): ExplainedFinding => {
    const { findings } = explain(text, rules)
    expect(findings).toHaveLength(1)
    return findings[0]!
  }

  it('is explained with its rule, its keyword and its position', () => {
    expect(only(`use ${pat} now`)).toEqual({
      rule: 'github-pat',
      description: 'GitHub personal access token',
      start: 4,
      end: 44,
      masked: `ghp_…${pat.slice(-2)}`,
      by: 'prefix',
      keyword: { text: 'ghp_', start: 4 },
      encodings: [],
    })
  })

  test.each<[string, string, string, ExplainedFinding['by']]>([
    ['what it is assigned to', sampleOf('db_password = "{alnum:14}"'), 'generic-password', 'assignment'],
    [
      'its position in a URL',
      sampleOf('postgres://app:{alnum:14}@db.internal/x'),
      'uri-with-username-and-secret',
      'address',
    ],
    [
      'the marker of a key',
      sampleOf('-----BEGIN PRIVATE KEY-----\n{base64:64}\n{base64:64}\n-----END PRIVATE KEY-----'),
      'private-key',
      'key block',
    ],
    ['the header it is in', sampleOf('Authorization: Custom {alnum:40}'), 'authorization-header', 'header'],
  ])('is recognised by %s', (_, text, rule, by) => {
    const found = only(text)
    expect(found).toMatchObject({ rule, by, encodings: [] })
    expect(
      text
        .slice(found.keyword?.start)
        .toLowerCase()
        .startsWith(found.keyword?.text ?? '-'),
    ).toBe(true)
  })

  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  test.each([
    ['base64', base64(`here is ${pat} for you`), ['base64']],
    ['base64 twice', base64(base64(`here is ${pat} for you`)), ['base64', 'base64']],
    ['hexadecimal', Buffer.from(`token ${pat}`).toString('hex'), ['hexadecimal']],
    ['percent-encoding', Buffer.from(pat).toString('hex').replaceAll(/../g, '%$&'), ['percent-encoding']],
  ])('is explained with its encodings: %s', (_, text, encodings) => {
    const found = only(`value: ${text} end`)
    expect(found).toMatchObject({ rule: 'github-pat', keyword: { text: 'ghp_' }, encodings })
    expect(found.keyword).not.toHaveProperty('start')
  })

  it('may come from a user rule', () => {
    const rules = '[[rules]]\nid = "acme"\ndescription = "Acme"\nregex = "acme_[a-z0-9]{12}"\n'
    expect(only(sampleOf('acme_{lower:12}'), rules)).toMatchObject({
      rule: 'acme',
      description: 'Acme',
      by: 'own rule',
    })
  })

  it('may be a value that was found earlier', () => {
    const [first, second] = explain(`${pat} and ${pat.split('').toReversed().join('')}`).findings
    expect([first?.by, second?.by]).toEqual(['prefix', 'known value'])
  })
})

describe('a near miss', () => {
  const reasons = (text: string, rules?: string, mayUnmask?: boolean): [rule: string, MissReason][] =>
    explain(text, rules, mayUnmask).misses.flatMap((miss) =>
      miss.rules.map((rule): [string, MissReason] => [rule, miss.reason]),
    )

  test.each<[string, string, string, MissReason]>([
    ['too short', pat.slice(0, 9), 'github-pat', 'form'],
    ['of other characters', 'ghp_not.a.token', 'github-pat', 'form'],
    ['a placeholder', `ghp_${'x'.repeat(36)}`, 'github-pat', 'placeholder'],
    ['not assigned', 'no api key here', 'generic-api-key', 'no-assignment'],
    ['about a secret', sampleOf('token_file = "{alnum:24}"'), 'generic-api-key', 'name'],
    ['a short value under a name', 'api_key = "a7d9k"', 'generic-api-key', 'short'],
    ['a placeholder under a name', 'password = "changeme"', 'generic-password', 'placeholder'],
    ['words under a name', 'secret = "attorney-client-privilege"', 'generic-api-key', 'words'],
    ['a hash under a name', sampleOf('secret: "sha256-{base64:43}="'), 'generic-api-key', 'public'],
    ['code under a name', 'password = getPassword()', 'generic-password', 'code'],
    [
      'a login without a password',
      'see https://user@example.com/x',
      'uri-with-username-and-secret',
      'no-login',
    ],
    ['a mere mention of a key', 'begins with -----BEGIN PRIVATE KEY-----.', 'private-key', 'no-key'],
  ])('%s', (_, text, rule, reason) => {
    expect(explain(text).findings).toEqual([])
    expect(reasons(text)).toContainEqual([rule, reason])
  })

  it('is part of something longer', () => {
    const { misses } = explain(makeSample('AKIA{base32:16}AB', seededRandom(1)).text)
    expect(misses.find(({ rules }) => rules.includes('aws-access-token'))?.reason).toBe('boundary')
  })

  it('is allowed by user rules', () => {
    const rules = '[extend]\nuseDefault = true\ndisabledRules = ["github-pat"]\n'
    expect(reasons(pat, rules, true)).toContainEqual(['github-pat', 'allowed'])
    expect(reasons(pat, rules)).toEqual([])
  })

  it('is a user rule whose keyword is in the text', () => {
    const rules = '[[rules]]\nid = "acme"\nregex = "acme_[a-z0-9]{12}"\nkeywords = ["acme"]\n'
    expect(reasons('an acme thing', rules)).toContainEqual(['acme', 'pattern'])
    expect(reasons('another thing', rules)).toEqual([])
  })

  it('does not repeat a finding or a keyword inside a secret', () => {
    expect(explain(`x ${pat}`).misses).toEqual([])
  })

  it('is reported once for all rules with the same reason', () => {
    const { misses } = explain('we run on azure')
    expect(misses.filter(({ keyword }) => keyword === 'azure').length).toBeLessThan(10)
  })
})

describe('for every sample of every rule', () => {
  const samples = Object.values(allSamples).flatMap(({ secret, clean }) => secret.concat(clean))

  it('names what found it, and shows no secret', () => {
    expect(samples.length).toBeGreaterThan(1000)
    const unexplained: string[] = []
    const kinds = new Set<string>()
    // Only a part of the samples: each explanation compiles all rules.
    for (const recipe of samples.filter((_, index) => index % 40 === 0)) {
      const { text, secret } = makeSample(recipe, seededRandom(1))
      const explanation = explain(text)
      for (const { by, keyword } of explanation.findings) {
        kinds.add(by)
        if (by === 'known value' || !keyword) unexplained.push(recipe)
      }
      if (secret.length >= 12) expect(JSON.stringify(explanation)).not.toContain(secret)
    }
    expect(unexplained).toEqual([])
    expect([...kinds]).toEqual(expect.arrayContaining(['prefix', 'shape', 'name', 'assignment']))
  })
})

it('is bounded for a text of nothing but keywords', () => {
  const { misses } = explain('key token://@ghp_ '.repeat(3000))
  expect(misses.length).toBeGreaterThan(100)
  expect(misses.length).toBeLessThan(1000)
})
