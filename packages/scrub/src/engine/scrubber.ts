/** Replaces secrets with tokens, in complete texts or streams, and restores them. */

import { textOverhead, type Finding, type Scrub, type Scrubbed } from './scrubbed.ts'
import { createCleanTexts } from './clean-texts.ts'
import { compileSecretRules, type CompiledRules } from '../find/compile-rules.ts'
import { viewsOf } from '../decode/views.ts'
import { findSecrets, findSecretsUnder, type FindOptions, type Unmask } from '../find/find-secrets.ts'
import { isDistinctive } from '../known/known-strength.ts'
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
  /** Masks this value in every text from now on, in any encoding. */
  know(value: string, rule: string): void
  /** Replaces tokens of this session with their values; similar text that it never issued is unchanged. */
  restore(text: string, session: string): string
  endSession(session: string): void
}

/** One of several scrubbers that share the values they find. */
export interface ScrubEngine extends Scrubber {
  /** Adds values found by other scrubbers. They are prepared gradually, by `prepareNext` and with each text. */
  learn(found: readonly FoundSecret[]): void
  /** Adds all new values of the registry. All but a few of them wait to be prepared. */
  refresh(session: string): void
  /** Prepares one waiting value; false if none is waiting. */
  prepareNext(): boolean
  /** Whether known values are waiting to be prepared. Until then they are not searched for. */
  hasWaiting(): boolean
  /** Number of values known so far, including waiting ones. While it is unchanged, so is the result for a given text. */
  knownCount(): number
  /**
   * For the texts of one check, scrubbed in the same turn of the event loop. Throws `NotBrief` if together they have more
   * than `maxNew` new secrets or take longer than `briefMs`.
   */
  briefScrub(session: string): Scrub
}

export interface EngineOptions extends ScrubberOptions {
  /** Called with each value that becomes known. */
  readonly onKnown?: (found: FoundSecret) => void
  /** Limits of `briefScrub` for one check: new values and milliseconds. Unlimited by default. */
  readonly maxNew?: number
  readonly briefMs?: number
}

/** The text is valid, but scrubbing it would block this thread for too long. */
export class NotBrief extends Error {}

/** The remaining limits of one check. */
interface BriefBudget {
  newLeft: number
  /** Total size of the texts so far. */
  size: number
  /** Deadline, set by the first timed text so that preparations do not count. */
  end?: number
}

const defaultDeadlineMs = 10_000
const maxPreparedAtOnce = 128
/** Per text on a thread with other callers, which must not wait for values found elsewhere. */
const maxPreparedPerText = 2
/** Per `refresh`, which no caller waits for. */
const maxPreparedPerRefresh = 8
/** Roughly the number of values that fit into the search. */
const maxWaiting = 10_000
/** Texts up to this size are not timed: they are fast, except while the scrubber is starting. */
const maxUntimedSize = 2048
/** Longer than any key. The rest of a longer value is found together with its prefix. */
const maxKnownLength = 16_384

let compiledDefaults: CompiledRules | undefined

export function createScrubber(options: ScrubberOptions = {}): Scrubber {
  return createScrubEngine(options)
}

export function createScrubEngine(options: EngineOptions = {}): ScrubEngine {
  const { clock = Date.now, deadlineMs = defaultDeadlineMs, tokens = createSessionTokens() } = options
  const { onKnown, maxNew = Infinity, briefMs = Infinity } = options
  const searched = createKnownValues()
  /** Found but not yet searched for, with their rules: preparing a value takes time, and a text may contain many. */
  const waiting = new Map<string, string>()
  const clean = createCleanTexts()
  let preparationsLeft = 0
  /** Number of values that became known. */
  let learnedCount = 0
  /** Budget of the current check; undefined if it is unlimited. */
  let brief: BriefBudget | undefined

  const know = (foundValue: string, rule: string): void => {
    const value = foundValue.slice(0, maxKnownLength)
    if (searched.has(value) || waiting.has(value) || !isDistinctive(value)) return
    learnedCount += 1
    const isTooMany = brief !== undefined && --brief.newLeft < 0
    clean.clear()
    if (preparationsLeft === 0 || isTooMany) {
      postpone(value, rule)
    } else {
      preparationsLeft--
      searched.add(value, rule)
      onKnown?.({ value, rule })
    }
    if (isTooMany) throw new NotBrief('the text has too many new secrets for this thread')
  }
  const postpone = (value: string, rule: string): void => {
    const stored = ownString(value)
    const [oldest] = waiting.keys()
    if (oldest !== undefined && waiting.size >= maxWaiting) waiting.delete(oldest)
    waiting.set(stored, rule)
    onKnown?.({ value: stored, rule })
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
      // Too many similar values. The rules masked it in its own text, and other texts must not fail because of it.
    }
    return true
  }

  /** Starts to search for values found by other processes or in earlier sessions. */
  const learn = (session: string, all = false): void => {
    const newValues = tokens.newlyKnown(session, all)
    preparationsLeft = all ? maxPreparedPerRefresh : maxPreparedAtOnce
    brief = undefined
    for (const { value, rule } of newValues) know(value, rule)
    const max = maxNew === Infinity ? preparationsLeft : Math.min(preparationsLeft, maxPreparedPerText)
    for (let prepared = 0; prepared < max && prepareNext(); prepared++) preparationsLeft--
  }

  /** Options for one text, with its deadline. */
  const findOptions = (): FindOptions => {
    const end = clock() + deadlineMs
    return {
      // Compiled on first use, because a client waits for the start.
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
    if (brief === undefined || brief.size <= maxUntimedSize) return
    brief.end ??= now + briefMs
    if (now > brief.end) throw new NotBrief('the text takes too long for this thread')
  }

  const replaceWithTokens = (
    session: string,
    text: string,
    spans: readonly SecretSpan[],
    from: number,
    to: number,
  ): Scrubbed => {
    if (spans.length === 0) return { text: text.slice(from, to), findings: [] }
    const found = spans.map(({ rule, start, end }) => ({ rule, value: text.slice(start, end) }))
    const issuedTokens = tokens.tokensFor(session, found)
    const findings: Finding[] = []
    let scrubbed = ''
    let at = from
    for (const [index, { rule, start, end }] of spans.entries()) {
      const issued = issuedTokens[index]!
      scrubbed += text.slice(at, start) + issued
      findings.push({ rule, start, end, token: issued })
      at = end
    }
    return { text: scrubbed + text.slice(at, to), findings }
  }

  /** Scrubs the pieces of `text` from `from` on that later input cannot change. */
  const scrubPieces = (
    session: string,
    text: string,
    from: number,
    ended: boolean,
  ): { pieces: Scrubbed; to: number } => {
    const options = findOptions()
    const find = (window: string): SecretSpan[] => settle(window, (t) => findSecrets(t, options), searched)
    const spans: SecretSpan[] = []
    let at = from
    while (at < text.length && (ended || text.length - at >= pieceLength + lookAhead)) {
      const piece = nextPiece(text, at, find)
      for (const span of piece.spans) spans.push(span)
      at = piece.end
    }
    return { pieces: replaceWithTokens(session, text, spans, from, at), to: at }
  }

  const scrubUnder = (session: string, key: string, text: string): Scrubbed => {
    const options = findOptions()
    const spans = settle(text, (t) => findSecretsUnder(key, t, options), searched)
    return spans.length === 0
      ? { text, findings: [] }
      : replaceWithTokens(session, text, spans, 0, text.length)
  }

  const scrub: Scrub = (text, { session }, key) => {
    learn(session)
    return scrubNow(text, session, key)
  }

  const scrubNow = (text: string, session: string, key: string | undefined): Scrubbed => {
    if (clean.has(text, key)) return { text, findings: [] }
    const countBefore = learnedCount
    const scrubbed =
      key === undefined ? scrubPieces(session, text, 0, true).pieces : scrubUnder(session, key, text)
    if (scrubbed.findings.length === 0 && learnedCount === countBefore) clean.add(text, key)
    return scrubbed
  }

  return {
    scrub,
    briefScrub(session) {
      learn(session)
      const budget: BriefBudget = { newLeft: maxNew, size: 0 }
      return (text, _, key) => {
        brief = budget
        // Also before the text: a short one may finish before the search checks the clock.
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
      if (searched.has(value) || !isDistinctive(value)) return
      learnedCount += 1
      clean.clear()
      searched.add(value, rule)
      onKnown?.({ value, rule })
    },
    learn(found) {
      for (const { value, rule } of found) {
        if (searched.has(value) || waiting.has(value)) continue
        learnedCount += 1
        postpone(value, rule)
      }
    },
    refresh: (session) => learn(session, true),
    prepareNext,
    hasWaiting: () => waiting.size > 0,
    knownCount: () => learnedCount,
    restore: (text, session) =>
      text.replace(tokenPattern, (issued) => tokens.valueOf(session, issued) ?? issued),
    endSession: tokens.endSession,
  }
}

type ScrubPieces = (text: string, from: number, ended: boolean) => { pieces: Scrubbed; to: number }

function createStream(scrubPieces: ScrubPieces): ScrubStream {
  let held = ''
  /** How much of `held` has been returned already, and the offset of `held` in the stream. */
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
