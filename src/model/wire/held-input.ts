/**
 * Holds a tool input that arrives in pieces, and decides which pieces can be passed on before the rest is known.
 * Tokens are only replaced in the complete input, so nothing passes from the first token on, or from a suffix that
 * may become one. Pure.
 */

import { tokenStart } from '@contextd/scrub/internal/secret-token'
import { ResponseTooLarge } from './response-too-large.ts'

/** What the client receives for the held pieces: the same pieces, or one text in place of all of them. */
export type HeldRest<Piece> =
  | { readonly kind: 'same'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'changed'; readonly pieces: readonly Piece[]; readonly text: string }

/** A `Piece` carries a part of the text, such as an event of a stream. */
export interface HeldInput<Piece> {
  /** The pieces that can be passed on now, in order. Throws ResponseTooLarge. */
  add(text: string, piece: Piece): readonly Piece[]
  /** The complete text so far. */
  text(): string
  /** Whether pieces are currently held. */
  isHolding(): boolean
  /** Ends the input. `restored` is the complete text as the client may have it; omit it if the input is incomplete. */
  finish(restored?: string): HeldRest<Piece>
}

/** In characters. Large enough for a whole file. */
const defaultMaxLength = 32 << 20

export function createHeldInput<Piece>(maxLength: number = defaultMaxLength): HeldInput<Piece> {
  const texts: string[] = []
  let length = 0
  let passed = 0
  let held: Piece[] = []
  /** The suffix of the text that is or may become a token. Only this is examined again with each piece. */
  let candidate = ''

  return {
    add(more, piece) {
      length += more.length
      if (length > maxLength)
        throw new ResponseTooLarge(`a tool input of the model is over ${maxLength} characters`)
      texts.push(more)
      held.push(piece)
      if (candidate.length < maxStartLength) {
        candidate += more
        candidate = candidate.slice(clearLength(candidate))
      }
      if (candidate !== '') return []
      const pieces = held
      held = []
      passed = length
      return pieces
    },
    text: () => texts.join(''),
    isHolding: () => held.length > 0,
    finish(restored) {
      const pieces = held
      held = []
      const text = texts.join('')
      if (restored === undefined || restored === text) return { kind: 'same', pieces }
      if (restored.slice(0, passed) !== text.slice(0, passed))
        throw new Error('a tool input was changed where it had been passed on already')
      return { kind: 'changed', pieces, text: restored.slice(passed) }
    },
  }
}

/**
 * The length of the prefix that certainly contains no part of a token. JSON may escape every character. Escaped
 * backslashes are not recognized, which may hold a piece too many, but never one too few.
 */
export function clearLength(text: string): number {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if ((code === openBracket || code === backslash) && mayStart(text, at)) return at
  }
  return text.length
}

/** May return true for other texts, but never false for one that contains a token. */
export function mayContainToken(text: string): boolean {
  return clearLength(text) < text.length
}

const openBracket = 0x5b
const backslash = 0x5c

/** Whether a token starts here, or would with suitable text after the end. */
function mayStart(text: string, start: number): boolean {
  let at = start
  for (const { character, escape } of tokenCharacters) {
    if (at >= text.length) return true
    if (text[at] === character) {
      at += 1
    } else {
      const written = text.slice(at, at + escape.length).toLowerCase()
      if (!escape.startsWith(written)) return false
      at += escape.length
    }
  }
  return true
}

const tokenCharacters = Array.from(tokenStart, (character) => ({
  character,
  escape: `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
}))

/** The max length of a token's start in any notation: a match of this length is certain. */
const maxStartLength = tokenCharacters.map(({ escape }) => escape).join('').length
