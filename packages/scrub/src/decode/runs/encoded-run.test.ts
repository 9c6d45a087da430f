import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  findHidden,
  oneSecret,
  payloads,
  places,
  readingsOf,
  secrets,
  steady,
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
  'base64 for URLs': base64Url,
  'base64 without padding': (text) => base64(text).replace(/=+$/, ''),
  'base64 twice': (text) => base64(base64(text)),
  'base64 in lines of 76': (text) => fold(base64(text), 76, '\n'),
  'base64 in lines of 64 for Windows': (text) => fold(base64(text), 64, '\r\n'),
  'base64 in indented lines': (text) => fold(base64(text), 40, '\n    '),
  'base64 with written line breaks': (text) => fold(base64(text), 32, '\\n'),
  'hexadecimal digits': hex,
  'upper case': (text) => hex(text).toUpperCase(),
  'hexadecimal digits in lines of 60': (text) => fold(hex(text), 60, '\n'),
  base32: toBase32,
  'base32 in lower case': (text) => toBase32(text).toLowerCase(),
  'base32 in lines of 76': (text) => fold(toBase32(text), 76, '\n'),
  'gzip in base64': (text) => base64(gzipSync(text)),
  'gzip in base64 in lines': (text) => fold(base64(gzipSync(text)), 76, '\n'),
  'zlib in base64': (text) => base64(deflateSync(text)),
  'deflate in base64': (text) => base64(deflateRawSync(text)),
  'gzip in hexadecimal digits': (text) => hex(gzipSync(text)),
  'UTF-16 in base64': (text) => base64(wide(text)),
  'UTF-16 with the high byte first': (text) => base64(wide(text).swap16()),
  'UTF-16 in hexadecimal digits': (text) => hex(wide(text)),
}

describe.each(Object.entries(encoders))('%s', (_, encode) => {
  test('hides no secret, and the run is all that is said to hold it', () => {
    fc.assert(
      fc.property(payloads, places, ({ text, secret }, [before, after]) => {
        const encoded = encode(text)
        const { start, end } = findHidden(before + encoded + after, secret)!
        expect(start).toBe(before.length)
        // Padding may have a line of its own.
        expect([encoded, encoded.replace(/\n=+$/, '')]).toContain(
          (before + encoded + after).slice(start, end),
        )
      }),
      steady,
    )
  })
})

describe('what stands beside a run', () => {
  test.each([
    ['a path', 'https://a.io/one/two/', ''],
    ['a name', 'token-', ''],
    ['a kind', 'data:text/plain;base64,', '"'],
    ['an assignment', 'VALUE=', '\n'],
  ])('%s does not hide it', (_, before, after) => {
    fc.assert(
      fc.property(secrets, (secret) => {
        const encoded = base64Url(secret)
        const found = findHidden(before + encoded + after, secret)
        expect(found).toEqual({ start: before.length, end: before.length + encoded.length })
      }),
      steady,
    )
  })

  test('a prefix of hexadecimal digits does not hide them', () => {
    for (const prefix of ['0x', '\\x', "X'", '/files/']) {
      expect(findHidden(`a ${prefix}${hex(oneSecret)} b`, oneSecret)?.start).toBe(2 + prefix.length)
    }
  })

  test('what follows on the next line is not part of it', () => {
    const encoded = base64(`${oneSecret} ok`)
    for (const after of ['done', 'the end', 'next: 1', 'Q']) {
      expect(findHidden(`${encoded}\n${after}\n`, oneSecret)).toEqual({ start: 0, end: encoded.length })
    }
  })
})

test.each(['x ', 'x^', 'y '])(
  'text that was packed is read, also where it begins like packed text: %s',
  (start) => {
    for (const pack of [gzipSync, deflateSync]) {
      const text = `${start}${oneSecret} and more`
      expect(readingsOf(base64(pack(text)))).toContain(text)
      const twice = pack(pack(text))
      expect(readingsOf(base64(twice))).not.toContain(text)
    }
  },
)

describe('what is cut', () => {
  test('the head of a run is read', () => {
    const encoded = base64(`${oneSecret} and much more text behind it`)
    for (const length of [56, 57, 58, 59, 60]) {
      expect(findHidden(encoded.slice(0, length), oneSecret)).toEqual({ start: 0, end: length })
    }
    const packed = base64(gzipSync(`${oneSecret}${'and much more text behind it, '.repeat(9)}`))
    expect(findHidden(packed.slice(0, 90), oneSecret)).toEqual({ start: 0, end: 90 })
  })

  test('text that turns into something else is read as far as it is text', () => {
    const half = Buffer.concat([Buffer.from(`${oneSecret} `), Buffer.alloc(60, 0xff)])
    expect(readingsOf(base64(half))).toEqual([`${oneSecret} `])
    expect(readingsOf(hex(half))).toEqual([`${oneSecret} `])
  })

  test('long runs are read whole', () => {
    const text = `${'words and more words. '.repeat(400)}${oneSecret}`
    expect(readingsOf(base64(text))).toEqual([text])
    expect(readingsOf(fold(base64(text), 76, '\n'))).toContain(text)
    expect(readingsOf(base64(gzipSync(text)))).toEqual([text])
  })
})
