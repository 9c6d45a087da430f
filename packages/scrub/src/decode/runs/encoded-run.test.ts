import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  findHidden,
  sampleSecret,
  payloads,
  surroundings,
  viewTextsOf,
  secrets,
  fixedRuns,
} from '../../../test/decode-probe.ts'

const toBase32 = (text: string): string => {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const digits = (bits.match(/.{1,5}/g) ?? []).map(
    (five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)]!,
  )
  return digits.join('').padEnd(Math.ceil(digits.length / 8) * 8, '=')
}
const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64')
const base64Url = (text: string): string => Buffer.from(text).toString('base64url')
const hex = (text: string | Buffer): string => Buffer.from(text).toString('hex')
const wide = (text: string): Buffer => Buffer.from(text, 'utf16le')
const fold = (text: string, width: number, lineBreak: string): string =>
  (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join(lineBreak)

const encoders: Record<string, (text: string) => string> = {
  base64,
  base64url: base64Url,
  'base64 without padding': (text) => base64(text).replace(/=+$/, ''),
  'base64 twice': (text) => base64(base64(text)),
  'base64 in lines of 76': (text) => fold(base64(text), 76, '\n'),
  'base64 in lines of 64 with Windows line breaks': (text) => fold(base64(text), 64, '\r\n'),
  'base64 in indented lines': (text) => fold(base64(text), 40, '\n    '),
  'base64 with escaped line breaks': (text) => fold(base64(text), 32, '\\n'),
  hexadecimal: hex,
  'upper-case hexadecimal': (text) => hex(text).toUpperCase(),
  'hexadecimal in lines of 60': (text) => fold(hex(text), 60, '\n'),
  base32: toBase32,
  'base32 in lower case': (text) => toBase32(text).toLowerCase(),
  'base32 in lines of 76': (text) => fold(toBase32(text), 76, '\n'),
  'gzip in base64': (text) => base64(gzipSync(text)),
  'gzip in base64 in lines': (text) => fold(base64(gzipSync(text)), 76, '\n'),
  'zlib in base64': (text) => base64(deflateSync(text)),
  'deflate in base64': (text) => base64(deflateRawSync(text)),
  'gzip in hexadecimal': (text) => hex(gzipSync(text)),
  'UTF-16 in base64': (text) => base64(wide(text)),
  'big-endian UTF-16 in base64': (text) => base64(wide(text).swap16()),
  'UTF-16 in hexadecimal': (text) => hex(wide(text)),
}

describe.each(Object.entries(encoders))('%s', (_, encode) => {
  test('finds a secret, located at the run', () => {
    fc.assert(
      fc.property(payloads, surroundings, ({ text, secret }, [before, after]) => {
        const encoded = encode(text)
        const { start, end } = findHidden(before + encoded + after, secret)!
        expect(start).toBe(before.length)
        // Padding may be on a separate line.
        expect([encoded, encoded.replace(/\n=+$/, '')]).toContain(
          (before + encoded + after).slice(start, end),
        )
      }),
      fixedRuns,
    )
  })
})

describe('text next to a run', () => {
  test.each([
    ['a path', 'https://a.io/one/two/', ''],
    ['a name', 'token-', ''],
    ['a media type', 'data:text/plain;base64,', '"'],
    ['an assignment', 'VALUE=', '\n'],
  ])('%s does not hide the secret', (_, before, after) => {
    fc.assert(
      fc.property(secrets, (secret) => {
        const encoded = base64Url(secret)
        const found = findHidden(before + encoded + after, secret)
        expect(found).toEqual({ start: before.length, end: before.length + encoded.length })
      }),
      fixedRuns,
    )
  })

  test('a hexadecimal prefix does not hide the secret', () => {
    for (const prefix of ['0x', '\\x', "X'", '/files/']) {
      expect(findHidden(`a ${prefix}${hex(sampleSecret)} b`, sampleSecret)?.start).toBe(2 + prefix.length)
    }
  })

  test('text on the next line is not part of the run', () => {
    const encoded = base64(`${sampleSecret} ok`)
    for (const after of ['done', 'the end', 'next: 1', 'Q']) {
      expect(findHidden(`${encoded}\n${after}\n`, sampleSecret)).toEqual({ start: 0, end: encoded.length })
    }
  })
})

test.each(['x ', 'x^', 'y '])('decompresses text, even if it starts like compressed data: %s', (start) => {
  for (const pack of [gzipSync, deflateSync]) {
    const text = `${start}${sampleSecret} and more`
    expect(viewTextsOf(base64(pack(text)))).toContain(text)
    const twice = pack(pack(text))
    expect(viewTextsOf(base64(twice))).not.toContain(text)
  }
})

describe('truncated runs', () => {
  test('are decoded up to the end', () => {
    const encoded = base64(`${sampleSecret} and much more text behind it`)
    for (const length of [56, 57, 58, 59, 60]) {
      expect(findHidden(encoded.slice(0, length), sampleSecret)).toEqual({ start: 0, end: length })
    }
    const packed = base64(gzipSync(`${sampleSecret}${'and much more text behind it, '.repeat(9)}`))
    expect(findHidden(packed.slice(0, 90), sampleSecret)).toEqual({ start: 0, end: 90 })
  })

  test('followed by binary data are decoded as far as they are text', () => {
    const half = Buffer.concat([Buffer.from(`${sampleSecret} `), Buffer.alloc(60, 0xff)])
    expect(viewTextsOf(base64(half))).toEqual([`${sampleSecret} `])
    expect(viewTextsOf(hex(half))).toEqual([`${sampleSecret} `])
  })

  test('and long ones are decoded completely', () => {
    const text = `${'words and more words. '.repeat(400)}${sampleSecret}`
    expect(viewTextsOf(base64(text))).toEqual([text])
    expect(viewTextsOf(fold(base64(text), 76, '\n'))).toContain(text)
    expect(viewTextsOf(base64(gzipSync(text)))).toEqual([text])
  })
})
