import { describe, expect, test } from 'vitest'

import { planted, plantedFiles } from './kinds.ts'
import { isIn, kindsLeaked } from './leaks.ts'

const all = planted.map(({ kind }) => kind)
const bodyOf = (text: string): string => JSON.stringify({ messages: [{ role: 'user', content: text }] })

test('forty kinds, each with a value of its own', () => {
  expect(new Set(all).size).toBe(40)
  expect(new Set(planted.map(({ secret }) => secret)).size).toBe(40)
  for (const { text, secret } of planted) expect(text).toContain(secret)
})

describe('kindsLeaked', () => {
  const everything = Object.values(plantedFiles).join('')
  test.each<[string, (text: string) => string]>([
    ['as they are', (text) => text],
    ['JSON in a string', (text) => JSON.stringify({ text })],
    ['JSON in JSON in a string', (text) => JSON.stringify(JSON.stringify({ text }))],
    ['base64', (text) => Buffer.from(text).toString('base64')],
    ['base64, one byte later', (text) => Buffer.from(`.${text}`).toString('base64')],
    ['base64, two bytes later', (text) => Buffer.from(`..${text}`).toString('base64')],
    ['base64url', (text) => Buffer.from(text).toString('base64url')],
    ['base64 in lines of 76', (text) => Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\n')],
  ])('%s', (_, spell) => {
    expect(kindsLeaked([bodyOf(spell(everything))])).toEqual(all)
  })

  test('names in escapes of ASCII only', () => {
    const body = bodyOf(everything).replace(
      /[^ -~]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    expect(kindsLeaked([body])).toEqual(all)
  })

  test('nothing where every secret is masked', () => {
    const masked = planted.reduce((text, { secret }) => text.replaceAll(secret, '[SECRET_1]'), everything)
    expect(kindsLeaked([bodyOf(masked)])).toEqual([])
  })
})

test('a half of a value is a leak', () => {
  const value = 'abcdefghijklmnopqrstuvwxyz012345'
  expect(isIn('it ends with qrstuvwxyz012345', value)).toBe(true)
  expect(isIn('it has something like qrstuvwxyz', value)).toBe(false)
})
