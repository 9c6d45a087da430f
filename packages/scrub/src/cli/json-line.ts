/**
 * Scrubs the strings of one line of JSON in place. Numbers, key order, white space and other escapes are preserved
 * exactly, including digits beyond JavaScript's precision.
 */

import { isJsonObject } from '@contextd/shared/json/value'
import type { Scrubbed } from '../engine/scrubbed.ts'
import { scrubAcross } from '../engine/across-texts.ts'

/** `key` is the object key of the string, if it has one. */
export type ScrubString = (text: string, key?: string) => Scrubbed

/**
 * Scrubs every string of the object, including keys, and adds the findings of its `text` as `findings`. Undefined if
 * the line is not an object with a string `text`.
 */
export function scrubJsonLine(line: string, scrub: ScrubString): string | undefined {
  const text = textOf(line)
  if (text === undefined) return undefined
  // Scrubbed first so that its tokens are numbered first; other strings may precede it in the line.
  const scrubbedText = scrub(text)
  const findings = JSON.stringify(
    scrubbedText.findings.map(({ rule, start, end, token }) => ({ rule, start, end, token })),
  )
  const places = placesIn(line)
  const isOnlyText = places.filter(({ kind }) => kind === 'text').length === 1
  const scrubbedItems = scrubLists(line, places, scrub)
  let result = ''
  let copied = 0
  for (const place of places) {
    const { kind, start, end, key } = place
    let replacement: string
    if (kind === 'findings' || kind === 'no findings') {
      replacement = kind === 'findings' ? findings : `,"findings":${findings}`
    } else {
      const value = kind === 'text' && isOnlyText ? text : stringOf(line, start, end)
      const { text: scrubbed } =
        kind === 'text' && value === text ? scrubbedText : scrub(scrubbedItems.get(place) ?? value, key)
      if (scrubbed === value) continue
      replacement = JSON.stringify(scrubbed)
    }
    result += line.slice(copied, start) + replacement
    copied = end
  }
  return result + line.slice(copied)
}

/** Removes secrets that are split across the strings of one list. Returns the new texts of the strings affected. */
function scrubLists(line: string, places: readonly Place[], scrub: ScrubString): Map<Place, string> {
  const lists = new Map<object, Place[]>()
  for (const place of places) {
    if (place.list === undefined) continue
    const others = lists.get(place.list)
    if (others === undefined) lists.set(place.list, [place])
    else others.push(place)
  }
  const changed = new Map<Place, string>()
  for (const list of lists.values()) {
    if (list.length < 2) continue
    const texts = list.map(({ start, end }) => stringOf(line, start, end))
    for (const [index, text] of scrubAcross(texts, scrub).texts.entries()) {
      if (text !== texts[index]) changed.set(list[index]!, text)
    }
  }
  return changed
}

function textOf(line: string): string | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(line)
  } catch {
    return undefined
  }
  return isJsonObject(parsed) && typeof parsed.text === 'string' ? parsed.text : undefined
}

/** A part of the line: a string with its quotes, or the position of `findings`. */
interface Place {
  readonly kind: 'text' | 'string' | 'findings' | 'no findings'
  readonly start: number
  readonly end: number
  readonly key?: string
  /** The same object for all strings of one list. */
  readonly list?: object
}

/** In order. The line must be an object. */
function placesIn(line: string): Place[] {
  const places: Place[] = []
  /** Open objects and lists, each with the key of its current value. */
  const open: { readonly isObject: boolean; key?: string }[] = []
  let expectsKey = false
  /** Where the value of the line's existing `findings` starts; all of it is replaced. */
  let oldFindings: number | undefined
  let hasFindings = false

  for (let at = 0; at < line.length; at++) {
    const char = line[at]
    const inside = open.at(-1)
    if (char === '"') {
      const start = at
      const end = endOfString(line, start)
      at = end - 1
      if (!expectsKey) {
        const isText = open.length === 1 && inside?.key === 'text'
        if (oldFindings === undefined) {
          places.push({
            kind: isText ? 'text' : 'string',
            start,
            end,
            ...(inside?.key !== undefined && { key: inside.key }),
            ...(inside?.isObject === false && { list: inside }),
          })
        }
        continue
      }
      expectsKey = false
      inside!.key = stringOf(line, start, end)
      if (open.length === 1 && inside!.key === 'findings') oldFindings = line.indexOf(':', end) + 1
      else if (oldFindings === undefined) places.push({ kind: 'string', start, end })
    } else if (char === '{' || char === '[') {
      open.push({ ...inside, isObject: char === '{' })
      expectsKey = char === '{'
    } else if (char === ',' || char === '}' || char === ']') {
      if (open.length === 1 && oldFindings !== undefined) {
        places.push({ kind: 'findings', start: oldFindings, end: at })
        oldFindings = undefined
        hasFindings = true
      }
      expectsKey = char === ',' && inside?.isObject === true
      if (char !== ',') open.pop()
      if (open.length === 0 && !hasFindings) places.push({ kind: 'no findings', start: at, end: at })
    }
  }
  return places
}

/**
 * The offset after the closing quote of the string that starts here. Not a regular expression: those fail on very long
 * strings.
 */
function endOfString(line: string, start: number): number {
  for (let at = line.indexOf('"', start + 1); ; at = line.indexOf('"', at + 1)) {
    let slashes = 0
    while (line[at - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return at + 1
  }
}

function stringOf(line: string, start: number, end: number): string {
  const literal = line.slice(start, end)
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1)
}
