/** The forms in which a known value may come back: as it is, turned round, and as tools and programs print it. */

import { alphanumeric, minBodyLength, skeletonOf, visible, type Alphabet } from './known-windows.ts'
import { looksRandom } from '../text/randomness.ts'

/** What the characters of a form belong to: nothing, or a run that is decoded as a whole. */
export type FormUnit = 'plain' | 'base64' | 'escape'

export interface KnownForm {
  readonly alphabet: Alphabet
  /** What has to stand in the text, the characters of the alphabet alone. */
  readonly body: string
  /** What the body stands for, in the same order; a part of the one is about the same part of the other. */
  readonly source: string
  readonly anyCase: boolean
  /** Characters that give enough of the value away to count when the rest was cut off. */
  readonly enough: number
  readonly unit: FormUnit
  /** What belongs to the value before and after the body, taken along where it stands there. */
  readonly lead: string
  readonly tail: string
}

/** Longer ones are hunted as overlapping pieces, so that comparing has an end. */
const maxBodyLength = 128
/** Beyond it only the usual forms: what is that long is a file, and is printed in the usual ways. */
const maxLengthForAllForms = 512
/** And beyond that as it is: it is found by each of its pieces. */
const maxLengthForUsualForms = 16_384

/** Less than that is never enough, unless it is all. */
const fewest = 12

/** What it takes of a form that is rare. */
const nearlyAll = 0.8

/** A few dozen; of a value of more than one line the usual ones, of all of it and of every line that is long enough. */
export function formsOf(value: string): KnownForm[] {
  const forms = allFormsOf(value)
  if (value.length <= maxBodyLength || !/[\s"',:;{}]/.test(value)) return forms
  // Of something long with words in it, the part that says nothing by itself, as a field that other files have too.
  const telling = forms.filter(({ source }) => looksRandom(source))
  return telling.length > 0 ? telling : forms
}

function allFormsOf(value: string): KnownForm[] {
  if (value.length > maxLengthForUsualForms) return secretParts(value).flatMap((part) => plain(part, ''))
  const lines = value.length > 64 ? value.split(/(?:\r|\n|\\r|\\n)+/) : [value]
  if (lines.length === 1) {
    const head = publicHead.exec(value)?.[0] ?? ''
    const secret = value.slice(head.length)
    const parts = secretParts(secret).length > 0 ? secretParts(secret) : [secret]
    const short = parts.filter((part) => part.length <= maxLengthForAllForms)
    return [...parts.flatMap((part) => usualForms(part, head)), ...short.flatMap(otherForms)]
  }
  const inside = lines.filter((line) => !armour.test(line))
  const keys = inside.map((line) => line.trim()).filter(isOneKey)
  return [inside.join('\n'), ...keys].flatMap(secretParts).flatMap((part) => usualForms(part, ''))
}

/** The head of a JSON web token says how it is signed, the same in thousands of them. */
const publicHead = /^eyJ[\w-]+\.(?=eyJ)/

/** Every key has it, and certificates have nearly the same. */
const armour = /^\s*-----[^-]*-----\s*$/

function isOneKey(line: string): boolean {
  return line.length >= 32 && !/\s/.test(line) && looksRandom(line)
}

/** In the base64 text of keys: the names of algorithms (as they come out at each alignment) and the first lengths. */
const publicDer =
  /^MII[A-Z]\w{2}IBAAKC\w{4}|\w{0,6}(?:kqhkiG9w0B|SqGSIb3DQE|KoZIhvcNAQ|qGSM49A|qhkjOPQ|KoZIzj0)\w{0,14}/

/** Without what keys have in common with certificates and public keys. */
function secretParts(text: string): string[] {
  const parts = text.split(publicDer)
  return parts.length === 1 ? parts : parts.filter((part) => part.length >= 24)
}

function usualForms(value: string, head: string): KnownForm[] {
  const bytes = Buffer.from(value)
  const share = enoughOf(value.length) / value.length
  return [
    ...plainForms(value, head),
    ...escape(bytes.toString('hex'), value, share),
    ...threeAlignments(bytes).flatMap((text) => base64(text, value, share)),
  ]
}

function otherForms(value: string): KnownForm[] {
  const bytes = Buffer.from(value)
  const wide = Buffer.from(value, 'utf16le')
  const reversed = turned(value)
  const backwards = Buffer.from(reversed)
  const digits = bytes.toString('hex')
  const units = Array.from({ length: value.length }, (_, i) => value.charCodeAt(i))
  const twice = Buffer.from(bytes.toString('base64'))
  return [
    ...[wide, twice].flatMap(threeAlignments).flatMap((text) => base64(text, value)),
    ...threeAlignments(backwards).flatMap((text) => base64(text, reversed)),
    ...threeAlignments(bytes).flatMap((text) => base64(turned(text), reversed)),
    ...fiveAlignments(bytes).flatMap((text) => base64(text, value, nearlyAll, true)),
    ...escape(backwards.toString('hex'), reversed),
    ...escape(turned(digits), reversed),
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

function plainForms(value: string, head: string): KnownForm[] {
  const shifted = value.replace(/[A-Za-z]/g, (letter) =>
    String.fromCharCode(letter.charCodeAt(0) + (/[a-m]/i.test(letter) ? 13 : -13)),
  )
  const inUrl = asInUrl(value)
  const upperInUrl = inUrl.replace(/%../g, (escape) => escape.toUpperCase())
  const inContext = [inUrl, upperInUrl, asInHtml(value), asInJson(value), value.replaceAll('=', '=3D')]
  return [
    ...plain(value, head),
    ...plain(turned(value), '', turned(head)),
    ...[...new Set([shifted, ...inContext])]
      .filter((text) => text !== value)
      .flatMap((text) => plain(text, head, '', nearlyAll)),
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
    enough: share === undefined ? enoughOf(body.length) : shareOf(body, share),
    unit: 'plain',
    lead: before + edgeOf(text, alphabet),
    tail: turned(edgeOf(turned(text), alphabet)) + after,
  })
}

function base64(text: string, source: string, share = nearlyAll, anyCase = false): KnownForm[] {
  const body = text.replace(/[+/=]+/g, '')
  return inPieces({ ...encoded, body, source, anyCase, enough: shareOf(body, share), unit: 'base64' })
}

function escape(body: string, source: string, share = nearlyAll): KnownForm[] {
  return inPieces({ ...encoded, body, source, anyCase: true, enough: shareOf(body, share), unit: 'escape' })
}

const encoded = { alphabet: alphanumeric, lead: '', tail: '' }

/** Three fifths of the characters; sixteen of whatever length. */
function enoughOf(length: number): number {
  return Math.min(length, Math.max(fewest, Math.min(16, Math.ceil(length * 0.6))))
}

function shareOf(body: string, share: number): number {
  return Math.min(body.length, Math.max(fewest, Math.ceil(share * body.length)))
}

function inPieces(form: KnownForm): KnownForm[] {
  const { body } = form
  if (body.length < minBodyLength) return []
  if (body.length <= maxBodyLength) return [form]
  const pieces: KnownForm[] = []
  const enough = Math.min(form.enough, Math.ceil(nearlyAll * maxBodyLength))
  const step = maxBodyLength - Math.min(enough, maxBodyLength / 4)
  for (let start = 0; start < body.length - maxBodyLength + step; start += step) {
    const from = Math.min(start, body.length - maxBodyLength)
    const isLast = from + maxBodyLength === body.length
    pieces.push({
      ...form,
      enough,
      body: body.slice(from, from + maxBodyLength),
      source: partOf(form, from, from + maxBodyLength),
      lead: from === 0 ? form.lead : '',
      tail: isLast ? form.tail : '',
    })
  }
  return pieces
}

/** What a part of the body stands for. */
export function partOf({ body, source }: KnownForm, from: number, to: number): string {
  const scale = source.length / body.length
  return source.slice(Math.floor(from * scale), Math.ceil(to * scale))
}

/** What the bytes fix of their base64 text when none, one or two others stand before them in the same group. */
function threeAlignments(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(before && before + 1, Math.floor(((before + bytes.length) * 8) / 6)),
  )
}

/** The same for base32, where up to four bytes may stand before them. */
function fiveAlignments(bytes: Buffer): string[] {
  return [0, 1, 2, 3, 4].map((before) =>
    base32([...Buffer.alloc(before), ...bytes]).slice(Math.ceil((before * 8) / 5)),
  )
}

/** Without the last character if it holds less than five bits. */
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

function turned(text: string): string {
  return Array.from(text).toReversed().join('')
}

/** What stands before the first character of the alphabet. */
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
