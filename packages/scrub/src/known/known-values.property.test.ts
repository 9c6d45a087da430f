import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { createKnownValues, type KnownValues } from './known-values.ts'

const seed = 20260719
const runs = 40

const recipes = [
  'ghp_{alnum:36}',
  'sk-ant-api03-{word:80}AA',
  'AKIA{upper:16}',
  '{base64:40}',
  '{hex:32}',
  '{uuid}',
  'xoxb-{digits:12}-{digits:12}-{alnum:24}',
  '{alnum:8}',
  '{alnum:10}&{digits:2}!',
  '%{alnum:9}<{alnum:4}=',
  'glpat-{alnum:20}',
  'correct-horse-battery-staple-{digits:3}',
  '{alnum:300}',
]
const valueOf = (recipe: string, random: number): string => makeSample(recipe, seededRandom(random)).text
const values = fc
  .tuple(fc.constantFrom(...recipes), fc.nat())
  .map(([recipe, random]) => valueOf(recipe, random))

const surroundings = fc.constantFrom<readonly [string, string]>(
  ['', ''],
  ['key = "', '"'],
  ['<a>', '</a>'],
  ['lorem ipsum ', ' dolor sit'],
  ['{"a":["', '","b"]}'],
  [`${'.'.repeat(4090)} `, '\n'],
  ['Ünïcödé → ', ' ←'],
)

const knownValues = (value: string): KnownValues => {
  const known = createKnownValues()
  known.add(value, 'rule')
  return known
}

const bytesOf = (value: string): number[] => [...Buffer.from(value)]
const unitsOf = (value: string): number[] => value.split('').map((char) => char.charCodeAt(0))
const inHex = (number: number, digits = 2): string => number.toString(16).padStart(digits, '0')
const reversed = (text: string): string => text.split('').toReversed().join('')
const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64')
const wide = (text: string): Buffer => Buffer.from(text, 'utf16le')
const every = (text: string, count: number, separator: string): string =>
  (text.match(new RegExp(`[^]{1,${count}}`, 'g')) ?? []).join(separator)

/** Each returns a text that contains the value and nothing else. */
const encodings: Readonly<Record<string, (value: string) => string>> = {
  unchanged: (value) => value,
  reversed,
  rot13: (value) =>
    value.replace(/[a-z]/gi, (char) =>
      String.fromCharCode(char.charCodeAt(0) + (/[a-m]/i.test(char) ? 13 : -13)),
    ),
  'full-width': (value) =>
    value.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)),
  'spaced out': (value) => every(value, 1, ' '),
  'with zero-width characters': (value) => every(value, 3, '\u{200b}'),
  'over lines': (value) => every(value, 7, '\n'),
  'over lines of a diff': (value) => every(value, 9, '\n+     '),
  'as concatenated strings': (value) => every(value, 6, '" +\n          "'),
  'with terminal colours': (value) => every(value, 2, '\u{1b}[1;31m'),
  base64,
  base64url: (value) => Buffer.from(value).toString('base64url'),
  'base64, folded': (value) => every(base64(value), 20, '\r\n'),
  'base64 of the reversed value': (value) => base64(reversed(value)),
  'reversed base64': (value) => reversed(base64(value).replace(/=+$/, '')),
  'base64 twice': (value) => base64(base64(value)),
  'base64 of UTF-16': (value) => base64(wide(value)),
  'base64 of big-endian UTF-16': (value) => base64(wide(value).swap16()),
  hex: (value) => Buffer.from(value).toString('hex'),
  'upper-case hex': (value) => Buffer.from(value).toString('hex').toUpperCase(),
  'hex with colons': (value) => every(Buffer.from(value).toString('hex'), 2, ':'),
  'hex in groups': (value) => every(Buffer.from(value).toString('hex'), 4, ' '),
  'reversed hex': (value) => reversed(Buffer.from(value).toString('hex')),
  'hex of the reversed value': (value) => Buffer.from(reversed(value)).toString('hex'),
  'hex of UTF-16': (value) => wide(value).toString('hex'),
  'percent-encoding of every byte': (value) =>
    bytesOf(value)
      .map((byte) => `%${inHex(byte)}`)
      .join(''),
  'percent-encoding as in URLs': (value) => encodeURIComponent(value),
  'quoted-printable, every byte': (value) =>
    bytesOf(value)
      .map((byte) => `=${inHex(byte).toUpperCase()}`)
      .join(''),
  'hex escapes': (value) =>
    bytesOf(value)
      .map((byte) => String.raw`\x${inHex(byte)}`)
      .join(''),
  'C byte literals': (value) =>
    bytesOf(value)
      .map((byte) => `0x${inHex(byte)}`)
      .join(', '),
  'unicode escapes': (value) =>
    unitsOf(value)
      .map((unit) => String.raw`\u${inHex(unit, 4)}`)
      .join(''),
  'unicode escapes in braces': (value) =>
    unitsOf(value)
      .map((unit) => String.raw`\u{${inHex(unit)}}`)
      .join(''),
  'code points': (value) =>
    unitsOf(value)
      .map((unit) => `U+${inHex(unit, 4).toUpperCase()}`)
      .join(' '),
  'decimal entities': (value) =>
    unitsOf(value)
      .map((unit) => `&#${unit};`)
      .join(''),
  'hex entities': (value) =>
    unitsOf(value)
      .map((unit) => `&#x${inHex(unit)};`)
      .join(''),
  'a list of numbers': (value) => bytesOf(value).join(', '),
  'octal escapes': (value) =>
    bytesOf(value)
      .map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
      .join(''),
  'octal escapes with a zero': (value) =>
    bytesOf(value)
      .map((byte) => String.raw`\0${byte.toString(8).padStart(3, '0')}`)
      .join(''),
  base32,
  'in HTML': (value) => value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;'),
  'in JSON for HTML': (value) =>
    value.replace(/[&<>]/g, (char) => String.raw`\u00${inHex(char.charCodeAt(0))}`),
}

function base32(value: string): string {
  const bits = bytesOf(value)
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}

describe('a known value is found with exact offsets', () => {
  test.each(Object.entries(encodings))('%s', (_, encode) => {
    fc.assert(
      fc.property(values, surroundings, (value, [before, after]) => {
        const encoded = encode(value)
        const spans = knownValues(value).find(before + encoded + after)
        expect(spans).toEqual([{ rule: 'rule', start: before.length, end: before.length + encoded.length }])
      }),
      { seed, numRuns: runs },
    )
  })

  test('case-insensitively, if it is long', () => {
    for (const value of ['ghp_{alnum:36}', '{alnum:12}'].map((recipe, i) => valueOf(recipe, i))) {
      for (const text of [value.toUpperCase(), value.toLowerCase()]) {
        expect(knownValues(value).find(text)).toEqual([{ rule: 'rule', start: 0, end: value.length }])
      }
    }
    const short = 'aB3dE6gH'
    expect(knownValues(short).find(short.toLowerCase())).toEqual([])
    expect(knownValues(short).find(short)).toHaveLength(1)
  })

  test('in longer strings', () => {
    fc.assert(
      fc.property(values, fc.nat(20), fc.nat(20), (value, before, after) => {
        const text = 'q'.repeat(before) + value + 'q'.repeat(after)
        expect(knownValues(value).find(text)).toEqual([
          { rule: 'rule', start: before, end: before + value.length },
        ])
      }),
      { seed, numRuns: runs },
    )
  })
})

/** Everything that could still be decoded from the text, at any alignment. */
function decodable(text: string): string {
  return [0, 1, 2, 3].map((skip) => Buffer.from(text.slice(skip), 'base64').toString('latin1')).join('\n')
}

test('inside longer base64, no part of the value can still be decoded', () => {
  fc.assert(
    fc.property(
      values,
      fc.string({ maxLength: 60 }),
      fc.string({ maxLength: 60 }),
      (value, before, after) => {
        const text = base64(`${before} ${value} ${after}`)
        const spans = knownValues(value).find(text)
        expect(spans).toHaveLength(1)
        const left = decodable(text.slice(0, spans[0]!.start)) + decodable(text.slice(spans[0]!.end))
        for (let at = 0; at + 4 <= value.length; at++) {
          const part = value.slice(at, at + 4)
          if (!before.includes(part) && !after.includes(part)) expect(left).not.toContain(part)
        }
        expect(decodable(text)).toContain(value)
      },
    ),
    { seed, numRuns: runs },
  )
})

test('a truncated value is found', () => {
  const keys = fc.tuple(fc.constantFrom('ghp_{alnum:36}', '{hex:64}', '{base64:86}=='), fc.nat())
  fc.assert(
    fc.property(
      keys,
      fc.boolean(),
      fc.constantFrom('unchanged', 'base64', 'hex', 'reversed'),
      ([recipe, random], head, name) => {
        const value = valueOf(recipe, random)
        const encoded = encodings[name]!(value)
        const length = Math.ceil(encoded.length * 0.65)
        const text = head ? encoded.slice(0, length) : encoded.slice(-length)
        const [span] = knownValues(value).find(`… ${text} …`)
        expect(span).toBeDefined()
        expect(span!.end - span!.start).toBeGreaterThan(length - 4)
      },
    ),
    { seed, numRuns: runs },
  )
})

describe('a million characters of ordinary text', () => {
  const folder = join(import.meta.dirname, '../../../../node_modules')
  const text = sourcesIn(folder, 1_000_000)
  const known = createKnownValues()
  for (let i = 0; i < 20; i++) for (const recipe of recipes) known.add(valueOf(recipe, 1000 + i), recipe)

  test.skipIf(text === '')('contain no known value', () => {
    expect(known.find(text)).toEqual([])
  })

  test.skipIf(text === '')('contain the values that were inserted', () => {
    const middle = text.length >> 1
    for (const recipe of recipes) {
      const value = valueOf(recipe, 1003)
      const spans = known.find(`${text.slice(0, middle)}\n${value}\n${text.slice(middle)}`)
      expect(spans).toEqual([{ rule: recipe, start: middle + 1, end: middle + 1 + value.length }])
    }
  })
})

/** Empty if no packages are installed. */
function sourcesIn(folder: string, length: number): string {
  let text = ''
  for (const name of ['zod', 'fast-check', 'vite', 'vitest', 'commander']) {
    let files: string[] = []
    try {
      files = readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' }).toSorted()
    } catch {
      continue
    }
    for (const file of files.filter((path) => /\.(?:[cm]?js|ts|json|md)$/.test(path))) {
      if (text.length >= length) return text.slice(0, length)
      text += readFileSync(join(folder, name, file), 'utf8')
    }
  }
  return text
}
