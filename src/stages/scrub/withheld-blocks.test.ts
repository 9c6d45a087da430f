import { expect, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import type { JsonObject } from '@contextd/shared/json/value'
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
