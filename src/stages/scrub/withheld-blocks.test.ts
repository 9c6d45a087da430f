import { expect, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import type { JsonObject } from '@contextd/shared/json/value'
import { pngOf } from '../../../test/support/document-files.ts'
import type { Result } from '../../core/result.ts'
import { cleanResult } from './clean-result.ts'
import { createScrubber } from '@contextd/scrub/internal/engine'

const { secret } = makeSample('«ghp_{alnum:36}»', seededRandom(5))
const encoded = Buffer.from(`token = "${secret}"\n`).toString('base64')
const harmless = Buffer.from('nothing to see here, only words\n').toString('base64')

function cleaned(result: Result): { result: Result; places: string[] } {
  const scrubber = createScrubber()
  const places: string[] = []
  const scrub = (text: string, key?: string) => scrubber.scrub(text, { tenant: 'local', session: 's' }, key)
  const cleaner = { scrub, isOwn: () => false, onFinding: (_: string, place: string) => places.push(place) }
  return { result: cleanResult(result, cleaner), places }
}

const payload = (value: JsonObject): Result => ({ kind: 'payload', value })

test('a resource with a base64-encoded secret becomes a text that says so, with the same URI', () => {
  const part = { uri: 'file:///a.env', mimeType: 'application/octet-stream' }
  const { result, places } = cleaned(payload({ contents: [{ ...part, blob: encoded }] }))
  const text = 'File withheld by contextd: it contains a secret (github-pat).'
  expect(result).toEqual(payload({ contents: [{ uri: part.uri, mimeType: 'text/plain', text }] }))
  expect(places).toEqual(['result.contents[0].blob'])
  const whole = payload({ contents: [{ ...part, blob: harmless }] })
  expect(cleaned(whole).result).toEqual(whole)
})

test('so does an image in a prompt', () => {
  const prompt = (data: string): Result =>
    payload({ messages: [{ role: 'user', content: { type: 'image', mimeType: 'image/png', data } }] })
  expect(cleaned(prompt(encoded)).result).toEqual(
    payload({
      messages: [
        {
          role: 'user',
          content: { type: 'text', text: 'Image withheld by contextd: it contains a secret (github-pat).' },
        },
      ],
    }),
  )
  expect(cleaned(prompt(harmless)).result).toEqual(prompt(harmless))
})

test('data that only looks like a block keeps its form', () => {
  const structured = { type: 'image', data: encoded, size: 3 }
  const { result } = cleaned({ kind: 'answer', own: false, content: [], structured })
  expect(result).toMatchObject({
    structured: { type: 'image', size: 3, data: expect.stringMatching(/SECRET/) as string },
  })
})

const image = (bytes: Buffer): Result => {
  const block = { type: 'image', mimeType: 'image/png', data: bytes.toString('base64') }
  return { kind: 'answer', own: true, content: [block], structured: { data: {} } }
}

test('an image passes to the byte, although its base64 looks like a secret', () => {
  const noise = Buffer.from(Array.from({ length: 1_000_000 }, (_, n) => (n * n) >> (n % 13)))
  const lookalike = Buffer.from(`EAAA${'abcdefghijklmno0123456789XYZ'.repeat(3).slice(0, 60)}`, 'base64')
  const bytes = pngOf(64, 48, ['words', Buffer.concat([noise, lookalike]).toString('latin1')])
  const { result, places } = cleaned(image(bytes))
  expect(result).toEqual(image(bytes))
  expect(places).toEqual([])
})

const wide = Buffer.from(`token = "${secret}"`, 'utf16le')

test.each([
  ['ASCII', `token = "${secret}"`],
  ['UTF-16', wide.toString('latin1')],
  ['big-endian UTF-16', wide.swap16().toString('latin1')],
])('an image with a secret in its metadata is withheld, as %s', (_, text) => {
  const { result, places } = cleaned(image(pngOf(64, 48, ['words', text])))
  expect(result).toMatchObject({
    content: [{ type: 'text', text: 'Image withheld by contextd: it contains a secret (github-pat).' }],
  })
  expect(places).toEqual(['content[0].data'])
})
