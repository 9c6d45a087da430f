import { gzipSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import { createKnownSearch } from './known-search.ts'
import { pieceLength } from '../text/segments.ts'

const value = 'Quite-Private-8812'
const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64')
const has = createKnownSearch([value, 'x9Kf-Wq27-Lm41-Zt88'])

describe('a value', () => {
  test.each([
    ['unchanged', value],
    ['in a sentence', `it is ${value}, no more`],
    ['in base64', base64(value)],
    ['in base64 of base64', base64(base64(`it is ${value}`))],
    ['compressed', base64(gzipSync(`it is ${value}`))],
    ['in hex', Buffer.from(value).toString('hex')],
    ['in two string literals', '"Quite-" + "Private-8812"'],
    ['another value', 'x9Kf-Wq27-Lm41-Zt88'],
  ])('is found %s', (_, text) => {
    expect(has(text)).toBe(true)
    expect(createKnownSearch(['Else-Private-9931'])(text)).toBe(false)
  })

  test('is found in the key of a text', () => {
    expect(has('a text', value)).toBe(true)
    expect(has('a text', 'name')).toBe(false)
  })
})

test('a text that is scrubbed in pieces is assumed to contain it', () => {
  expect(has('word '.repeat(pieceLength / 5 + 1))).toBe(true)
  expect(has('word '.repeat(1000))).toBe(false)
})
