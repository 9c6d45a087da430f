/** Compares a known form with a text at a place where one of its windows seems to stand. */

import { partOf, type KnownForm } from './known-forms.ts'
import { plainUnit, visible, windowLength } from './known-windows.ts'
import { looksRandom, looksWritten } from '../text/randomness.ts'

export interface TextRange {
  readonly start: number
  readonly end: number
}

export interface FormMatch extends TextRange {
  /** Whether it begins and ends as the form does. */
  readonly hasStart: boolean
  readonly hasEnd: boolean
  /** Whether it gives the value away. */
  readonly isEnough: boolean
}

/** What may stand between two characters of a value: a line break and what a line of code or a listing begins with. */
const widestGap = 32

/** As much of the form as stands in the text around the window that seems to end at `last`. */
export function matchAt(text: string, form: KnownForm, offset: number, last: number): FormMatch {
  const { body } = form
  const { gears } = form.alphabet
  const fold = form.anyCase ? 0x20 : 0
  let from = offset + windowLength
  let start = last
  for (let place = last, gap = 0; from > 0 && place >= 0 && gap <= widestGap; place--) {
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
  for (let place = end, gap = 0; to < body.length && place < text.length && gap <= widestGap; place++) {
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
  const isEnough = !isScattered(end - start, to - from) && givesAway(form, from, to)
  return { start, end, hasStart: from === 0, hasEnd: to === body.length, isEnough }
}

function givesAway(form: KnownForm, from: number, to: number): boolean {
  const { body } = form
  const length = to - from
  if (length === body.length) return true
  if (length < form.enough) return false
  if (form.alphabet === visible || length >= Math.max(16, 0.8 * body.length)) return true
  return isTelling(form, from, to)
}

/** What was judged before: a text made of a part of a value asks the same again and again. */
const judged = new WeakMap<KnownForm, Map<number, boolean>>()

/** A part of a value that no other text has: it looks like a key or, if it is most of the value, at least not like words. */
function isTelling(form: KnownForm, from: number, to: number): boolean {
  let answers = judged.get(form)
  if (answers === undefined) judged.set(form, (answers = new Map()))
  const key = from * form.body.length + to
  let answer = answers.get(key)
  if (answer === undefined) {
    const part = partOf(form, from, to)
    answer = looksRandom(part) || (part.length >= 0.6 * form.source.length && !looksWritten(part))
    answers.set(key, answer)
  }
  return answer
}

/** Letters far apart say nothing. */
function isScattered(space: number, characters: number): boolean {
  return space > 8 * characters + 64
}

/** The match and what belongs to it, so that nothing is left to decode. */
export function withItsEdges(text: string, { unit, lead, tail }: KnownForm, match: FormMatch): TextRange {
  const { start, end, hasStart, hasEnd } = match
  if (unit === 'plain') {
    return {
      start: hasStart ? past(text, start, lead, -1) : start,
      end: hasEnd ? past(text, end, tail, 1) : end,
    }
  }
  if (unit === 'base64') {
    const before = /(?<![\w+/-])[\w+/-]*$/.exec(text.slice(Math.max(0, start - maxRestLength - 1), start))![0]
      .length
    const after = /^[\w+/-]*/.exec(text.slice(end, end + maxRestLength + 1))![0].length
    const close = end + (after > maxRestLength ? 1 : after)
    return {
      start: start - (before > maxRestLength ? 1 : before),
      end: close + /^(?:=|%3D){0,6}/i.exec(text.slice(close, close + 18))![0].length,
    }
  }
  const before = escapeBefore.exec(text.slice(Math.max(0, start - 8), start))![0].length
  return { start: start - before, end: end + (/[;}]/.test(text.charAt(end)) ? 1 : 0) }
}

/** The neighbour of a match in base64 holds bits of it; what is left of its group is of no use without it. */
const maxRestLength = 3

/** How a byte is introduced: `%`, `=`, `\x`, `\u00`, `\u{`, `&#`, `&#x`, `0x`, `U+00`. */
const escapeBefore = /(?:(?:\\|&#|%|0)[xu]\{?0*|u\+0*|[%=\\]|&#)?$/i

/** The place beyond `chars`, each of which may stand a little apart as those of the value do; `place` if they do not. */
function past(text: string, place: number, chars: string, by: 1 | -1): number {
  let at = place
  for (let i = 0; i < chars.length; i++) {
    const unit = chars.charCodeAt(by === 1 ? i : chars.length - 1 - i)
    let gap = 0
    while (gap < 4 && plainUnit(text.charCodeAt(by === 1 ? at + gap : at - 1 - gap)) !== unit) gap++
    if (gap === 4) return place
    at += by * (gap + 1)
  }
  return at
}
