import { createHash } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import { guess, mayBegin, read, sniffed, type Guess } from './readable.ts'

const budget = { left: 1 << 20 }
const guessOf = (bytes: Buffer): Guess | undefined => guess(bytes, Math.min(sniffed, bytes.length))
const readText = (bytes: Buffer): string | undefined => {
  const guessed = guessOf(bytes)
  return guessed && read(bytes, guessed, budget)?.text
}

describe('the first bytes tell', () => {
  test.each([
    ['text', Buffer.from('hello world, hello')],
    ['text', Buffer.from('\0user\0password')],
    ['text', Buffer.from('日本語の文章 and more')],
    ['utf16le', Buffer.from('hello world', 'utf16le')],
    ['utf16le', Buffer.from('\ufeffhello world', 'utf16le')],
    ['utf16be', Buffer.from('hello world', 'utf16le').swap16()],
    ['gzip', Buffer.from('1f8b0800000000000003', 'hex')],
  ] as const)('%s', (guessed, bytes) => {
    expect(guessOf(bytes)).toBe(guessed)
    expect(mayBegin[bytes.readUInt16BE()]).toBe(1)
  })

  test('hashes apart from text', () => {
    const hashes = Array.from({ length: 500 }, (_, seed) => createHash('sha512').update(`${seed}`).digest())
    expect(hashes.filter((hash) => guessOf(hash) !== undefined).length).toBeLessThan(3)
    expect(hashes.filter((hash) => mayBegin[hash.readUInt16BE()] === 1).length).toBeLessThan(300)
  })
})

describe('reading', () => {
  test('as far as it is text', () => {
    const bytes = Buffer.concat([Buffer.from('text that goes on'), Buffer.from([0xff, 0xfe, 0x80])])
    expect(read(bytes, 'text', budget)).toEqual({ text: 'text that goes on', used: 17 })
  })

  test('a character that is cut off belongs to it', () => {
    const bytes = Buffer.from('hello, café €').subarray(0, -1)
    expect(read(bytes, 'text', budget)).toEqual({ text: 'hello, café ', used: bytes.length })
  })

  test('UTF-16 in both orders', () => {
    const bytes = Buffer.from('\ufeffwide text', 'utf16le')
    expect([readText(bytes), readText(Buffer.from(bytes).swap16())]).toEqual(['wide text', 'wide text'])
  })

  test.each([
    ['too short', Buffer.from('seven c')],
    ['too many control characters', Buffer.from(`abcdefgh${'\x01'.repeat(4)}`)],
    ['nothing in ASCII for long enough', Buffer.from('日本語の文章です。'.repeat(3))],
  ])('nothing where it is %s', (_, bytes) => {
    expect(readText(bytes)).toBeUndefined()
  })
})
