import { describe, expect, test } from 'vitest'

import { findHidden, decodedInPlace, sampleSecret } from '../../../test/decode-probe.ts'

const [left, right] = [sampleSecret.slice(0, 9), sampleSecret.slice(9)]

describe('finds a token that contains colour codes', () => {
  test.each([
    ['of a terminal', '\x1b[31m', '\x1b[0m'],
    ['with several numbers', '\x1b[1;38;5;196m', '\x1b[m'],
    ['and other commands', '\x1b[2K\x1b(B', '\x1b[?25h'],
    ['and links', '\x1b]8;;https://a.io/b\x1b\\', '\x1b]8;;\x07'],
    ['as cat -v prints them', '^[[31m', '^[[0m'],
    ['escaped as in C', '\\x1b[31m', '\\033[0m'],
    ['escaped as in shells', '\\e[31m', '\\e[0m'],
    ['escaped as in JSON', '\\u001b[31m', '\\u001B[0m'],
    ['without ESC', '[31m', '[0m'],
  ])('%s', (_, on, off) => {
    const text = `user ${on}${left}${off}${on}${right}${off} end`
    expect(decodedInPlace(text)).toBe(`user ${sampleSecret} end`)
    const found = findHidden(text, sampleSecret)!
    expect(text.slice(found.start, found.end)).toBe(left + off + on + right)
  })
})

test('an unterminated sequence loses only its introducer', () => {
  expect(decodedInPlace('abc\x1b]8;;never closed\ndef')).toBe('abc8;;never closed')
  expect(decodedInPlace('abc\x1b[12')).toBe('abc[12')
})

test('indexes and powers are not colour codes', () => {
  expect(decodedInPlace('list[0] items[10] x^[a] 10^@b')).toBeUndefined()
})

test('a backspace removes the character before it', () => {
  const overstruck = sampleSecret
    .split('')
    .map((char) => `${char}\b${char}`)
    .join('')
  expect(decodedInPlace(overstruck)).toBe(sampleSecret)
  expect(decodedInPlace('_\ba_\bb wrong\b\b\b\b\bright')).toBe('ab right')
  expect(decodedInPlace('\b\b\babcdefgh')).toBe('abcdefgh')
})

test.each([
  ['low byte first', (text: string) => text.replaceAll(/./g, '$&\0')],
  ['high byte first', (text: string) => text.replaceAll(/./g, '\0$&')],
  ['as cat -v prints it', (text: string) => text.replaceAll(/./g, '$&^@')],
])('decodes UTF-16 read as bytes, %s', (_, write) => {
  expect(decodedInPlace(write(sampleSecret))).toBe(sampleSecret)
})

test('keeps NUL separators', () => {
  expect(decodedInPlace('PATH=/bin\0HOME=/root\0\0\0')).toBeUndefined()
})
