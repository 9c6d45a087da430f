import { expect, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { createByteScan } from './byte-scan.ts'
import { createScanRules } from '../rules/scan-rules.ts'
import type { LocatedSecret } from './text-scan.ts'

const rules = createScanRules()
const random = seededRandom(5)
const pat = (): string => makeSample('ghp_{alnum:36}', random).text

function scan(bytes: Uint8Array, size = 1 << 20): { found: LocatedSecret[]; binary: boolean } {
  const scanning = createByteScan({ rules, path: 'a', decode: true })
  const found: LocatedSecret[] = []
  for (let at = 0; at < bytes.length; at += size)
    found.push(...scanning.push(bytes.subarray(at, at + size)).found)
  found.push(...scanning.end().found)
  return { found, binary: scanning.isBinary() }
}

const utf16 = (text: string, mark: boolean, bigEndian: boolean): Buffer => {
  const bytes = Buffer.from((mark ? '\uFEFF' : '') + text, 'utf16le')
  return bigEndian ? bytes.swap16() : bytes
}

test.each([
  ['UTF-8', (text: string) => Buffer.from(text)],
  ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\uFEFF${text}`)],
  ['UTF-16LE with a byte order mark', (text: string) => utf16(text, true, false)],
  ['UTF-16BE with a byte order mark', (text: string) => utf16(text, true, true)],
  ['UTF-16LE', (text: string) => utf16(text, false, false)],
  ['UTF-16BE', (text: string) => utf16(text, false, true)],
])('%s is text, in chunks of any size', (_, encode) => {
  const secret = pat()
  const bytes = encode(`first line\nkey: ${secret} é\n${'more text here\n'.repeat(2000)}`)
  for (const size of [1, 7, 4096, 1 << 20]) {
    const { found, binary } = scan(bytes, size)
    expect(found.map(({ line, column, secret }) => ({ line, column, secret }))).toEqual([
      { line: 2, column: 6, secret },
    ])
    expect(binary).toBe(false)
  }
})

test('invalid UTF-8 hides nothing', () => {
  const secret = pat()
  const { found } = scan(Buffer.concat([Buffer.from([0xff, 0xc3, 0x28, 10]), Buffer.from(` ${secret}\n`)]))
  expect(found).toMatchObject([{ line: 2, secret }])
})

test.each([1, 3, 5000, 1 << 20])('strings of a binary, with byte offsets, in chunks of %i', (size) => {
  const [one, two] = [pat(), pat()]
  const noise = Buffer.from(Array.from({ length: 9000 }, () => Math.floor(random() * 32)))
  const bytes = Buffer.concat([
    noise,
    Buffer.from(`\0user ${one}\0`),
    noise,
    Buffer.from(`\0${two}\0`, 'utf16le'),
    noise,
  ])
  const { found, binary } = scan(bytes, size)
  expect(binary).toBe(true)
  expect(found.map(({ secret, start, line, column }) => ({ secret, start, line, column }))).toEqual([
    { secret: one, start: 9006, line: 1, column: 9007 },
    { secret: two, start: bytes.indexOf(Buffer.from(two, 'utf16le')), line: 1, column: expect.any(Number) },
  ])
})

test('separate strings are not joined', () => {
  const [head, tail] = [pat().slice(0, 20), makeSample('{alnum:20}', random).text]
  const rules = (between: string): string[] =>
    scan(Buffer.from(`\0\0${head}${between}${tail}\0\0`)).found.map(({ rule }) => rule)
  expect(rules('\0')).not.toContain('github-pat')
  expect(rules('')).toEqual(['github-pat'])
})

test('a long string in a binary is not split', () => {
  const secret = pat()
  const { found } = scan(Buffer.from(`\0\0${'words and words '.repeat(20_000)}${secret} end\0`), 10_000)
  expect(found).toMatchObject([{ secret }])
})

test('empty input has no findings', () => {
  expect(scan(new Uint8Array(0))).toEqual({ found: [], binary: false })
})

test.each([
  ['a binary', '\0'],
  ['a text', 'x'],
])('in %s, long runs of zeros are skipped and offsets stay right', (_, first) => {
  const [one, two] = [pat(), pat()]
  const before = Buffer.from(`${first.repeat(9000)} ${one}`)
  const bytes = Buffer.concat([before, Buffer.alloc(200_000), Buffer.from(`${two}\0`), Buffer.alloc(100_000)])
  for (const size of [5000, 40_000, 1 << 20]) {
    expect(scan(bytes, size).found).toMatchObject([
      { secret: one, line: 1, start: 9001, column: 9002 },
      { secret: two, line: 1, start: before.length + 200_000, column: before.length + 200_001 },
    ])
  }
})
