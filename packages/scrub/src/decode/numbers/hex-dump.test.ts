import { gzipSync } from 'node:zlib'

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { findHidden, sampleSecret, payloads, viewTextsOf, fixedRuns } from '../../../test/decode-probe.ts'

const rows = (bytes: Buffer, width = 16): { at: number; row: Buffer }[] =>
  Array.from({ length: Math.ceil(bytes.length / width) }, (_, index) => ({
    at: index * width,
    row: bytes.subarray(index * width, (index + 1) * width),
  }))
const hexOf = (row: Buffer): string[] => row.toString('hex').match(/../g) ?? []
const shown = (row: Buffer): string => row.toString('latin1').replaceAll(/[^ -~]/g, '.')
const address = (at: number, digits: number, base = 16): string => at.toString(base).padStart(digits, '0')
const words = (row: Buffer, write: (word: number) => string): string => {
  const even = Buffer.concat([row, Buffer.alloc(row.length % 2)])
  return Array.from(
    { length: even.length / 2 },
    (_, index) => ` ${write(even.readUInt16LE(index * 2))}`,
  ).join('')
}
const print = (bytes: Buffer, line: (at: number, row: Buffer) => string, width?: number): string =>
  rows(bytes, width)
    .map(({ at, row }) => `${line(at, row)}\n`)
    .join('')
const named: Record<string, string> = { '\n': '\\n', '\t': '\\t', '\0': '\\0' }

/** The output formats of common tools. od and hexdump end with the address after the last byte. */
const dumps: Record<string, (bytes: Buffer) => string> = {
  xxd: (bytes) =>
    print(bytes, (at, row) => {
      const groups = (row.toString('hex').match(/.{1,4}/g) ?? []).join(' ')
      return `${address(at, 8)}: ${groups.padEnd(39)}  ${shown(row)}`
    }),
  'xxd -g1 -u': (bytes) =>
    print(
      bytes,
      (at, row) => `${address(at, 8)}: ${hexOf(row).join(' ').toUpperCase().padEnd(47)}  ${shown(row)}`,
    ),
  'xxd -c 8': (bytes) =>
    print(
      bytes,
      (at, row) =>
        `${address(at, 8)}: ${(row.toString('hex').match(/.{1,4}/g) ?? []).join(' ').padEnd(19)}  ${shown(row)}`,
      8,
    ),
  'xxd -b': (bytes) =>
    print(
      bytes,
      (at, row) => {
        const bits = [...row].map((byte) => byte.toString(2).padStart(8, '0')).join(' ')
        return `${address(at, 8)}: ${bits.padEnd(53)}  ${shown(row)}`
      },
      6,
    ),
  'hexdump -C': (bytes) =>
    print(bytes, (at, row) => {
      const cells = [hexOf(row.subarray(0, 8)), hexOf(row.subarray(8))]
        .map((half) => half.join(' ').padEnd(23))
        .join('  ')
      return `${address(at, 8)}  ${cells}  |${shown(row)}|`
    }) + address(bytes.length, 8),
  hexdump: (bytes) =>
    print(bytes, (at, row) => address(at, 7) + words(row, (word) => address(word, 4))) +
    address(bytes.length, 7),
  'od -x': (bytes) =>
    print(bytes, (at, row) => address(at, 7, 8) + words(row, (word) => address(word, 4))) +
    address(bytes.length, 7, 8),
  'od -t x1': (bytes) =>
    print(bytes, (at, row) => `${address(at, 7, 8)} ${hexOf(row).join(' ')}`) + address(bytes.length, 7, 8),
  'od -A x -t x1z': (bytes) =>
    print(bytes, (at, row) => `${address(at, 6)} ${hexOf(row).join(' ').padEnd(47)}  >${shown(row)}<`) +
    address(bytes.length, 6),
  od: (bytes) =>
    print(bytes, (at, row) => address(at, 7, 8) + words(row, (word) => address(word, 6, 8))) +
    address(bytes.length, 7, 8),
  'od -b': (bytes) =>
    print(
      bytes,
      (at, row) => `${address(at, 7, 8)} ${[...row].map((byte) => address(byte, 3, 8)).join(' ')}`,
    ) + address(bytes.length, 7, 8),
  'od -t u1': (bytes) =>
    print(bytes, (at, row) => address(at, 7, 8) + [...row].map((byte) => String(byte).padStart(4)).join('')) +
    address(bytes.length, 7, 8),
  'od -c': (bytes) =>
    print(bytes, (at, row) => {
      const cells = row.toString('latin1').split('')
      return address(at, 7, 8) + cells.map((char) => (named[char] ?? char).padStart(4)).join('')
    }) + address(bytes.length, 7, 8),
  'Format-Hex': (bytes) =>
    `          Offset Bytes                                           Ascii\n` +
    print(
      bytes,
      (at, row) => `${address(at, 16)} ${hexOf(row).join(' ').toUpperCase().padEnd(47)} ${shown(row)}`,
    ),
  'legacy Format-Hex': (bytes) =>
    print(
      bytes,
      (at, row) => `${address(at, 8)}   ${hexOf(row).join(' ').toUpperCase().padEnd(47)}  ${shown(row)}`,
    ),
  'tcpdump -X': (bytes) =>
    print(bytes, (at, row) => {
      const groups = (row.toString('hex').match(/.{1,4}/g) ?? []).join(' ')
      return `\t0x${address(at, 4)}:  ${groups.padEnd(39)}  ${shown(row)}`
    }),
}

describe.each(Object.entries(dumps))('%s', (_, dump) => {
  test('finds a secret, located within the dump', () => {
    fc.assert(
      fc.property(
        payloads,
        fc.constantFrom(['', ''], ['$ dump file\n', '\n$ ls of it'], ['data: ', ' ']),
        ({ text, secret }, [before, after]) => {
          const dumped = dump(Buffer.from(text))
          const whole = before + dumped + after
          const { start, end } = findHidden(whole, secret)!
          expect(start).toBeGreaterThanOrEqual(before.length)
          expect(end).toBeLessThanOrEqual(before.length + dumped.length)
          // All rows, whatever precedes the first address.
          expect(whole.slice(start, end).split('\n').length).toBeGreaterThanOrEqual(
            Math.ceil(text.length / 16),
          )
        },
      ),
      fixedRuns,
    )
  })
})

test.each([
  ['indented', '    '],
  ['quoted', '> '],
  ['added in a diff', '+'],
])('decodes dumps that are %s', (_, prefix) => {
  for (const name of ['xxd', 'od', 'hexdump']) {
    const dumped = dumps[name]!(Buffer.from(`TOKEN=${sampleSecret}\n`))
      .trimEnd()
      .replaceAll(/^/gm, prefix)
    expect(findHidden(dumped, sampleSecret)).toBeDefined()
  }
})

test('decodes a dump that starts at any address', () => {
  const dumped = print(
    Buffer.from(sampleSecret),
    (at, row) => `${address(0x7ffe1230 + at, 8)}: ${hexOf(row).join(' ')}`,
  )
  expect(viewTextsOf(dumped)).toEqual([sampleSecret])
})

test('skips repeated rows', () => {
  const dumped = `00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n*\n${print(
    Buffer.from(sampleSecret),
    (at, row) => `${address(0x40 + at, 8)}  ${hexOf(row).join(' ')}`,
  )}`
  expect(viewTextsOf(dumped).join()).toContain(sampleSecret)
})

test('decompresses a dump of compressed data', () => {
  expect(findHidden(dumps.xxd!(gzipSync(`TOKEN=${sampleSecret}`)), sampleSecret)).toBeDefined()
})

test('extracts strings from bytes that are not text', () => {
  const bytes = Buffer.concat([Buffer.alloc(50, 0x93), Buffer.from(sampleSecret), Buffer.alloc(50, 0xfe)])
  expect(viewTextsOf(dumps['hexdump -C']!(bytes))[0]).toContain(sampleSecret)
  expect(viewTextsOf(dumps['hexdump -C']!(Buffer.alloc(200, 0xfe)))).toEqual([])
})

test.each([
  ['tables', 'B1000000                         = 0x1008\nB1152000                         = 0x1009\n'],
  ['hashes of files', '0000a5b2c8d9e0f1  one.txt\n0000c3d4e5f60718  two.txt\n'],
  ['numbers', '0000 1\n0001 2\n0002 3\n'],
])('%s are not dumps', (_, text) => {
  expect(viewTextsOf(text)).toEqual([])
})
