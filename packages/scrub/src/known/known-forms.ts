/** The forms in which a known value may reappear: unchanged, reversed, and encoded or escaped as tools print it. */

import { alphanumeric, minBodyLength, skeletonOf, visible, type Alphabet } from './known-windows.ts'
import { looksRandom } from '../text/randomness.ts'

/** How the characters of a form are decoded: not at all, as part of a base64 run, or as escapes. */
export type FormUnit = 'plain' | 'base64' | 'escape'

export interface KnownForm {
  readonly alphabet: Alphabet
  /** What the text must contain, reduced to the characters of the alphabet. */
  readonly body: string
  /** The part of the value that the body encodes, in the same order and proportion. */
  readonly source: string
  readonly anyCase: boolean
  /** Characters that count as a match if the rest was cut off. */
  readonly minMatchLength: number
  readonly unit: FormUnit
  /** Other characters of the value before and after the body, included in a match if present. */
  readonly prefix: string
  readonly suffix: string
}

/** Longer bodies are split into overlapping pieces to bound the cost of a comparison. */
const maxBodyLength = 128
/** Longer values have only the common forms: they are files, which are rarely encoded otherwise. */
const maxLengthForAllForms = 512
/** Even longer values have only the plain form; any of its pieces is found. */
const maxLengthForCommonForms = 16_384

/** A shorter match must be the complete form. */
const minPartialLength = 12

/** Share of a rare form that must match. */
const rareFormShare = 0.8

/** A few dozen forms. A multi-line value has the common forms of the whole and of every line that looks like a key. */
export function formsOf(value: string): KnownForm[] {
  const forms = allFormsOf(value)
  if (value.length <= maxBodyLength || !/[\s"',:;{}]/.test(value)) return forms
  // Other files may contain the same words, such as field names, so only the random parts are searched for.
  const randomForms = forms.filter(({ source }) => looksRandom(source))
  return randomForms.length > 0 ? randomForms : forms
}

function allFormsOf(value: string): KnownForm[] {
  if (value.length > maxLengthForCommonForms) return secretParts(value).flatMap((part) => plain(part, ''))
  const lines = value.length > 64 ? value.split(/(?:\r|\n|\\r|\\n)+/) : [value]
  if (lines.length === 1) {
    const header = publicHeader.exec(value)?.[0] ?? ''
    const secret = value.slice(header.length)
    const parts = secretParts(secret).length > 0 ? secretParts(secret) : [secret]
    const short = parts.filter((part) => part.length <= maxLengthForAllForms)
    return [...parts.flatMap((part) => commonForms(part, header)), ...short.flatMap(rareForms)]
  }
  const inside = lines.filter((line) => !pemMarker.test(line))
  const keys = inside.map((line) => line.trim()).filter(isOneKey)
  return [inside.join('\n'), ...keys].flatMap(secretParts).flatMap((part) => commonForms(part, ''))
}

/** The header of a JSON web token names the signing algorithm, so many tokens share it. */
const publicHeader = /^eyJ[\w-]+\.(?=eyJ)/

/** All PEM keys share these marker lines. */
const pemMarker = /^\s*-----[^-]*-----\s*$/

function isOneKey(line: string): boolean {
  return line.length >= 32 && !/\s/.test(line) && looksRandom(line)
}

/** The public parts of base64 keys: algorithm identifiers, at each alignment, and the leading lengths. */
const publicDer =
  /^MII[A-Z]\w{2}IBAAKC\w{4}|\w{0,6}(?:kqhkiG9w0B|SqGSIb3DQE|KoZIhvcNAQ|qGSM49A|qhkjOPQ|KoZIzj0)\w{0,14}/

/** Excludes what keys have in common with certificates and public keys. */
function secretParts(text: string): string[] {
  const parts = text.split(publicDer)
  return parts.length === 1 ? parts : parts.filter((part) => part.length >= 24)
}

function commonForms(value: string, header: string): KnownForm[] {
  const bytes = Buffer.from(value)
  const share = minMatchLengthOf(value.length) / value.length
  return [
    ...plainForms(value, header),
    ...escape(bytes.toString('hex'), value, share),
    ...threeAlignments(bytes).flatMap((text) => base64(text, value, share)),
  ]
}

function rareForms(value: string): KnownForm[] {
  const bytes = Buffer.from(value)
  const wide = Buffer.from(value, 'utf16le')
  const reversed = reverse(value)
  const backwards = Buffer.from(reversed)
  const digits = bytes.toString('hex')
  const units = Array.from({ length: value.length }, (_, i) => value.charCodeAt(i))
  const twice = Buffer.from(bytes.toString('base64'))
  return [
    ...[wide, twice].flatMap(threeAlignments).flatMap((text) => base64(text, value)),
    ...threeAlignments(backwards).flatMap((text) => base64(text, reversed)),
    ...threeAlignments(bytes).flatMap((text) => base64(reverse(text), reversed)),
    ...fiveAlignments(bytes).flatMap((text) => base64(text, value, rareFormShare, true)),
    ...escape(backwards.toString('hex'), reversed),
    ...escape(reverse(digits), reversed),
    ...[
      wide.toString('hex'),
      digits.replace(/../g, 'x$&'),
      digits.replace(/../g, '0x$&'),
      units.map((unit) => `u${hex(unit).padStart(4, '0')}`).join(''),
      units.map((unit) => `u${hex(unit)}`).join(''),
      [...bytes].join(''),
      [...bytes].map((byte) => byte.toString(8).padStart(3, '0')).join(''),
      [...bytes].map((byte) => byte.toString(8).padStart(4, '0')).join(''),
    ].flatMap((text) => escape(text, value)),
  ]
}

function plainForms(value: string, header: string): KnownForm[] {
  const shifted = value.replace(/[A-Za-z]/g, (letter) =>
    String.fromCharCode(letter.charCodeAt(0) + (/[a-m]/i.test(letter) ? 13 : -13)),
  )
  const inUrl = asInUrl(value)
  const upperInUrl = inUrl.replace(/%../g, (escape) => escape.toUpperCase())
  const inContext = [inUrl, upperInUrl, asInHtml(value), asInJson(value), value.replaceAll('=', '=3D')]
  return [
    ...plain(value, header),
    ...plain(reverse(value), '', reverse(header)),
    ...[...new Set([shifted, ...inContext])]
      .filter((text) => text !== value)
      .flatMap((text) => plain(text, header, '', rareFormShare)),
  ]
}

function plain(text: string, before: string, after = '', share?: number): KnownForm[] {
  const letters = skeletonOf(text, alphanumeric)
  const [alphabet, body] =
    letters.length < minBodyLength ? [visible, skeletonOf(text, visible)] : [alphanumeric, letters]
  return inPieces({
    alphabet,
    body,
    source: body,
    anyCase: alphabet === alphanumeric && body.length >= 10 && looksRandom(body),
    minMatchLength: share === undefined ? minMatchLengthOf(body.length) : shareOf(body, share),
    unit: 'plain',
    prefix: before + edgeOf(text, alphabet),
    suffix: reverse(edgeOf(reverse(text), alphabet)) + after,
  })
}

function base64(text: string, source: string, share = rareFormShare, anyCase = false): KnownForm[] {
  const body = text.replace(/[+/=]+/g, '')
  return inPieces({ ...encoded, body, source, anyCase, minMatchLength: shareOf(body, share), unit: 'base64' })
}

function escape(body: string, source: string, share = rareFormShare): KnownForm[] {
  return inPieces({
    ...encoded,
    body,
    source,
    anyCase: true,
    minMatchLength: shareOf(body, share),
    unit: 'escape',
  })
}

const encoded = { alphabet: alphanumeric, prefix: '', suffix: '' }

/** 60% of the characters, but at most 16. */
function minMatchLengthOf(length: number): number {
  return Math.min(length, Math.max(minPartialLength, Math.min(16, Math.ceil(length * 0.6))))
}

function shareOf(body: string, share: number): number {
  return Math.min(body.length, Math.max(minPartialLength, Math.ceil(share * body.length)))
}

function inPieces(form: KnownForm): KnownForm[] {
  const { body } = form
  if (body.length < minBodyLength) return []
  if (body.length <= maxBodyLength) return [form]
  const pieces: KnownForm[] = []
  const minPieceMatch = Math.min(form.minMatchLength, Math.ceil(rareFormShare * maxBodyLength))
  const step = maxBodyLength - Math.min(minPieceMatch, maxBodyLength / 4)
  for (let start = 0; start < body.length - maxBodyLength + step; start += step) {
    const from = Math.min(start, body.length - maxBodyLength)
    const isLast = from + maxBodyLength === body.length
    pieces.push({
      ...form,
      minMatchLength: minPieceMatch,
      body: body.slice(from, from + maxBodyLength),
      source: partOf(form, from, from + maxBodyLength),
      prefix: from === 0 ? form.prefix : '',
      suffix: isLast ? form.suffix : '',
    })
  }
  return pieces
}

/** The part of the source that corresponds to a part of the body. */
export function partOf({ body, source }: KnownForm, from: number, to: number): string {
  const scale = source.length / body.length
  return source.slice(Math.floor(from * scale), Math.ceil(to * scale))
}

/** The base64 characters that depend on these bytes alone, with zero, one or two bytes before them in the same group. */
function threeAlignments(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(before && before + 1, Math.floor(((before + bytes.length) * 8) / 6)),
  )
}

/** The same for base32, with up to four bytes before them. */
function fiveAlignments(bytes: Buffer): string[] {
  return [0, 1, 2, 3, 4].map((before) =>
    base32([...Buffer.alloc(before), ...bytes]).slice(Math.ceil((before * 8) / 5)),
  )
}

/** Omits a last character with fewer than five bits. */
function base32(bytes: readonly number[]): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xfff
    for (held += 8; held >= 5; held -= 5)
      text += 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[(bits >> (held - 5)) & 31]
  }
  return text
}

const hex = (number: number): string => number.toString(16)

function reverse(text: string): string {
  return Array.from(text).toReversed().join('')
}

/** What precedes the first character of the alphabet. */
function edgeOf(text: string, { gears }: Alphabet): string {
  let length = 0
  while (length < text.length && gears[text.charCodeAt(length)] === 0) length++
  return text.slice(0, length)
}

const asInUrl = (text: string): string =>
  text.replace(/[^A-Za-z0-9\-_.!~*'()]/gu, (char) => Buffer.from(char).toString('hex').replace(/../g, '%$&'))

const entities: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": '#39',
}
const asInHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => `&${entities[char]};`)

const asInJson = (text: string): string =>
  text.replace(/[&<>']/g, (char) => String.raw`\u00` + hex(char.charCodeAt(0)))
