/** Parses a regular expression into a tree, for proofs about it. */

import { type Chars, charsTakenBy } from './char-sets.ts'

export type PatternNode =
  | { readonly kind: 'chars'; readonly chars: Chars }
  /** Matches without consuming: an anchor, a word boundary. */
  | { readonly kind: 'anchor'; readonly sign: string }
  | { readonly kind: 'look'; readonly back: boolean; readonly negative: boolean; readonly part: PatternNode }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly branches: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly least: number; readonly most: number }

const quantifier = /(?:\{(\d+)(?:(,)(\d*))?\}|[*+?])\??/y
const opening = /\((?:\?(?:(?<look><?[=!])|:|<(?<name>\w+)>))?/y
const reference = /\\(?:([1-9]\d*)|k<(\w+)>)/y
const escape = /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[\da-fA-F]+\}|[pP]\{[^}]*\}|c[A-Za-z]|[^])/y
const charClass = /\[(?:[^\]\\]|\\[^])*\]/y

export function readPattern(source: string, flags = ''): PatternNode {
  let at = 0
  let count = 0
  const groups = new Map<string, PatternNode>()

  const refuse = (what: string): never => {
    throw new Error(`${what} at ${at} in ${source}`)
  }

  const take = (regex: RegExp): RegExpExecArray | null => {
    regex.lastIndex = at
    const match = regex.exec(source)
    if (match !== null) at += match[0].length
    return match
  }

  const choice = (): PatternNode => {
    const branches = [sequence()]
    while (source[at] === '|') {
      at++
      branches.push(sequence())
    }
    return branches.length === 1 ? branches[0]! : { kind: 'choice', branches }
  }

  const sequence = (): PatternNode => {
    const parts: PatternNode[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(repeated(single()))
    return { kind: 'sequence', parts }
  }

  const repeated = (part: PatternNode): PatternNode => {
    const match = take(quantifier)
    if (match === null) return part
    const [sign, from, comma, to] = match
    if (from !== undefined) {
      const least = Number(from)
      return {
        kind: 'repeat',
        part,
        least,
        most: comma === undefined ? least : to === '' ? Infinity : Number(to),
      }
    }
    return { kind: 'repeat', part, least: sign[0] === '+' ? 1 : 0, most: sign[0] === '?' ? 1 : Infinity }
  }

  const single = (): PatternNode => {
    const char = source[at]!
    if (char === '(') return group()
    if (char === '^' || char === '$') {
      at++
      return { kind: 'anchor', sign: char }
    }
    if (/^\\b/i.test(source.slice(at, at + 2))) {
      at += 2
      return { kind: 'anchor', sign: source.slice(at - 2, at) }
    }
    const back = take(reference)
    if (back !== null) return repetitionOf(back[1] ?? back[2]!)
    const piece = take(charClass) ?? take(escape)
    return { kind: 'chars', chars: charsTakenBy(piece?.[0] ?? nextChar(), flags) }
  }

  const nextChar = (): string => {
    const char = /[uv]/.test(flags) ? String.fromCodePoint(source.codePointAt(at)!) : source[at]!
    at += char.length
    return char
  }

  /** A back-reference, approximated by its whole group or nothing, which is sufficient for an upper bound. */
  const repetitionOf = (name: string): PatternNode => ({
    kind: 'repeat',
    part: groups.get(name) ?? refuse('a reference to a group that is still open'),
    least: 0,
    most: 1,
  })

  const group = (): PatternNode => {
    const { look, name } = take(opening)!.groups!
    if (source[at] === '?') refuse('a group of an unknown kind')
    const captures = source[at - 1] === '(' || name !== undefined
    const number = captures ? String(++count) : undefined
    const inside = choice()
    if (source[at] !== ')') refuse('an unclosed group')
    at++
    if (number !== undefined) groups.set(number, inside)
    if (name !== undefined) groups.set(name, inside)
    return look === undefined
      ? inside
      : { kind: 'look', back: look.startsWith('<'), negative: look.endsWith('!'), part: inside }
  }

  const tree = choice()
  if (at < source.length) refuse('an unopened group')
  return tree
}
