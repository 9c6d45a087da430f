import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { makeSample, seededRandom, type Sample } from '@contextd/shared/testing/secret-samples'
import { allSamples } from '../rules/all.samples.ts'
import { createScrubber } from './scrubber.ts'
import { lookAhead, pieceLength } from '../text/segments.ts'

const session = { tenant: 'local', session: 's1' }
const recipes = Object.values(allSamples).flatMap(({ secret }) => secret)
const ordinary = [
  'const x = items.map((item) => item.id)',
  'commit 3f786850e387550fdab836ed7e6dc881de23001b',
  '"integrity": "sha512-AbCdEf0123456789==",',
  'id: 7c9e6679-7425-40de-944b-e07fc1f90ae7',
  'see [SECRET_7] and [SECRET_]',
  'naïve café, 東京, 😀',
  '2026-01-02T03:04:05Z INFO ready in 12 ms',
  '',
]

const sample = fc
  .tuple(fc.constantFrom(...recipes), fc.integer())
  .map(([recipe, seed]): Sample => makeSample(recipe, seededRandom(seed)))
const line = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...ordinary) },
  { weight: 2, arbitrary: sample.map(({ text }) => text) },
)
const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'))

test('scrubbing is idempotent', () => {
  fc.assert(
    fc.property(text, (original) => {
      const { scrub } = createScrubber()
      const once = scrub(original, session).text
      expect(scrub(once, session)).toEqual({ text: once, findings: [] })
      // Also for a scrubber that does not know the values found before.
      expect(createScrubber().scrub(once, session).text).toBe(once)
    }),
    { numRuns: 300, seed: 1 },
  )
})

test('findings have ordered offsets in the original, and the text between them is unchanged', () => {
  fc.assert(
    fc.property(text, (original) => {
      const { text: scrubbed, findings } = createScrubber().scrub(original, session)
      let rebuilt = ''
      let from = 0
      for (const { start, end, token } of findings) {
        expect(start).toBeGreaterThanOrEqual(from)
        expect(end).toBeGreaterThan(start)
        rebuilt += original.slice(from, start) + token
        from = end
      }
      expect(rebuilt + original.slice(from)).toBe(scrubbed)
    }),
    { numRuns: 300, seed: 2 },
  )
})

test('restoring returns the original', () => {
  fc.assert(
    fc.property(text, (original) => {
      const { scrub, restore } = createScrubber()
      const plain = original.replaceAll('[SECRET_', '(SECRET_')
      expect(restore(scrub(plain, session).text, 's1')).toBe(plain)
    }),
    { numRuns: 300, seed: 3 },
  )
})

describe('finds an encoded secret', () => {
  /** Recognised without a name, so that the encoded text needs none before it. */
  const tokens = [
    'ghp_{alnum:36}',
    'glpat-{word:20}',
    'sk-ant-api03-{word:93}AA',
    'npm_{alnum:36}',
    'xoxb-{digits:12}-{digits:12}-{alnum:24}',
  ]
  const each = (encode: (char: string) => string) => (secret: string) => Array.from(secret, encode).join('')
  const hexOf = (char: string): string => char.charCodeAt(0).toString(16).padStart(2, '0')
  const base64 = (secret: string): string => Buffer.from(`with ${secret}\n`).toString('base64')
  const encodings: Record<string, (secret: string) => string> = {
    base64,
    'base64url without padding': (secret) => Buffer.from(`{"t":"${secret}"}`).toString('base64url'),
    'folded base64': (secret) => base64(secret.repeat(2)).replace(/.{64}/g, '$&\n'),
    'base64 of base64': (secret) => base64(base64(secret)),
    hex: (secret) => Buffer.from(secret).toString('hex'),
    percent: each((char) => `%${hexOf(char)}`),
    'double percent': each((char) => `%25${hexOf(char)}`),
    'unicode escapes': each((char) => `\\u00${hexOf(char)}`),
    'octal escapes': each((char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`),
    'HTML entities': each((char) => `&#${char.charCodeAt(0)};`),
    'quoted-printable': (secret) => secret.replace(/_/g, '=5F').replace(/(.{32})/g, '$1=\n'),
    'gzip in base64': (secret) => gzipSync(`with ${secret}`).toString('base64'),
    'UTF-16 in base64': (secret) => Buffer.from(`with ${secret}`, 'utf16le').toString('base64'),
    'UTF-16': (secret) => Array.from(secret).join('\0'),
  }
  test.each(Object.entries(encodings))('%s', (_, encode) => {
    fc.assert(
      fc.property(fc.constantFrom(...tokens), fc.integer(), (recipe, seed) => {
        const secret = makeSample(recipe, seededRandom(seed)).text
        const encoded = encode(secret)
        const { scrub } = createScrubber()
        expect(scrub(`before ${encoded} after`, session).text).not.toContain(encoded.trim())
        // Ordinary text in the same encoding is unchanged.
        const harmless = encode('an ordinary sentence without any of that')
        expect(scrub(`before ${harmless} after`, session).text).toContain(harmless)
      }),
      { numRuns: 20, seed: 4 },
    )
  })
})

describe('a stream gives the same result as the complete text', () => {
  const streamed = (chunks: readonly string[]): { text: string; findings: unknown[] } => {
    const stream = createScrubber().stream('s1')
    const parts = [...chunks.map((chunk) => stream.write(chunk)), stream.end()]
    return { text: parts.map((part) => part.text).join(''), findings: parts.flatMap((part) => part.findings) }
  }

  test('split at every position', () => {
    const random = seededRandom(5)
    const original = ['a', 'ghp_{alnum:36}', 'DB_PASSWORD={alnum:12}', 'end']
      .map((recipe) => makeSample(recipe, random).text)
      .join('\n')
    const whole = createScrubber().scrub(original, session)
    expect(whole.findings).toHaveLength(2)
    for (let at = 0; at <= original.length; at++) {
      expect(streamed([original.slice(0, at), original.slice(at)])).toEqual(whole)
    }
  })

  test('longer than a piece, with secrets at the cuts', () => {
    const random = seededRandom(6)
    const secret = (): string => makeSample('token=ghp_{alnum:36}', random).text
    const key = makeSample(
      `-----BEGIN PRIVATE KEY-----\n${'{base64:64}\n'.repeat(300)}-----END PRIVATE KEY-----`,
      random,
    ).text
    const filler = 'const answer = items.filter((item) => item.ready).length\n'
    const block = filler.repeat(Math.floor(pieceLength / filler.length))
    const original = `${block}${secret()}\n${key}\n${block}${filler.repeat(7)}${secret()}\n${block.replaceAll('\n', ' ')}${secret()} ${block}`
    expect(original.length).toBeGreaterThan(2 * (pieceLength + lookAhead))
    const whole = createScrubber().scrub(original, session)
    expect(whole.findings.map(({ rule }) => rule)).toEqual([
      'github-pat',
      'private-key',
      'github-pat',
      'github-pat',
    ])
    fc.assert(
      fc.property(fc.array(fc.nat(original.length), { maxLength: 6 }), (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), original.length]
        const chunks = places.slice(1).map((end, i) => original.slice(places[i], end))
        expect(streamed(chunks)).toEqual(whole)
      }),
      { numRuns: 6, seed: 7 },
    )
  })
})

test('never throws, and restores any text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.uint8Array({ maxLength: 400 }),
      (any, bytes) => {
        const { scrub, restore } = createScrubber()
        for (const original of [any, Buffer.from(bytes).toString('latin1'), `\ud800${any}\0`]) {
          expect(restore(scrub(original, session).text, 's1')).toBe(original)
        }
      },
    ),
    { numRuns: 300, seed: 8 },
  )
})
