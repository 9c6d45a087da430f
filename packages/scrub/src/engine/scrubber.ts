/** Replaces secrets with tokens, in complete texts or streams, and restores them. */

import { viewsOf } from '../decode/views.ts'
import type { Unmask } from '../find/find-secrets.ts'
import type { SecretSpan } from '../text/span.ts'
import {
  createSessionTokens,
  tokenPattern,
  type FoundSecret,
  type SessionTokens,
} from '../tokens/session-tokens.ts'
import { createBriefLimits } from './brief-limits.ts'
import { createCleanTexts } from './clean-texts.ts'
import { createLearnedValues } from './learned-values.ts'
import { createScrubStream, type ScrubStream } from './scrub-stream.ts'
import type { Scrub, Scrubbed } from './scrubbed.ts'
import { createTextScrubber } from './text-scrubber.ts'

export { NotBrief } from './brief-limits.ts'

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

const defaultDeadlineMs = 10_000

export function createScrubber(options: ScrubberOptions = {}): Scrubber {
  return createScrubEngine(options)
}

export function createScrubEngine(options: EngineOptions = {}): ScrubEngine {
  const { clock = Date.now, deadlineMs = defaultDeadlineMs, tokens = createSessionTokens() } = options
  const { onKnown = () => {}, maxNew = Infinity, briefMs = Infinity } = options
  const clean = createCleanTexts()
  const limits = createBriefLimits(maxNew, briefMs, clock)
  const values = createLearnedValues({
    tokens,
    limits,
    isThreadShared: maxNew !== Infinity,
    onKnown,
    onSearchChange: clean.clear,
  })
  const texts = createTextScrubber({
    detection: {
      ...(options.decode !== false && { viewsOf }),
      ...(options.ownRules !== undefined && { ownRules: options.ownRules }),
      ...(options.unmask !== undefined && { unmask: options.unmask }),
    },
    values,
    tokens,
    startTimer() {
      const end = clock() + deadlineMs
      return () => {
        const now = clock()
        if (now > end) throw new Error('the text could not be checked in time')
        limits.checkTime(now)
      }
    },
  })

  const scrubNow = (text: string, session: string, key: string | undefined): Scrubbed => {
    if (clean.has(text, key)) return { text, findings: [] }
    const countBefore = values.count()
    const scrubbed =
      key === undefined
        ? texts.scrubPieces(session, text, 0, true).pieces
        : texts.scrubUnder(session, key, text)
    if (scrubbed.findings.length === 0 && values.count() === countBefore) clean.add(text, key)
    return scrubbed
  }

  return {
    scrub(text, { session }, key) {
      values.learnNew(session)
      return scrubNow(text, session, key)
    },
    briefScrub(session) {
      values.learnNew(session)
      const startText = limits.startCheck()
      return (text, _, key) => {
        startText(text)
        return scrubNow(text, session, key)
      }
    },
    stream: (session) =>
      createScrubStream((text, from, ended) => {
        values.learnNew(session)
        return texts.scrubPieces(session, text, from, ended)
      }),
    know: values.addNow,
    learn: values.addLater,
    refresh: (session) => values.learnNew(session, true),
    prepareNext: values.prepareNext,
    hasWaiting: values.hasWaiting,
    knownCount: values.count,
    restore: (text, session) =>
      text.replace(tokenPattern, (issued) => tokens.valueOf(session, issued) ?? issued),
    endSession: tokens.endSession,
  }
}
