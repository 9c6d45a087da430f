/** Replaces secrets by tokens, whole or in a stream, and puts them back for those who may have them. */

import type { Finding, Scrub, Scrubbed } from '../../core/ports.ts'
import { createCleanTexts } from './clean-texts.ts'
import { compileRules, type CompiledRules } from './compile-rules.ts'
import { viewsOf } from './decode/views.ts'
import { findSecrets, findSecretsUnder, type FindOptions, type Unmask } from './find-secrets.ts'
import { createKnownValues } from './known-values.ts'
import { defaultRules } from './rules/index.ts'
import { lookAhead, lookBack, nextPiece, pieceLength } from './segments.ts'
import { ownString } from './own-string.ts'
import { createSessionTokens, tokenPattern, type FoundSecret, type SessionTokens } from './session-tokens.ts'
import { settle } from './settle.ts'
import type { SecretSpan } from './span.ts'

export interface ScrubberOptions {
  /** Whether encoded secrets are looked for; true unless said otherwise. */
  readonly decode?: boolean
  /** A person's own rules, on top of ours. */
  readonly ownRules?: (text: string, checkTime?: () => void) => readonly SecretSpan[]
  /** Takes back what a person has allowed of what our rules found. Values that are known stay secrets. */
  readonly unmask?: Unmask
  /** Milliseconds that one text, or one piece of a stream, may take before it is withheld. */
  readonly deadlineMs?: number
  readonly clock?: () => number
  /** Where tokens are numbered and values kept; in memory unless given. */
  readonly tokens?: SessionTokens
}

/** A text that comes in chunks. What is safe to pass on comes back from each call, findings with offsets in the stream. */
export interface ScrubStream {
  write(chunk: string): Scrubbed
  end(): Scrubbed
}

export interface Scrubber {
  readonly scrub: Scrub
  stream(session: string): ScrubStream
  /** From now on this value is looked for in every text, in any form. */
  know(value: string, rule: string): void
  /** Puts values back for tokens this session was given; a look-alike it never issued stays as it is. */
  restore(text: string, session: string): string
  endSession(session: string): void
}

const defaultDeadlineMs = 10_000
const preparedAtOnce = 128
/** More than any key has; the rest of a longer one comes with its beginning. */
const longestHunted = 16_384

let compiledDefaults: CompiledRules | undefined

export function createScrubber(options: ScrubberOptions = {}): Scrubber {
  const { clock = Date.now, deadlineMs = defaultDeadlineMs, tokens = createSessionTokens() } = options
  const hunted = createKnownValues()
  /** Found, and not hunted yet: preparing a value for the hunt takes time, and a text may be full of them. */
  const waiting: FoundSecret[] = []
  const clean = createCleanTexts()
  let room = 0
  /** How often something was made known. */
  let lessons = 0

  const know = (found: string, rule: string): void => {
    lessons += 1
    clean.clear()
    const value = found.slice(0, longestHunted)
    if (room === 0) {
      waiting.push({ value: ownString(value), rule })
      return
    }
    const before = hunted.size
    hunted.add(value, rule)
    if (hunted.size > before) room--
  }
  const known = { find: hunted.find, add: know }

  /** What was found elsewhere or before is looked for from now on. */
  const learn = (session: string): void => {
    room = preparedAtOnce
    const news = tokens.newlyKnown(session)
    if (waiting.length + news.length === 0) return
    for (const { value, rule } of [...waiting.splice(0, room), ...news]) know(value, rule)
  }

  /** Bound to one deadline. */
  const finder = (): FindOptions => {
    const end = clock() + deadlineMs
    return {
      // Compiled when the first text asks for them: a client waits for the start.
      get rules() {
        return (compiledDefaults ??= compileRules(defaultRules))
      },
      ...(options.decode !== false && { viewsOf }),
      known,
      ...(options.ownRules !== undefined && { ownRules: options.ownRules }),
      ...(options.unmask !== undefined && { unmask: options.unmask }),
      checkTime() {
        if (clock() > end) throw new Error('the text could not be checked in time')
      },
    }
  }

  const token = (
    session: string,
    text: string,
    spans: readonly SecretSpan[],
    from: number,
    to: number,
  ): Scrubbed => {
    if (spans.length === 0) return { text: text.slice(from, to), findings: [] }
    const found = spans.map(({ rule, start, end }) => ({ rule, value: text.slice(start, end) }))
    const tokensOfSpans = tokens.tokensFor(session, found)
    const findings: Finding[] = []
    let scrubbed = ''
    let at = from
    for (const [index, { rule, start, end }] of spans.entries()) {
      const issued = tokensOfSpans[index]!
      scrubbed += text.slice(at, start) + issued
      findings.push({ rule, start, end, token: issued })
      at = end
    }
    return { text: scrubbed + text.slice(at, to), findings }
  }

  /** Scrubs as many pieces as `text` has for certain, beginning at `from`. */
  const scrubPieces = (
    session: string,
    text: string,
    from: number,
    ended: boolean,
  ): { pieces: Scrubbed; to: number } => {
    const options = finder()
    const find = (window: string): SecretSpan[] => settle(window, (t) => findSecrets(t, options), hunted)
    const spans: SecretSpan[] = []
    let at = from
    while (at < text.length && (ended || text.length - at >= pieceLength + lookAhead)) {
      const piece = nextPiece(text, at, find)
      for (const span of piece.spans) spans.push(span)
      at = piece.end
    }
    return { pieces: token(session, text, spans, from, at), to: at }
  }

  const scrubUnder = (session: string, key: string, text: string): Scrubbed => {
    const options = finder()
    const spans = settle(text, (t) => findSecretsUnder(key, t, options), hunted)
    return spans.length === 0 ? { text, findings: [] } : token(session, text, spans, 0, text.length)
  }

  return {
    scrub(text, { session }, key) {
      learn(session)
      if (clean.has(text, key)) return { text, findings: [] }
      const before = lessons
      const scrubbed =
        key === undefined ? scrubPieces(session, text, 0, true).pieces : scrubUnder(session, key, text)
      if (scrubbed.findings.length === 0 && lessons === before) clean.add(text, key)
      return scrubbed
    },
    stream: (session) =>
      createStream((text, from, ended) => {
        learn(session)
        return scrubPieces(session, text, from, ended)
      }),
    know(value, rule) {
      clean.clear()
      hunted.add(value, rule)
    },
    restore: (text, session) =>
      text.replace(tokenPattern, (issued) => tokens.valueOf(session, issued) ?? issued),
    endSession: tokens.endSession,
  }
}

type ScrubPieces = (text: string, from: number, ended: boolean) => { pieces: Scrubbed; to: number }

function createStream(scrubPieces: ScrubPieces): ScrubStream {
  let held = ''
  /** How much of `held` has been passed on already, and where `held` begins in the stream. */
  let done = 0
  let offset = 0

  const advance = (ended: boolean): Scrubbed => {
    const { pieces, to } = scrubPieces(held, done, ended)
    const shift = offset
    const keepFrom = Math.max(0, to - lookBack)
    held = held.slice(keepFrom)
    offset += keepFrom
    done = to - keepFrom
    return {
      text: pieces.text,
      findings: pieces.findings.map(({ rule, start, end, token }) => ({
        rule,
        start: start + shift,
        end: end + shift,
        token,
      })),
    }
  }
  return {
    write(chunk) {
      held += chunk
      return held.length - done < pieceLength + lookAhead ? { text: '', findings: [] } : advance(false)
    },
    end: () => advance(true),
  }
}
