/**
 * One tool input that arrives in pieces: which of them can be passed on before the rest is known. Tokens are replaced only
 * in the whole input, so nothing passes from the first token on, or from an end that may become one. Pure.
 */

import { tokenStart } from '@contextd/scrub/internal/secret-token'
import { ResponseTooLarge } from './response-too-large.ts'

/** What the client gets for the pieces that were held: the same pieces, or one text in place of all of them. */
export type HeldRest<Piece> =
  | { readonly kind: 'same'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'changed'; readonly pieces: readonly Piece[]; readonly text: string }

/** `Piece` is what carries a part of the text, such as an event of a stream. */
export interface HeldInput<Piece> {
  /** The pieces that can be passed on now, in order. Throws ResponseTooLarge. */
  add(text: string, piece: Piece): readonly Piece[]
  /** Everything so far. */
  text(): string
  /** Whether pieces are held now. */
  isHolding(): boolean
  /** Ends the input. `restored` is the whole text as the client may have it; leave it out where the input was cut off. */
  finish(restored?: string): HeldRest<Piece>
}

/** In characters. A whole file fits. */
const defaultMaxLength = 32 << 20

export function createHeldInput<Piece>(maxLength: number = defaultMaxLength): HeldInput<Piece> {
  const texts: string[] = []
  let length = 0
  let passed = 0
  let held: Piece[] = []
  /** The end of the text that is or may become a token. Only this is looked at again with each piece. */
  let doubt = ''

  return {
    add(more, piece) {
      length += more.length
      if (length > maxLength)
        throw new ResponseTooLarge(`a tool input of the model is over ${maxLength} characters`)
      texts.push(more)
      held.push(piece)
      if (doubt.length < maxStartLength) {
        doubt += more
        doubt = doubt.slice(clearLength(doubt))
      }
      if (doubt !== '') return []
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
 * How much of the text certainly contains no part of a token. JSON may write each character as an escape. A backslash that
 * is escaped itself is not looked at: that holds a piece too many, and never one too few.
 */
export function clearLength(text: string): number {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if ((code === openBracket || code === backslash) && mayBegin(text, at)) return at
  }
  return text.length
}

/** Never false for a text that contains a token. */
export function mayContainToken(text: string): boolean {
  return clearLength(text) < text.length
}

const openBracket = 0x5b
const backslash = 0x5c

/** Whether a token begins here, or would with the right text behind the end. */
function mayBegin(text: string, start: number): boolean {
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

/** As long as the start of a token can be written: what matches for this long is one. */
const maxStartLength = tokenCharacters.map(({ escape }) => escape).join('').length
