import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { sampleSecrets } from '../../test/support/registry.ts'
import { testMasker } from '../../test/support/request-masker.ts'
import { seededRandom, type Random } from '@contextd/shared/testing/secret-samples'
import { mapStrings, type Json, type JsonObject } from '@contextd/shared/json/value'

const secrets = sampleSecrets(6, 11)
const words = [
  'an ordinary text',
  'naïve café, 東京, 😀',
  'const x = "1"\n',
  'C:\\temp',
  '',
  'see [SECRET_99]',
]

const planted = fc
  .tuple(fc.constantFrom(...words), fc.constantFrom(...secrets), fc.constantFrom(...words))
  .map((parts) => parts.join(' '))
const text = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...words) }, planted)
const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('id', 'type', 'thinking', 'data', 'a b') },
  planted,
)
const anyJson = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    fc.constantFrom(null, true, 12, 1.5, -0.25e7),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(name, tie('json'), { maxKeys: 4 }) as fc.Arbitrary<JsonObject>,
  ),
})).json
const base64Of = (content: string): string => Buffer.from(content).toString('base64')
const block = fc.oneof(
  text.map((said): Json => ({ type: 'text', text: said })),
  fc
    .tuple(fc.constantFrom('t1', 't2'), anyJson)
    .map(([id, input]): Json => ({ type: 'tool_use', id, name: 'f', input })),
  text.map((content): Json => ({ type: 'tool_result', tool_use_id: 't1', content })),
  text.map((content): Json => ({
    type: 'document',
    source: { type: 'base64', media_type: 'text/plain', data: base64Of(content) },
  })),
)
const request = fc.record({
  messages: fc.array(
    fc.record({
      role: fc.constantFrom('user', 'assistant'),
      content: fc.oneof(text, fc.array(block, { maxLength: 4 })),
    }),
    { maxLength: 4 },
  ),
  unknown: anyJson,
}) as fc.Arbitrary<JsonObject>

/** JSON as another serializer might write it: some characters escaped, some whitespace. */
function write(value: Json, chance: Random): string {
  const space = (): string => (chance() < 0.2 ? [' ', '\n\t', '\r\n'][Math.floor(chance() * 3)]! : '')
  const literal = (one: string): string =>
    JSON.stringify(one).replace(/(?<!\\)[a-z](?![^"]{0,3}\\)/g, (char, index: number, whole: string) =>
      chance() < 0.05 && whole[index - 1] !== '\\' ? `\\u00${char.charCodeAt(0).toString(16)}` : char,
    )
  const join = (items: readonly string[]): string => items.join(`${space()},${space()}`)
  if (typeof value === 'string') return literal(value)
  if (Array.isArray(value)) return `[${space()}${join(value.map((one) => write(one, chance)))}${space()}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, one]) => `${literal(key)}${space()}:${space()}${write(one, chance)}`,
  )
  return `{${space()}${join(members)}${space()}}`
}

/** With every document decoded. */
function decoded(value: Json): Json {
  return mapStrings(value, (one) => {
    const plain = Buffer.from(one, 'base64').toString()
    return base64Of(plain) === one && one.length > 8 ? plain : one
  })
}

describe('any request', () => {
  test('keeps its structure and loses its secrets, however it is written', async () => {
    const { mask, engine } = testMasker()
    let found = 0
    await fc.assert(
      fc.asyncProperty(request, fc.integer(), async (value, seed) => {
        const body = write(value, seededRandom(seed))
        expect(JSON.parse(body)).toEqual(value)
        const masked = await mask(body, { issued: () => new Set() })
        const read = decoded(JSON.parse(masked.body) as Json)
        for (const secret of secrets) expect(JSON.stringify(read)).not.toContain(secret)
        expect(mapStrings(read, (one) => engine.restore(one, 's1'))).toEqual(decoded(value))
        // The cache gives the same result, and masking is idempotent.
        expect((await mask(body, { issued: () => new Set() })).body).toBe(masked.body)
        expect((await mask(masked.body, { issued: () => new Set() })).body).toBe(masked.body)
        if (masked.found.length === 0) expect(masked.body).toBe(body)
        found += masked.found.length
      }),
      { numRuns: 150 },
    )
    expect(found).toBeGreaterThan(50)
  })
})
