import { describe, expect, test } from 'vitest'

import { findHidden, inPlaceReading, oneSecret } from '../../../test/decode-probe.ts'

const [left, right] = [oneSecret.slice(0, 9), oneSecret.slice(9)]

describe('colours inside a token do not hide it', () => {
  test.each([
    ['of a terminal', '\x1b[31m', '\x1b[0m'],
    ['with several numbers', '\x1b[1;38;5;196m', '\x1b[m'],
    ['and other commands', '\x1b[2K\x1b(B', '\x1b[?25h'],
    ['and links', '\x1b]8;;https://a.io/b\x1b\\', '\x1b]8;;\x07'],
    ['as cat -v prints them', '^[[31m', '^[[0m'],
    ['as C has them', '\\x1b[31m', '\\033[0m'],
    ['as shells have them', '\\e[31m', '\\e[0m'],
    ['as JSON has them', '\\u001b[31m', '\\u001B[0m'],
    ['without their ESC', '[31m', '[0m'],
  ])('%s', (_, on, off) => {
    const text = `user ${on}${left}${off}${on}${right}${off} end`
    expect(inPlaceReading(text)).toBe(`user ${oneSecret} end`)
    const found = findHidden(text, oneSecret)!
    expect(text.slice(found.start, found.end)).toBe(left + off + on + right)
  })
})

test('a command without an end takes nothing with it', () => {
  expect(inPlaceReading('abc\x1b]8;;never closed\ndef')).toBe('abc8;;never closed')
  expect(inPlaceReading('abc\x1b[12')).toBe('abc[12')
})

test('an index and a power are no colours', () => {
  expect(inPlaceReading('list[0] items[10] x^[a] 10^@b')).toBeUndefined()
})

test('a backspace takes back what it strikes over', () => {
  const overstruck = oneSecret
    .split('')
    .map((char) => `${char}\b${char}`)
    .join('')
  expect(inPlaceReading(overstruck)).toBe(oneSecret)
  expect(inPlaceReading('_\ba_\bb wrong\b\b\b\b\bright')).toBe('ab right')
  expect(inPlaceReading('\b\b\babcdefgh')).toBe('abcdefgh')
})

test.each([
  ['low byte first', (text: string) => text.replaceAll(/./g, '$&\0')],
  ['high byte first', (text: string) => text.replaceAll(/./g, '\0$&')],
  ['as cat -v prints it', (text: string) => text.replaceAll(/./g, '$&^@')],
])('UTF-16 read as bytes, %s', (_, write) => {
  expect(inPlaceReading(write(oneSecret))).toBe(oneSecret)
})

test('a NUL that separates stays', () => {
  expect(inPlaceReading('PATH=/bin\0HOME=/root\0\0\0')).toBeUndefined()
})
