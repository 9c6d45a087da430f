import { createHash } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import { guessFormat, mayStartText, readAs, maxSniffedBytes, type ByteFormat } from './readable.ts'

const budget = { remaining: 1 << 20 }
const formatOf = (bytes: Buffer): ByteFormat | undefined =>
  guessFormat(bytes, Math.min(maxSniffedBytes, bytes.length))
const readText = (bytes: Buffer): string | undefined => {
  const format = formatOf(bytes)
  return format && readAs(bytes, format, budget)?.text
}

describe('the format is detected from the first bytes', () => {
  test.each([
    ['text', Buffer.from('hello world, hello')],
    ['text', Buffer.from('\0user\0password')],
    ['text', Buffer.from('日本語の文章 and more')],
    ['utf16le', Buffer.from('hello world', 'utf16le')],
    ['utf16le', Buffer.from('\ufeffhello world', 'utf16le')],
    ['utf16be', Buffer.from('hello world', 'utf16le').swap16()],
    ['gzip', Buffer.from('1f8b0800000000000003', 'hex')],
  ] as const)('%s', (format, bytes) => {
    expect(formatOf(bytes)).toBe(format)
    expect(mayStartText[bytes.readUInt16BE()]).toBe(1)
  })

  test('hashes are not taken for text', () => {
    const hashes = Array.from({ length: 500 }, (_, seed) => createHash('sha512').update(`${seed}`).digest())
    expect(hashes.filter((hash) => formatOf(hash) !== undefined).length).toBeLessThan(3)
    expect(hashes.filter((hash) => mayStartText[hash.readUInt16BE()] === 1).length).toBeLessThan(300)
  })
})

describe('decoding', () => {
  test('stops where the bytes are no longer text', () => {
    const bytes = Buffer.concat([Buffer.from('text that goes on'), Buffer.from([0xff, 0xfe, 0x80])])
    expect(readAs(bytes, 'text', budget)).toEqual({ text: 'text that goes on', used: 17 })
  })

  test('includes a truncated character', () => {
    const bytes = Buffer.from('hello, café €').subarray(0, -1)
    expect(readAs(bytes, 'text', budget)).toEqual({ text: 'hello, café ', used: bytes.length })
  })

  test('supports UTF-16 in both byte orders', () => {
    const bytes = Buffer.from('\ufeffwide text', 'utf16le')
    expect([readText(bytes), readText(Buffer.from(bytes).swap16())]).toEqual(['wide text', 'wide text'])
  })

  test.each([
    ['too short', Buffer.from('seven c')],
    ['full of control characters', Buffer.from(`abcdefgh${'\x01'.repeat(4)}`)],
    ['without enough consecutive ASCII characters', Buffer.from('日本語の文章です。'.repeat(3))],
  ])('rejects text that is %s', (_, bytes) => {
    expect(readText(bytes)).toBeUndefined()
  })
})
