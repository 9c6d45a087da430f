/**
 * Estimates how many o200k tokens a text has, preferably slightly too many, without the tokenizer's vocabulary. In
 * one pass without backtracking, the text is split into the pieces that the tokenizer starts from (words, groups of
 * three digits, runs of punctuation and of white space), and each is given the average cost of such pieces.
 */

import {
  breaks,
  codesOf,
  CYRILLIC,
  cyrillicBreaks,
  lineCharacters,
  TOKEN,
  unitCosts,
} from './estimate-tables.ts'

/** Kinds of ASCII characters. */
const LOWER = 1
const UPPER = 2
const DIGIT = 3
const BLANK = 4
const NEWLINE = 5
const MARK = 6
const CONTROL = 7
const RETURN = 0x0d

const kinds = new Uint8Array(128).fill(MARK)
kinds.fill(CONTROL, 0x00, 0x20)
kinds[0x7f] = CONTROL
kinds.fill(LOWER, 0x61, 0x7b)
kinds.fill(UPPER, 0x41, 0x5b)
kinds.fill(DIGIT, 0x30, 0x3a)
kinds[0x20] = kinds[0x09] = BLANK
kinds[0x0a] = kinds[0x0d] = NEWLINE

/** What precedes a piece directly. */
const NOTHING = 0
const SPACE = 1
const MARKS = 2
const ONE_MARK = 3
const FOREIGN_LETTER = 4

/** The cost of a word's first letter, by what precedes it. */
const wordStarts = [100, 100, 100, 95, 40]
const FOREIGN_WORD_START = 60
/**
 * The cost between two letters or marks that do not stay together. A word after a space is most likely to be a single
 * token.
 */
const BREAK = 85
const BREAK_AFTER_SPACE = 60
const MARK_BREAK = 90
const MARK_JOIN = 12
/** Up to this many marks may be one token; in a longer run, such as `{}{}{}{}`, at most pairs are. */
const KNOWN_MARKS = 6
const MARK_IN_LONG_RUN = 52
/** For every letter of a word after the sixth. */
const LONG_WORD = 20
/** For every capital after the first. `SELECT` is more often a single token after a space than elsewhere. */
const CAPITAL = 25
const CAPITAL_AFTER_SPACE = 10
/** Lowercase letters after two capitals: `XMLHttp`, or noise. */
const CAPITALS_THEN_SMALL = 30
/** Minor costs: trailing white space, a line feed after a mark, a tab before a word. */
const TRAILING_BLANK = 50
const NEWLINE_AFTER_MARK = 25
const TAB_BEFORE_WORD = 40
/** A single mark before a word, where both are often one token, and otherwise. */
const joiners = codesOf("._/(-$@'")
const JOINER_BEFORE_WORD = 20
const MARK_BEFORE_WORD = 90
/** A repeated mark. Long lines of some marks are in the vocabulary. */
const rulers = codesOf('#*-./=_~')
const RULER = 7
const REPEATED_MARK = 40
/** A repeated carriage return, which vocabularies do not merge, unlike line feeds. */
const REPEATED_RETURN = 50
/** A lowercase Cyrillic letter after another. */
const CYRILLIC_JOIN = 26
const CYRILLIC_BREAK = 98
/** A character of two UTF-16 units: emoji, and rarer ones, which cost their bytes. */
const EMOJI = 280
const RARE = 400

/** Estimates the o200k tokens of a text. Zero only for the empty text, and monotonic in its length. */
export function estimateTokens(text: string): number {
  let cost = 0
  let before = NOTHING
  let at = 0
  while (at < text.length) {
    const from = at
    const code = text.charCodeAt(at)
    if (code >= 128) {
      const letter = isForeignLetter(code)
      if (letter && !isLetter(text, at - 1)) cost += FOREIGN_WORD_START
      cost += foreign(text, at, code)
      at += isPair(text, at) ? 2 : 1
      before = letter ? FOREIGN_LETTER : NOTHING
      continue
    }
    switch (kinds[code] ?? MARK) {
      case LOWER:
      case UPPER: {
        const small = skip(text, at, UPPER)
        at = skip(text, small, LOWER)
        cost += (wordStarts[before] ?? TOKEN) + insideWord(text, from, small, at, before)
        before = NOTHING
        break
      }
      case DIGIT:
        at = skip(text, at, DIGIT)
        cost += Math.ceil((at - from) / 3) * TOKEN
        before = NOTHING
        break
      case NEWLINE:
        at = skip(text, at, NEWLINE)
        cost += (before === MARKS ? NEWLINE_AFTER_MARK : TOKEN) + newlines(text, from, at)
        before = NOTHING
        break
      case BLANK:
        at = skip(text, at, BLANK)
        cost += blanks(text, from, at)
        before = text.charCodeAt(at - 1) === 0x20 ? SPACE : NOTHING
        break
      case CONTROL:
        at += 1
        cost += TOKEN
        before = NOTHING
        break
      default:
        at = skip(text, at, MARK)
        if (at - from === 1 && before !== SPACE && isLetter(text, at)) {
          cost += joiners.has(code) ? JOINER_BEFORE_WORD : MARK_BEFORE_WORD
          before = ONE_MARK
        } else {
          cost += marks(text, from, at)
          before = MARKS
        }
    }
  }
  return Math.ceil(cost / TOKEN)
}

/** The end of the run of one kind starting at `at`. */
function skip(text: string, at: number, kind: number): number {
  while (at < text.length && isKind(text, at, kind)) at += 1
  return at
}

/** The cost after the first letter of a word: capitals up to `small`, then lowercase letters. */
function insideWord(text: string, from: number, small: number, to: number, before: number): number {
  if (to - from === 1) return 0
  const capitals = small - from
  let cost = Math.max(0, to - from - 6) * LONG_WORD
  if (capitals > 1) {
    cost += (capitals - 1) * (before === SPACE ? CAPITAL_AFTER_SPACE : CAPITAL)
    if (to > small) cost += CAPITALS_THEN_SMALL
  }
  const breakCost = before === SPACE && capitals < 2 ? BREAK_AFTER_SPACE : BREAK
  let last = text.charCodeAt(from) | 0x20
  for (let at = from + 1; at < to; at += 1) {
    const letter = text.charCodeAt(at) | 0x20
    if (breaks[(last << 7) | letter] === 1) cost += breakCost
    last = letter
  }
  return cost
}

/** The cost after the first of a run of line feeds. */
function newlines(text: string, from: number, to: number): number {
  let cost = ((to - from - 1) >> 3) * TOKEN
  for (let at = from + 1; at < to; at += 1) {
    if (text.charCodeAt(at) === RETURN && text.charCodeAt(at - 1) === RETURN) cost += REPEATED_RETURN
  }
  return cost
}

/** All but the last blank are a separate piece; the last one joins what follows if possible. */
function blanks(text: string, from: number, to: number): number {
  let cost = to - from > 1 ? TOKEN : 0
  let tabs = 0
  for (let at = from; at < to; at += 1) if (text.charCodeAt(at) === 0x09) tabs += 1
  cost += ((tabs >> 3) + ((to - from - tabs) >> 6)) * TOKEN
  const isSpace = text.charCodeAt(to - 1) === 0x20
  if (text.charCodeAt(to) === RETURN || isKind(text, to, CONTROL)) return cost + TOKEN
  if (to === text.length || isKind(text, to, NEWLINE)) return cost + TRAILING_BLANK
  if (isLetter(text, to)) return cost + (isSpace ? 0 : TAB_BEFORE_WORD)
  return cost + (isSpace && !isKind(text, to, DIGIT) ? 0 : TOKEN)
}

function marks(text: string, from: number, to: number): number {
  let cost = TOKEN
  let last = text.charCodeAt(from)
  for (let at = from + 1; at < to; at += 1) {
    const mark = text.charCodeAt(at)
    const minCost = at - from < KNOWN_MARKS ? 0 : MARK_IN_LONG_RUN
    if (mark === last) cost += rulers.has(mark) ? RULER : Math.max(minCost, REPEATED_MARK)
    else cost += breaks[(last << 7) | mark] === 1 ? MARK_BREAK : Math.max(minCost, MARK_JOIN)
    last = mark
  }
  return cost
}

/** A character outside ASCII. A repeated character in a drawn line costs a quarter. */
function foreign(text: string, at: number, code: number): number {
  if (isPair(text, at)) return isEmoji(code, text.charCodeAt(at + 1)) ? EMOJI : RARE
  const last = text.charCodeAt(at - 1)
  if (isCyrillic(code) && isCyrillic(last)) {
    const pair = ((last - CYRILLIC) << 5) | (code - CYRILLIC)
    return cyrillicBreaks[pair] === 1 ? CYRILLIC_BREAK : CYRILLIC_JOIN
  }
  const cost = unitCosts[code] ?? RARE
  return last === code && lineCharacters.has(code) ? cost >> 2 : cost
}

/** Flags, U+1F300 to U+1F6FF and U+1F900 to U+1FAFF: everything between and around these is rare. */
function isEmoji(first: number, second: number): boolean {
  if (first === 0xd83c) return second >= 0xdf00 || (second >= 0xdde6 && second <= 0xddff)
  if (first === 0xd83d) return second < 0xdf00
  return first === 0xd83e && second >= 0xdd00 && second < 0xdf00
}

// Beyond the end of the text, charCodeAt returns NaN, which is none of these.

function isKind(text: string, at: number, kind: number): boolean {
  const code = text.charCodeAt(at)
  return code < 128 && kinds[code] === kind
}

function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < 128 ? kinds[code] === LOWER || kinds[code] === UPPER : isForeignLetter(code)
}

function isForeignLetter(code: number): boolean {
  return (code >= 0xc0 && code < 0x2000) || (code >= 0x3040 && code < 0xd800)
}

function isCyrillic(code: number): boolean {
  return code >= CYRILLIC && code < CYRILLIC + 32
}

function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00
}
