import { describe, expect, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { formsOf, partOf } from './known-forms.ts'
import { alphanumeric, minBodyLength, skeletonOf, visible } from './known-windows.ts'

const random = seededRandom(4)
const sample = (recipe: string): string => makeSample(recipe, random).text
const token = sample('ghp_{alnum:36}')
const bodiesOf = (value: string): string[] => formsOf(value).map(({ body }) => body)

describe('the forms of a value', () => {
  test('are a few dozen, within the length limits', () => {
    for (const value of [token, sample('{alnum:8}'), sample('{base64:86}=='), 'пароль123']) {
      const forms = formsOf(value)
      expect(forms.length).toBeLessThan(80)
      for (const { body, minMatchLength } of forms) {
        expect(body.length).toBeGreaterThanOrEqual(minBodyLength)
        expect(body.length).toBeLessThanOrEqual(128)
        expect(minMatchLength).toBeGreaterThanOrEqual(Math.min(12, body.length))
        expect(minMatchLength).toBeLessThanOrEqual(body.length)
      }
    }
  })

  test('include the part of its base64 that does not depend on the surrounding text', () => {
    for (const before of ['', 'a', 'ab']) {
      const carriers = ['x', 'yz', ' :)'].map((after) =>
        skeletonOf(Buffer.from(before + token + after).toString('base64'), alphanumeric),
      )
      expect(bodiesOf(token).some((body) => carriers.every((carrier) => carrier.includes(body)))).toBe(true)
    }
  })

  test('are case-sensitive only if the value otherwise looks like words', () => {
    expect(formsOf(token)[0]?.anyCase).toBe(true)
    expect(formsOf('correct-horse-battery-staple-9')[0]?.anyCase).toBe(false)
  })

  test('use all visible characters if there are few letters and digits', () => {
    expect(formsOf('x9$K!q2@')[0]).toMatchObject({ alphabet: visible, body: 'x9$K!q2@' })
    expect(formsOf(`!${token}?`)[0]).toMatchObject({ alphabet: alphanumeric, prefix: '!', suffix: '?' })
  })
})

describe('public parts of a value', () => {
  test('the header of a JSON web token is masked, but not searched for', () => {
    const head = `${Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')}.`
    const rest = `eyJ${sample('{word:60}')}.${sample('{word:43}')}`
    expect(formsOf(head + rest)[0]?.prefix).toBe(head)
    expect(bodiesOf(head + rest).join(' ')).not.toContain(head.slice(0, 12))
    expect(bodiesOf(rest).join(' ')).toContain('eyJ')
  })

  test('the markers and algorithm names of a key are excluded', () => {
    const name = 'ANBgkqhkiG9w0BAQEFAASC'
    const lines = [`MIIEvQIBAD${name}${sample('{alnum:32}')}`, sample('{alnum:64}'), sample('{alnum:20}')]
    const bodies = bodiesOf(
      ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n'),
    ).join(' ')
    expect(bodies).not.toContain('PRIVATE')
    expect(bodies).not.toContain(name)
    expect(bodies).toContain(lines[1])
    expect(bodies).toContain(lines[2])
  })
})

describe('a multi-line value', () => {
  const [first, second] = [sample('{alnum:64}'), sample('{alnum:64}')]

  test('has forms for every line that looks like a key, also with escaped line breaks', () => {
    for (const lineBreak of ['\n', '\r\n', String.raw`\n`]) {
      expect(bodiesOf([first, second].join(lineBreak))).toEqual(expect.arrayContaining([first, second]))
    }
  })

  test('has none for a line that other files contain as well', () => {
    const uri = '"token_uri": "https://auth.example.com/oauth2/token",'
    const bodies = bodiesOf([`"private_key": "${first}",`, uri, `"id": "${second}"`].join('\n'))
    expect(bodies).not.toContain(skeletonOf(uri, alphanumeric))
  })
})

test('a long value is split into overlapping pieces', () => {
  const long = sample('{alnum:20000}')
  const forms = formsOf(long)
  for (let at = 0; at + 16 <= long.length; at += 101) {
    const part = long.slice(at, at + 16)
    expect(forms.some(({ body }) => body.includes(part))).toBe(true)
  }
})

test('a part of a form maps to the corresponding part of the value', () => {
  const hex = formsOf(token).find(({ body }) => body === Buffer.from(token).toString('hex'))!
  expect(partOf(hex, 0, 20)).toBe(token.slice(0, 10))
  expect(partOf(hex, 70, 80)).toBe(token.slice(-5))
})
