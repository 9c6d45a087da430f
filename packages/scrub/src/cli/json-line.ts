/**
 * Scrubs one line of JSON where its strings stand: numbers, order, white space and escapes of all else stay as they were
 * written, also where a number has more digits than JavaScript keeps.
 */

import { isJsonObject } from '@contextd/shared/json/value'
import type { Scrubbed } from '../engine/scrubbed.ts'
import { scrubAcross } from '../engine/across-texts.ts'

/** `key` is the name a string stands under, where there is one. */
export type ScrubString = (text: string, key?: string) => Scrubbed

/**
 * The object of the line with every string scrubbed, keys too, and the findings of its `text` under `findings`. Undefined
 * where the line is no object with a string `text`.
 */
export function scrubJsonLine(line: string, scrub: ScrubString): string | undefined {
  const text = textOf(line)
  if (text === undefined) return undefined
  // First, so that its tokens are the first: the line may have its other strings in any order.
  const scrubbedText = scrub(text)
  const findings = JSON.stringify(
    scrubbedText.findings.map(({ rule, start, end, token }) => ({ rule, start, end, token })),
  )
  const places = placesIn(line)
  const isOnlyText = places.filter(({ kind }) => kind === 'text').length === 1
  const whole = scrubLists(line, places, scrub)
  let result = ''
  let copied = 0
  for (const place of places) {
    const { kind, start, end, key } = place
    let by: string
    if (kind === 'findings' || kind === 'no findings') {
      by = kind === 'findings' ? findings : `,"findings":${findings}`
    } else {
      const value = kind === 'text' && isOnlyText ? text : stringOf(line, start, end)
      const { text: scrubbed } =
        kind === 'text' && value === text ? scrubbedText : scrub(whole.get(place) ?? value, key)
      if (scrubbed === value) continue
      by = JSON.stringify(scrubbed)
    }
    result += line.slice(copied, start) + by
    copied = end
  }
  return result + line.slice(copied)
}

/** What is cut between the strings of one list: the texts that are left of those it touched. */
function scrubLists(line: string, places: readonly Place[], scrub: ScrubString): Map<Place, string> {
  const lists = new Map<object, Place[]>()
  for (const place of places) {
    if (place.list === undefined) continue
    const others = lists.get(place.list)
    if (others === undefined) lists.set(place.list, [place])
    else others.push(place)
  }
  const left = new Map<Place, string>()
  for (const list of lists.values()) {
    if (list.length < 2) continue
    const texts = list.map(({ start, end }) => stringOf(line, start, end))
    for (const [index, text] of scrubAcross(texts, scrub).texts.entries()) {
      if (text !== texts[index]) left.set(list[index]!, text)
    }
  }
  return left
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

/** A stretch of the line: a string with its quotes, or where `findings` are or would be. */
interface Place {
  readonly kind: 'text' | 'string' | 'findings' | 'no findings'
  readonly start: number
  readonly end: number
  readonly key?: string
  /** The same for all strings of one list. */
  readonly list?: object
}

/** In order, of a line that is known to be an object. */
function placesIn(line: string): Place[] {
  const places: Place[] = []
  /** What is open, each with the key that its values stand under. */
  const open: { readonly isObject: boolean; key?: string }[] = []
  let expectsKey = false
  /** Where the value of a `findings` of the line's own begins: nothing in it is kept. */
  let own: number | undefined
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
        if (own === undefined) {
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
      if (open.length === 1 && inside!.key === 'findings') own = line.indexOf(':', end) + 1
      else if (own === undefined) places.push({ kind: 'string', start, end })
    } else if (char === '{' || char === '[') {
      open.push({ ...inside, isObject: char === '{' })
      expectsKey = char === '{'
    } else if (char === ',' || char === '}' || char === ']') {
      if (open.length === 1 && own !== undefined) {
        places.push({ kind: 'findings', start: own, end: at })
        own = undefined
        hasFindings = true
      }
      expectsKey = char === ',' && inside?.isObject === true
      if (char !== ',') open.pop()
      if (open.length === 0 && !hasFindings) places.push({ kind: 'no findings', start: at, end: at })
    }
  }
  return places
}

/** Behind the closing quote of the string that begins here. By search, since a string may be longer than patterns bear. */
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
