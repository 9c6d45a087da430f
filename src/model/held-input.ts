/**
 * One tool input that arrives in pieces: which of them can be passed on before the rest is known. Tokens are replaced only
 * in the whole input, so nothing passes from the first token on, or from an end that may become one. Pure.
 */

import { tokenStart } from '../core/secret-token.ts'

/** What the client gets for the pieces that were held: the same pieces, or one text in place of all of them. */
export type HeldRest<Piece> =
  | { readonly kind: 'same'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'changed'; readonly pieces: readonly Piece[]; readonly text: string }

/** `Piece` is what carries a part of the text, such as an event of a stream. */
export interface HeldInput<Piece> {
  /** The pieces that can be passed on now, in order. Throws InputTooLarge. */
  add(text: string, piece: Piece): readonly Piece[]
  /** Everything so far. */
  text(): string
  /** Whether pieces are held now. */
  isHolding(): boolean
  /** Ends the input. `restored` is the whole text as the client may have it; leave it out where the input was cut off. */
  finish(restored?: string): HeldRest<Piece>
}

export class InputTooLarge extends Error {}

/** In characters. A whole file fits. */
const defaultMaxLength = 32 << 20

export function createHeldInput<Piece>(maxLength: number = defaultMaxLength): HeldInput<Piece> {
  let text = ''
  /** No token begins before this place. */
  let clear = 0
  let passed = 0
  let held: Piece[] = []

  return {
    add(more, piece) {
      if (text.length + more.length > maxLength)
        throw new InputTooLarge(`a tool input of the model is over ${maxLength} characters`)
      text += more
      held.push(piece)
      clear = clearLength(text, clear)
      if (clear < text.length) return []
      const pieces = held
      held = []
      passed = text.length
      return pieces
    },
    text: () => text,
    isHolding: () => held.length > 0,
    finish(restored = text) {
      const pieces = held
      held = []
      if (restored === text) return { kind: 'same', pieces }
      if (restored.slice(0, passed) !== text.slice(0, passed))
        throw new Error('a tool input was changed where it had been passed on already')
      return { kind: 'changed', pieces, text: restored.slice(passed) }
    },
  }
}

/**
 * How much of the text certainly contains no part of a token, where the first `from` characters are known not to. JSON may
 * write each character as an escape. A backslash that is escaped itself is not looked at: that holds a piece too many, and
 * never one too few.
 */
export function clearLength(text: string, from = 0): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if ((code === openBracket || code === backslash) && mayBegin(text, at)) return at
  }
  return text.length
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
