import { ContextdError } from '../../core/errors/errors.ts'
import type { CountTokens } from '../../core/ports.ts'
import { estimateTokens } from './estimate.ts'

export type TokenizerName = 'estimate' | 'o200k'

/** The part of `gpt-tokenizer` that we use. */
interface Encoding {
  countTokens(text: string, options: { disallowedSpecial: Set<string> }): number
}

/** Returns the token counter: our estimator, or an optional package that counts exactly. */
export async function loadTokenizer(
  name: TokenizerName,
  importEncoding: () => Promise<Encoding> = () => import('gpt-tokenizer/encoding/o200k_base'),
): Promise<CountTokens> {
  if (name === 'estimate') return estimateTokens
  const encoding = await importEncoding().catch((cause: unknown) => {
    throw new ContextdError(
      'CONFIG_INVALID',
      {
        problem: 'budget.tokenizer is "o200k", which needs the package gpt-tokenizer',
        hint: 'Run `npm install gpt-tokenizer@4.0.0` next to contextd, or set budget.tokenizer to "estimate".',
      },
      { cause },
    )
  })
  // Text that looks like a model's control token is ordinary text here.
  const options = { disallowedSpecial: new Set<string>() }
  return (text) => {
    let tokens = 0
    for (let from = 0; from < text.length;) {
      const to = pieceEnd(text, from)
      tokens += encoding.countTokens(text.slice(from, to), options)
      from = to
    }
    return tokens
  }
}

/** Encoding takes quadratic time in the length of a word, and a word can be as long as the text. */
const maxPieceLength = 512

/** Splits where the tokenizer also splits, so that only text without white space is slightly overestimated. */
function pieceEnd(text: string, from: number): number {
  const limit = from + maxPieceLength
  if (limit >= text.length) return text.length
  const piece = text.slice(from, limit)
  const border = Math.max(piece.lastIndexOf('\n') + 1, piece.lastIndexOf(' '))
  if (border > 0) return from + border
  const isPair = (text.charCodeAt(limit - 1) & 0xfc00) === 0xd800
  return isPair ? limit - 1 : limit
}
