/** Characters that people do not see, but models read. */

import { mapStrings, type Json } from '@contextd/shared/json/value'
import { visibleText } from '@contextd/shared/text/visible-text'

export type HiddenKind = 'invisible' | 'direction' | 'terminal'

const escape = '\u001B'
const bell = '\u0007'

/** A terminal escape sequence: a command, or text for the terminal itself. */
const escapeSequence = String.raw`${escape}(?:\[[\d;?]{0,30}[A-Za-z]|\][^${bell}${escape}]{0,200}${bell})?`
/** Regional flags are spelled with invisible tag characters, and are allowed. */
const regionFlag = String.raw`(\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F})`
/** Tabs and line ends are visible. */
const hiddenCharacter = String.raw`[^\P{Cc}\t\n\r]|[\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]`

const flagOrHidden = new RegExp(`${regionFlag}|${escapeSequence}|${hiddenCharacter}`, 'gu')
const direction = /^[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]$/u

export interface HiddenRun {
  readonly kind: HiddenKind
  /** UTF-16 offset. */
  readonly at: number
}

/** The positions of hidden characters, one entry per run of the same kind. */
export function hiddenIn(text: string): readonly HiddenRun[] {
  const runs: HiddenRun[] = []
  let previous: { kind: HiddenKind; end: number } | undefined
  for (const [character, at] of hiddenCharacters(text)) {
    const kind = kindOf(character)
    if (previous?.end !== at || previous.kind !== kind) runs.push({ kind, at })
    previous = { kind, end: at + character.length }
  }
  return runs
}

function kindOf(characters: string): HiddenKind {
  // The second one is the escape character of 8-bit terminals.
  if (characters.startsWith(escape) || characters === '\u009B') return 'terminal'
  return direction.test(characters) ? 'direction' : 'invisible'
}

/** The value without hidden characters, in keys too. Invisible line separators become line feeds. */
export function withoutHidden<T extends Json>(value: T): T {
  return mapStrings(value, (text) =>
    replaceHidden(text, (one) => (/[\p{Zl}\p{Zp}]/u.test(one) ? '\n' : '')),
  ) as T
}

/** The text with visible codes in place of hidden characters, safe for a terminal. */
export function showHidden(text: string): string {
  return visibleText(replaceHidden(text, codesOf))
}

function codesOf(characters: string): string {
  return Array.from(characters, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`).join('')
}

function replaceHidden(text: string, replacement: (characters: string) => string): string {
  let result = ''
  let end = 0
  for (const [characters, at] of hiddenCharacters(text)) {
    result += text.slice(end, at) + replacement(characters)
    end = at + characters.length
  }
  return result + text.slice(end)
}

function* hiddenCharacters(text: string): Generator<readonly [characters: string, at: number]> {
  for (const match of text.matchAll(flagOrHidden)) {
    const [characters, flag] = match
    if (flag === undefined && !isLegitimate(text, match.index, characters)) yield [characters, match.index]
  }
}

const pictureEnd = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F#*\d]$/u
const pictureStart = /^\p{Extended_Pictographic}/u
/** Scripts in which joiners between letters affect rendering. */
const joining =
  /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Mongolian}]\p{M}?$/u

/** Emoji are colored or combined with such characters, and some scripts require them. */
function isLegitimate(text: string, at: number, character: string): boolean {
  const before = text.slice(Math.max(0, at - 3), at)
  const after = text.slice(at + 1, at + 3)
  if (character === '\uFE0F' || character === '\uFE0E') {
    return pictureEnd.test(before) && !/[\uFE0E\uFE0F]$/u.test(before)
  }
  if (character !== '\u200D' && character !== '\u200C') return false
  return joining.test(before) || (pictureEnd.test(before) && pictureStart.test(after))
}
