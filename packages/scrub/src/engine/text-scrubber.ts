/** Replaces the secrets of a text, or of a part of it, with tokens of a session. */

import { compileSecretRules, type CompiledRules } from '../find/compile-rules.ts'
import { findSecrets, findSecretsUnder, type FindOptions } from '../find/find-secrets.ts'
import { defaultRules } from '../rules/index.ts'
import { lookAhead, nextPiece, pieceLength } from '../text/segments.ts'
import { settle } from '../text/settle.ts'
import type { SecretSpan } from '../text/span.ts'
import type { FoundSecret, SessionTokens } from '../tokens/session-tokens.ts'
import type { LearnedValues } from './learned-values.ts'
import type { Finding, Scrubbed } from './scrubbed.ts'

export interface TextScrubber {
  /** Scrubs the pieces of `text` from `from` on that later input cannot change. */
  scrubPieces(session: string, text: string, from: number, ended: boolean): ScrubbedPieces
  /** Scrubs the value of a key in structured data. */
  scrubUnder(session: string, key: string, text: string): Scrubbed
}

export interface ScrubbedPieces {
  readonly pieces: Scrubbed
  /** The end of the last piece in the text. */
  readonly to: number
}

export interface TextScrubberParts {
  readonly detection: Pick<FindOptions, 'viewsOf' | 'ownRules' | 'unmask'>
  readonly values: Pick<LearnedValues, 'searched' | 'add'>
  readonly tokens: Pick<SessionTokens, 'tokensFor'>
  /** Starts the time of one text. The returned function throws when it is over. */
  readonly startTimer: () => () => void
}

let compiledDefaults: CompiledRules | undefined

export function createTextScrubber(parts: TextScrubberParts): TextScrubber {
  const { detection, values, tokens, startTimer } = parts
  const { searched } = values
  const known = { find: searched.find, add: values.add }

  const findOptions = (): FindOptions => ({
    // Compiled on first use, because a client waits for the start.
    get rules() {
      return (compiledDefaults ??= compileSecretRules(defaultRules))
    },
    ...detection,
    known,
    checkTime: startTimer(),
  })

  return {
    scrubPieces(session, text, from, ended) {
      const options = findOptions()
      const find = (window: string): SecretSpan[] => settle(window, (t) => findSecrets(t, options), searched)
      const spans: SecretSpan[] = []
      let to = from
      while (to < text.length && (ended || text.length - to >= pieceLength + lookAhead)) {
        const piece = nextPiece(text, to, find)
        for (const span of piece.spans) spans.push(span)
        to = piece.end
      }
      const pieces = replaceSpans({ text, from, to }, spans, (found) => tokens.tokensFor(session, found))
      return { pieces, to }
    },

    scrubUnder(session, key, text) {
      const options = findOptions()
      const spans = settle(text, (t) => findSecretsUnder(key, t, options), searched)
      const whole = { text, from: 0, to: text.length }
      return replaceSpans(whole, spans, (found) => tokens.tokensFor(session, found))
    },
  }
}

interface TextPart {
  readonly text: string
  readonly from: number
  readonly to: number
}

/** The part with tokens in place of the spans, whose offsets are those in the text. */
function replaceSpans(
  { text, from, to }: TextPart,
  spans: readonly SecretSpan[],
  tokensFor: (found: readonly FoundSecret[]) => readonly string[],
): Scrubbed {
  if (spans.length === 0) return { text: text.slice(from, to), findings: [] }
  const tokens = tokensFor(spans.map(({ rule, start, end }) => ({ rule, value: text.slice(start, end) })))
  const findings: Finding[] = []
  let scrubbed = ''
  let at = from
  for (const [index, { rule, start, end }] of spans.entries()) {
    const token = tokens[index]!
    scrubbed += text.slice(at, start) + token
    findings.push({ rule, start, end, token })
    at = end
  }
  return { text: scrubbed + text.slice(at, to), findings }
}
