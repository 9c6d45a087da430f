/** Compares a known form with a text at an offset where one of its windows may occur. */

import { partOf, type KnownForm } from './known-forms.ts'
import { plainUnit, visible, windowLength } from './known-windows.ts'
import { looksRandom, looksWritten } from '../text/randomness.ts'

export interface TextRange {
  readonly start: number
  readonly end: number
}

export interface FormMatch extends TextRange {
  /** Whether the match includes the start and the end of the form. */
  readonly hasStart: boolean
  readonly hasEnd: boolean
  /** Whether enough of the form matches to reveal the value. */
  readonly isEnough: boolean
}

/** Maximum distance between two characters of a value: a line break with indentation or a line prefix. */
const maxGap = 32

/** Extends the match in both directions from the window that may end at `last`. */
export function matchAt(text: string, form: KnownForm, offset: number, last: number): FormMatch {
  const { body } = form
  const { gears } = form.alphabet
  const fold = form.anyCase ? 0x20 : 0
  let from = offset + windowLength
  let start = last
  for (let place = last, gap = 0; from > 0 && place >= 0 && gap <= maxGap; place--) {
    const unit = text.charCodeAt(place)
    if (gears[unit] === 0) {
      gap++
      continue
    }
    if ((plainUnit(unit) | fold) !== (body.charCodeAt(from - 1) | fold)) break
    start = place
    from--
    gap = 0
  }
  if (from > offset) return { start, end: last + 1, hasStart: false, hasEnd: false, isEnough: false }
  let to = offset + windowLength
  let end = last + 1
  for (let place = end, gap = 0; to < body.length && place < text.length && gap <= maxGap; place++) {
    const unit = text.charCodeAt(place)
    if (gears[unit] === 0) {
      gap++
      continue
    }
    if ((plainUnit(unit) | fold) !== (body.charCodeAt(to) | fold)) break
    to++
    end = place + 1
    gap = 0
  }
  const isEnough = !isScattered(end - start, to - from) && isEnoughOf(form, from, to)
  return { start, end, hasStart: from === 0, hasEnd: to === body.length, isEnough }
}

function isEnoughOf(form: KnownForm, from: number, to: number): boolean {
  const { body } = form
  const length = to - from
  if (length === body.length) return true
  if (length < form.minMatchLength) return false
  if (form.alphabet === visible || length >= Math.max(16, 0.8 * body.length)) return true
  return isDistinctivePart(form, from, to)
}

/** Cached results: a text that repeats part of a value would compute the same result many times. */
const distinctiveParts = new WeakMap<KnownForm, Map<number, boolean>>()

/** Whether part of a value is unlikely in other text: random or, if it is most of the value, at least not words. */
function isDistinctivePart(form: KnownForm, from: number, to: number): boolean {
  let results = distinctiveParts.get(form)
  if (results === undefined) distinctiveParts.set(form, (results = new Map()))
  const key = from * form.body.length + to
  let result = results.get(key)
  if (result === undefined) {
    const part = partOf(form, from, to)
    result = looksRandom(part) || (part.length >= 0.6 * form.source.length && !looksWritten(part))
    results.set(key, result)
  }
  return result
}

/** Characters that are far apart match by chance. */
function isScattered(rangeLength: number, characters: number): boolean {
  return rangeLength > 8 * characters + 64
}

/** Extends a match to everything that belongs to it, so that nothing decodable is left. */
export function withEdges(text: string, { unit, prefix, suffix }: KnownForm, match: FormMatch): TextRange {
  const { start, end, hasStart, hasEnd } = match
  if (unit === 'plain') {
    return {
      start: hasStart ? skipChars(text, start, prefix, -1) : start,
      end: hasEnd ? skipChars(text, end, suffix, 1) : end,
    }
  }
  if (unit === 'base64') {
    const before = /(?<![\w+/-])[\w+/-]*$/.exec(text.slice(Math.max(0, start - maxRestLength - 1), start))![0]
      .length
    const after = /^[\w+/-]*/.exec(text.slice(end, end + maxRestLength + 1))![0].length
    const runEnd = end + (after > maxRestLength ? 1 : after)
    return {
      start: start - (before > maxRestLength ? 1 : before),
      end: runEnd + /^(?:=|%3D){0,6}/i.exec(text.slice(runEnd, runEnd + 18))![0].length,
    }
  }
  const before = escapePrefix.exec(text.slice(Math.max(0, start - 8), start))![0].length
  return { start: start - before, end: end + (/[;}]/.test(text.charAt(end)) ? 1 : 0) }
}

/** Base64 characters next to a match contain bits of it. The rest of their group is useless without them. */
const maxRestLength = 3

/** Escape prefixes: `%`, `=`, `\x`, `\u00`, `\u{`, `&#`, `&#x`, `0x`, `U+00`. */
const escapePrefix = /(?:(?:\\|&#|%|0)[xu]\{?0*|u\+0*|[%=\\]|&#)?$/i

/** The offset past `chars`, allowing small gaps as in the value itself; `from` if they do not match. */
function skipChars(text: string, from: number, chars: string, by: 1 | -1): number {
  let at = from
  for (let i = 0; i < chars.length; i++) {
    const unit = chars.charCodeAt(by === 1 ? i : chars.length - 1 - i)
    let gap = 0
    while (gap < 4 && plainUnit(text.charCodeAt(by === 1 ? at + gap : at - 1 - gap)) !== unit) gap++
    if (gap === 4) return from
    at += by * (gap + 1)
  }
  return at
}
