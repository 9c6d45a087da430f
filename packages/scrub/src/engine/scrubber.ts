/** Replaces secrets by tokens, whole or in a stream, and puts them back for those who may have them. */

import { textOverhead, type Finding, type Scrub, type Scrubbed } from './scrubbed.ts'
import { createCleanTexts } from './clean-texts.ts'
import { compileSecretRules, type CompiledRules } from '../find/compile-rules.ts'
import { viewsOf } from '../decode/views.ts'
import { findSecrets, findSecretsUnder, type FindOptions, type Unmask } from '../find/find-secrets.ts'
import { isWorthHunting } from '../known/known-strength.ts'
import { createKnownValues } from '../known/known-values.ts'
import { defaultRules } from '../rules/index.ts'
import { lookAhead, lookBack, nextPiece, pieceLength } from '../text/segments.ts'
import { ownString } from '@contextd/shared/text/own-string'
import {
  createSessionTokens,
  tokenPattern,
  type FoundSecret,
  type SessionTokens,
} from '../tokens/session-tokens.ts'
import { settle } from '../text/settle.ts'
import type { SecretSpan } from '../text/span.ts'

/**
 * All options have defaults.
 *
 * @example
 * import { createScrubber, type ScrubberOptions } from '@contextd/scrub'
 *
 * const options: ScrubberOptions = { decode: false, deadlineMs: 2000 }
 * const scrubber = createScrubber(options)
 */
export interface ScrubberOptions {
  /** Whether encoded secrets are detected (base64, hex and the like); true by default. */
  readonly decode?: boolean
  /** The user's own rules, in addition to the built-in ones. */
  readonly ownRules?: (text: string, checkTime?: () => void) => readonly SecretSpan[]
  /** Removes findings of built-in rules that the user has allowed. Known values are always masked. */
  readonly unmask?: Unmask
  /** Milliseconds to check one text, or one piece of a stream, before it is withheld; 10,000 by default. */
  readonly deadlineMs?: number
  readonly clock?: () => number
  /** Numbers tokens and stores their values; in memory by default. */
  readonly tokens?: SessionTokens
}

/**
 * A text that arrives in chunks. Each call returns the text that is safe to pass on so far; offsets of findings are those
 * in the whole stream.
 *
 * @example
 * import { createScrubber, type ScrubStream } from '@contextd/scrub'
 *
 * const stream: ScrubStream = createScrubber().stream({ session: 'build-7' })
 * for (const chunk of ['two ', 'chunks\n']) process.stdout.write(stream.write(chunk).text)
 * process.stdout.write(stream.end().text)
 */
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

/** A scrubber among several that tell each other what they found. */
export interface ScrubEngine extends Scrubber {
  /** Takes up what another one found: prepared little by little, as `prepareNext` is called and texts come. */
  learn(found: readonly FoundSecret[]): void
  /** Takes up all that the registry has to tell; what is more than a few values waits to be prepared. */
  refresh(session: string): void
  /** Prepares one value that waits; false where none does. */
  prepareNext(): boolean
  /** Whether known values wait to be prepared: until then texts are scrubbed without them. */
  hasWaiting(): boolean
  /** How many values became known so far, also those that wait. While it stays the same, so does what a text becomes. */
  knownCount(): number
  /**
   * For the texts of one check, made one after the other in the same turn. Throws `NotBrief` where they bring more new
   * secrets than `maxNew`, or take longer than `briefMs`, all together.
   */
  briefScrub(session: string): Scrub
}

export interface EngineOptions extends ScrubberOptions {
  /** Hears of each value that is looked for from now on. */
  readonly onKnown?: (found: FoundSecret) => void
  /** New values and milliseconds of one check that is scrubbed briefly; no limit unless given. */
  readonly maxNew?: number
  readonly briefMs?: number
}

/** The text is fine, but would block this thread for too long. */
export class NotBrief extends Error {}

/** What is left of the limits of one check. */
interface BriefBudget {
  newLeft: number
  /** Of the texts so far, and when they have taken too long: set by the first that is timed, behind all preparations. */
  size: number
  end?: number
}

const defaultDeadlineMs = 10_000
const preparedAtOnce = 128
/** Of what others found, with each text: a thread that has other callers must not stop for them. */
const preparedBeside = 2
/** Of what the registry tells in `refresh`, which nobody has to wait for. */
const preparedInRefresh = 8
/** About as many as there is room for among the values that are searched for. */
const maxWaiting = 10_000
/** Size of texts that are not timed: they are quick, unless the scrubber is only just starting. */
const alwaysBrief = 2048
/** More than any key has; the rest of a longer one comes with its beginning. */
const maxKnownLength = 16_384

let compiledDefaults: CompiledRules | undefined

export function createScrubber(options: ScrubberOptions = {}): Scrubber {
  return createScrubEngine(options)
}

export function createScrubEngine(options: EngineOptions = {}): ScrubEngine {
  const { clock = Date.now, deadlineMs = defaultDeadlineMs, tokens = createSessionTokens() } = options
  const { onKnown, maxNew = Infinity, briefMs = Infinity } = options
  const searched = createKnownValues()
  /** Found, and not searched for yet, with their rules: preparing a value takes time, and a text may be full of them. */
  const waiting = new Map<string, string>()
  const clean = createCleanTexts()
  let room = 0
  /** How many values became known. */
  let lessons = 0
  /** Of the check that is made now; undefined where it may take its time. */
  let brief: BriefBudget | undefined

  const know = (found: string, rule: string): void => {
    const value = found.slice(0, maxKnownLength)
    if (searched.has(value) || waiting.has(value) || !isWorthHunting(value)) return
    lessons += 1
    const isTooMany = brief !== undefined && --brief.newLeft < 0
    clean.clear()
    if (room === 0 || isTooMany) {
      postpone(value, rule)
    } else {
      room--
      searched.add(value, rule)
      onKnown?.({ value, rule })
    }
    if (isTooMany) throw new NotBrief('the text has too many new secrets for this thread')
  }
  const postpone = (value: string, rule: string): void => {
    const kept = ownString(value)
    const [oldest] = waiting.keys()
    if (oldest !== undefined && waiting.size >= maxWaiting) waiting.delete(oldest)
    waiting.set(kept, rule)
    onKnown?.({ value: kept, rule })
  }
  const known = { find: searched.find, add: know }

  const prepareNext = (): boolean => {
    const [next] = waiting
    if (next === undefined) return false
    waiting.delete(next[0])
    clean.clear()
    try {
      searched.add(...next)
    } catch {
      // Too many look like it. Its own text was scrubbed by the rules, and the next one must not pay for it.
    }
    return true
  }

  /** What was found elsewhere or before is looked for from now on. */
  const learn = (session: string, all = false): void => {
    const news = tokens.newlyKnown(session, all)
    room = all ? preparedInRefresh : preparedAtOnce
    brief = undefined
    for (const { value, rule } of news) know(value, rule)
    const max = maxNew === Infinity ? room : Math.min(room, preparedBeside)
    for (let prepared = 0; prepared < max && prepareNext(); prepared++) room--
  }

  /** Bound to one deadline. */
  const finder = (): FindOptions => {
    const end = clock() + deadlineMs
    return {
      // Compiled when the first text asks for them: a client waits for the start.
      get rules() {
        return (compiledDefaults ??= compileSecretRules(defaultRules))
      },
      ...(options.decode !== false && { viewsOf }),
      known,
      ...(options.ownRules !== undefined && { ownRules: options.ownRules }),
      ...(options.unmask !== undefined && { unmask: options.unmask }),
      checkTime() {
        const now = clock()
        if (now > end) throw new Error('the text could not be checked in time')
        checkBrief(now)
      },
    }
  }

  const checkBrief = (now: number): void => {
    if (brief === undefined || brief.size <= alwaysBrief) return
    brief.end ??= now + briefMs
    if (now > brief.end) throw new NotBrief('the text takes too long for this thread')
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
    const find = (window: string): SecretSpan[] => settle(window, (t) => findSecrets(t, options), searched)
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
    const spans = settle(text, (t) => findSecretsUnder(key, t, options), searched)
    return spans.length === 0 ? { text, findings: [] } : token(session, text, spans, 0, text.length)
  }

  const scrub: Scrub = (text, { session }, key) => {
    learn(session)
    return scrubNow(text, session, key)
  }

  const scrubNow = (text: string, session: string, key: string | undefined): Scrubbed => {
    if (clean.has(text, key)) return { text, findings: [] }
    const before = lessons
    const scrubbed =
      key === undefined ? scrubPieces(session, text, 0, true).pieces : scrubUnder(session, key, text)
    if (scrubbed.findings.length === 0 && lessons === before) clean.add(text, key)
    return scrubbed
  }

  return {
    scrub,
    briefScrub(session) {
      learn(session)
      const budget: BriefBudget = { newLeft: maxNew, size: 0 }
      return (text, _, key) => {
        brief = budget
        // Before the text as well: a short one may be done before the search looks at the clock.
        checkBrief(clock())
        budget.size += text.length + textOverhead
        return scrubNow(text, session, key)
      }
    },
    stream: (session) =>
      createStream((text, from, ended) => {
        learn(session)
        return scrubPieces(session, text, from, ended)
      }),
    know(value, rule) {
      if (searched.has(value) || !isWorthHunting(value)) return
      lessons += 1
      clean.clear()
      searched.add(value, rule)
      onKnown?.({ value, rule })
    },
    learn(found) {
      for (const { value, rule } of found) {
        if (searched.has(value) || waiting.has(value)) continue
        lessons += 1
        postpone(value, rule)
      }
    },
    refresh: (session) => learn(session, true),
    prepareNext,
    hasWaiting: () => waiting.size > 0,
    knownCount: () => lessons,
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
