import { describe, expect, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { formsOf, partOf } from './known-forms.ts'
import { alphanumeric, minBodyLength, skeletonOf, visible } from './known-windows.ts'

const random = seededRandom(4)
const sample = (recipe: string): string => makeSample(recipe, random).text
const token = sample('ghp_{alnum:36}')
const bodiesOf = (value: string): string[] => formsOf(value).map(({ body }) => body)

describe('the forms of a value', () => {
  test('are a few dozen, each long enough to be looked for and short enough to be compared', () => {
    for (const value of [token, sample('{alnum:8}'), sample('{base64:86}=='), 'пароль123']) {
      const forms = formsOf(value)
      expect(forms.length).toBeLessThan(80)
      for (const { body, enough } of forms) {
        expect(body.length).toBeGreaterThanOrEqual(minBodyLength)
        expect(body.length).toBeLessThanOrEqual(128)
        expect(enough).toBeGreaterThanOrEqual(Math.min(12, body.length))
        expect(enough).toBeLessThanOrEqual(body.length)
      }
    }
  })

  test('hold what is the same in base64 whatever stands around the value', () => {
    for (const before of ['', 'a', 'ab']) {
      const carriers = ['x', 'yz', ' :)'].map((after) =>
        skeletonOf(Buffer.from(before + token + after).toString('base64'), alphanumeric),
      )
      expect(bodiesOf(token).some((body) => carriers.every((carrier) => carrier.includes(body)))).toBe(true)
    }
  })

  test('count case only where it is all that tells the value from a word', () => {
    expect(formsOf(token)[0]?.anyCase).toBe(true)
    expect(formsOf('correct-horse-battery-staple-9')[0]?.anyCase).toBe(false)
  })

  test('are of all signs where there are few letters and digits', () => {
    expect(formsOf('x9$K!q2@')[0]).toMatchObject({ alphabet: visible, body: 'x9$K!q2@' })
    expect(formsOf(`!${token}?`)[0]).toMatchObject({ alphabet: alphanumeric, lead: '!', tail: '?' })
  })
})

describe('what is public in a value', () => {
  test('the head of a JSON web token is taken along, but not looked for', () => {
    const head = `${Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')}.`
    const rest = `eyJ${sample('{word:60}')}.${sample('{word:43}')}`
    expect(formsOf(head + rest)[0]?.lead).toBe(head)
    expect(bodiesOf(head + rest).join(' ')).not.toContain(head.slice(0, 12))
    expect(bodiesOf(rest).join(' ')).toContain('eyJ')
  })

  test('armour and the names of algorithms are left out of a key', () => {
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

describe('a value of many lines', () => {
  const [first, second] = [sample('{alnum:64}'), sample('{alnum:64}')]

  test('has forms of every line that looks like a key, also where the breaks are written out', () => {
    for (const lineBreak of ['\n', '\r\n', String.raw`\n`]) {
      expect(bodiesOf([first, second].join(lineBreak))).toEqual(expect.arrayContaining([first, second]))
    }
  })

  test('has none of a line that others have too', () => {
    const uri = '"token_uri": "https://auth.example.com/oauth2/token",'
    const bodies = bodiesOf([`"private_key": "${first}",`, uri, `"id": "${second}"`].join('\n'))
    expect(bodies).not.toContain(skeletonOf(uri, alphanumeric))
  })
})

test('a long value is cut into pieces that overlap by what is enough', () => {
  const long = sample('{alnum:20000}')
  const forms = formsOf(long)
  for (let at = 0; at + 16 <= long.length; at += 101) {
    const part = long.slice(at, at + 16)
    expect(forms.some(({ body }) => body.includes(part))).toBe(true)
  }
})

test('a part of a form stands for a part of the value', () => {
  const hex = formsOf(token).find(({ body }) => body === Buffer.from(token).toString('hex'))!
  expect(partOf(hex, 0, 20)).toBe(token.slice(0, 10))
  expect(partOf(hex, 70, 80)).toBe(token.slice(-5))
})
