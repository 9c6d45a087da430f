import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { sampleSecrets } from '../../../../test/support/registry.ts'
import { createScrubber, createScrubEngine, NotBrief } from './scrubber.ts'

const session = { tenant: 'local', session: 's1' }

/** Assembled at run time, so that the source contains nothing that looks like a credential. */
const letters = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6kL9nP2rS5uV8'.repeat(3)
const secrets: Record<string, string> = {
  'aws-access-token': ['AKIA', 'QXZ2VBN7MKLP4RTY'].join(''),
  'github-pat': `ghp_${letters.slice(0, 36)}`,
  'github-fine-grained-pat': `github_pat_${letters.slice(0, 82)}`,
  'gitlab-pat': `glpat-${letters.slice(0, 20)}`,
  'slack-bot-token': `xoxb-123456789012-123456789012-${letters.slice(0, 24)}`,
  'anthropic-api-key': `sk-ant-api03-${letters.slice(0, 93)}AA`,
  'openai-api-key': `sk-proj-${letters.slice(0, 48)}`,
  'stripe-access-token': `sk_live_${letters.slice(0, 24)}`,
  'gcp-api-key': `AIza${letters.slice(0, 35)}`,
  'npm-access-token': `npm_${letters.slice(0, 36)}`,
  'contextd-agent-token': `ctxd_${letters.slice(0, 11)}_${letters.slice(0, 43)}`,
  jwt: `eyJ${letters.slice(0, 20)}.eyJ${letters.slice(0, 30)}.${letters.slice(0, 43)}`,
  'private-key': `-----BEGIN RSA PRIVATE KEY-----\n${letters}\n-----END RSA PRIVATE KEY-----`,
}
const contexts: Record<string, (secret: string) => string> = {
  alone: (secret) => secret,
  'in a sentence': (secret) => `The value is ${secret}, keep it.`,
  'in JSON': (secret) => JSON.stringify({ config: { value: secret } }),
  'in a shell line': (secret) => `export X="${secret}"\necho done`,
  twice: (secret) => `${secret} ${secret}`,
}

describe('finds every kind of secret in every context', () => {
  for (const [kind, secret] of Object.entries(secrets)) {
    test.each(Object.entries(contexts))(`${kind} %s`, (_, embed) => {
      const { scrub, restore } = createScrubber()
      const { text, findings } = scrub(embed(secret), session)
      const inner = kind === 'private-key' ? letters : secret
      expect(text).not.toContain(inner)
      expect(text).toContain('[SECRET_1]')
      expect(findings[0]?.rule).toBe(kind)
      expect(restore(text, 's1')).toBe(embed(secret))
    })
  }
})

test('finds values in headers, URLs and assignments', () => {
  const { scrub } = createScrubber()
  const value = letters.slice(0, 20)
  expect(scrub(`Authorization: Bearer ${value}`, session).text).toBe('Authorization: Bearer [SECRET_1]')
  expect(scrub(`postgres://app:${value}@db/x`, session).text).toBe('postgres://app:[SECRET_1]@db/x')
  expect(scrub(`DB_PASSWORD=${value}`, session).text).toBe('DB_PASSWORD=[SECRET_1]')
  expect(scrub(`"api_key": "${value}"`, session).text).toBe('"api_key": "[SECRET_1]"')
})

test('judges a value by its key', () => {
  const { scrub } = createScrubber()
  const under = (key: string, value: string): string => scrub(value, session, key).text
  expect(under('password', 'hunter2hunter2')).toBe('[SECRET_1]')
  expect(under('DB_API_KEY', '9f8e7d6c5b4a39281706f5e4d3c2b1a0')).toBe('[SECRET_2]')
  expect(under('authorization', `Bearer ${letters.slice(0, 20)}`)).toBe('Bearer [SECRET_3]')
  expect(under('commit', '0a1c5e7b9d2f4a6c8e0b1d3f5a7c9e2b4d6f8a1c')).toBe(
    '0a1c5e7b9d2f4a6c8e0b1d3f5a7c9e2b4d6f8a1c',
  )
  expect(scrub('x', session, secrets['github-pat']).text).toBe('x')
})

test('leaves ordinary text unchanged', () => {
  const { scrub } = createScrubber()
  const ordinary = [
    'const token = getAccessToken(request)',
    'password: string',
    'commit 3f2a1bc9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3',
    'https://example.com/a:b@c is not a login',
    'integrity sha512-abcDEF0123456789+/abcDEF0123456789==',
    'the secret of success: perseverance',
  ].join('\n')
  expect(scrub(ordinary, session)).toEqual({ text: ordinary, findings: [] })
})

test('a value keeps its token within a session, and sessions share no tokens', () => {
  const { scrub, restore, endSession } = createScrubber()
  const [a = '', b = ''] = [secrets['github-pat'], secrets['gitlab-pat']]
  expect(scrub(`${a} ${b} ${a}`, session).text).toBe('[SECRET_1] [SECRET_2] [SECRET_1]')
  expect(scrub(b, session).text).toBe('[SECRET_2]')
  expect(restore('[SECRET_1]', 's2')).toBe('[SECRET_1]')
  expect(restore('[SECRET_9]', 's1')).toBe('[SECRET_9]')
  endSession('s1')
  expect(restore('[SECRET_1]', 's1')).toBe('[SECRET_1]')
})

test.each([
  '-eyJaaaaaaaa',
  'eyJaaaaaaaa.',
  'a://a:',
  '-----BEGIN PRIVATE KEY-----',
  'token=',
  'password: "',
  'authorization: bearer ',
  'ghp_',
  'sk-',
  'xoxb-',
  'AKIA',
])('scrubs a repeated pattern in less than quadratic time: %j', (piece) => {
  // The clock stands still because a slow machine might exceed the scrubber's own deadline.
  const { scrub } = createScrubber({ clock: () => 0 })
  // Quadratic work on this much text would exceed the test's timeout.
  scrub(piece.repeat(1_000_000 / piece.length), session)
})

test('scrubbing is idempotent, and offsets point at the secrets', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(...Object.values(secrets)),
    fc.constantFrom('"', '=', ' ', '\n'),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const { scrub, restore } = createScrubber()
      const input = pieces.join(' ')
      const once = scrub(input, session)
      expect(scrub(once.text, session).text).toBe(once.text)
      for (const { start, end, token } of once.findings)
        expect(restore(token, 's1')).toBe(input.slice(start, end))
    }),
  )
})

describe('briefScrub', () => {
  const secrets = sampleSecrets(4)
  const long = 'password: a placeholder\n'.repeat(600)

  test('rejects a text with too many new secrets; known ones do not count', () => {
    const engine = createScrubEngine({ maxNew: 3 })
    expect(() => engine.briefScrub('s1')(secrets.join('\n'), session)).toThrow(NotBrief)
    expect(engine.briefScrub('s1')(secrets.slice(0, 3).join('\n'), session).findings).toHaveLength(3)
    engine.scrub(secrets.join('\n'), session)
    expect(engine.briefScrub('s1')(secrets.join('\n'), session).findings).toHaveLength(4)
  })

  test('rejects a text that takes too long, unless it is short', () => {
    let now = 0
    const engine = createScrubEngine({ briefMs: 5, clock: () => (now += 10) })
    expect(() => engine.briefScrub('s1')(long, session)).toThrow(NotBrief)
    expect(engine.briefScrub('s1')(secrets[0]!, session).text).toMatch(/^\[SECRET_/)
    expect(engine.scrub(long, session).text).toBe(long)
    const patient = createScrubEngine({ briefMs: 1_000_000, clock: () => (now += 10) })
    expect(patient.briefScrub('s1')(long, session).text).toBe(long)
  })

  test('applies its limits to all texts of a check together', () => {
    const engine = createScrubEngine({ maxNew: 3 })
    const scrub = engine.briefScrub('s1')
    for (const secret of secrets.slice(0, 3)) expect(scrub(secret, session).findings).toHaveLength(1)
    expect(() => scrub(secrets[3]!, session)).toThrow(NotBrief)
    let now = 0
    const timed = createScrubEngine({ briefMs: 5, clock: () => now })
    const short = Array.from({ length: 400 }, (_, n) => `${n}`)
    const inOne = timed.briefScrub('s1')
    const scrubAll = (perText: number): void => {
      for (const text of short) {
        now += perText
        inOne(text, session)
      }
    }
    expect(() => scrubAll(0)).not.toThrow()
    expect(() => scrubAll(1)).toThrow(NotBrief)
    for (const text of short) {
      now += 1
      expect(timed.briefScrub('s1')(text, session).text).toBe(text)
    }
  })

  test('values found by another scrubber are masked once they are prepared', () => {
    const known: string[] = []
    const engine = createScrubEngine({ maxNew: 3, onKnown: ({ value }) => known.push(value) })
    const value = 'Quite-Private-8812'
    const text = `a ${Buffer.from(value).toString('hex')} b`
    expect(engine.scrub(text, session).text).toBe(text)
    engine.learn([{ value, rule: 'elsewhere' }])
    expect(known).toEqual([value])
    expect([engine.prepareNext(), engine.prepareNext()]).toEqual([true, false])
    expect(engine.scrub(text, session).text).toBe('a [SECRET_1] b')
  })

  test('counts every known value once, including values that wait', () => {
    const engine = createScrubEngine({ maxNew: 3 })
    const value = 'Quite-Private-8812'
    expect([engine.knownCount(), engine.hasWaiting()]).toEqual([0, false])
    engine.learn([{ value, rule: 'elsewhere' }])
    expect([engine.knownCount(), engine.hasWaiting()]).toEqual([1, true])
    engine.prepareNext()
    engine.learn([{ value, rule: 'elsewhere' }])
    engine.know(value, 'set')
    engine.scrub(`password = "${value}"`, session)
    expect([engine.knownCount(), engine.hasWaiting()]).toEqual([1, false])
    engine.know('Zx81-quite-Private-77', 'set')
    engine.scrub(secrets.join('\n'), session)
    expect(engine.knownCount()).toBe(2 + secrets.length)
    engine.scrub(secrets.join('\n'), session)
    expect(engine.knownCount()).toBe(2 + secrets.length)
  })
})
