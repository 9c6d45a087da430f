/** The public scrubber: every method accepts the session in the same form and rejects any other. */

import type { Scrubbed } from './scrubbed.ts'
import type { ScrubStream } from './scrub-stream.ts'
import { createScrubber, type ScrubberOptions } from './scrubber.ts'

/**
 * The session whose tokens are issued or restored: the same value has the same token in it.
 *
 * @example
 * import { createScrubber, type SessionScope } from '@contextd/scrub'
 *
 * const build: SessionScope = { session: 'build-7' }
 * createScrubber().endSession(build)
 */
export interface SessionScope {
  readonly session: string
}

/**
 * Every method throws a `TypeError` if the session is not given as `{ session: 'name' }`.
 *
 * @example
 * import { createScrubber, type Scrubber } from '@contextd/scrub'
 *
 * function createLog(scrubber: Scrubber): (line: string) => void {
 *   return (line) => console.log(scrubber.scrub(line, { session: 'log' }).text)
 * }
 * const scrubber = createScrubber()
 * scrubber.know('correct horse battery staple', 'passphrase')
 * createLog(scrubber)('unlocked with correct horse battery staple')
 * // → unlocked with [SECRET_1]
 */
export interface EmbeddedScrubber {
  /** Replaces secrets with tokens of the session. Throws if the text could not be checked completely. */
  scrub(text: string, scope: SessionScope): Scrubbed
  stream(scope: SessionScope): ScrubStream
  /** Masks this value in every text from now on, in any encoding. */
  know(value: string, rule: string): void
  /** Replaces tokens that this session was given with their values; similar text that it never issued is unchanged. */
  restore(text: string, scope: SessionScope): string
  /** Forgets the tokens of the session. */
  endSession(scope: SessionScope): void
}

/** A program that embeds the scrubber is one tenant. */
const tenant = 'local'

/**
 * Creates a scrubber with the built-in rules. It starts nothing, reads no file and needs no configuration.
 *
 * @example
 * import { createScrubber } from '@contextd/scrub'
 *
 * const scrubber = createScrubber()
 * const password = ['wX7', 'qL2', 'vN9'].join('-')
 * const { text } = scrubber.scrub(`DB_PASSWORD=${password}`, { session: 'build-7' })
 * console.log(text)
 * // → DB_PASSWORD=[SECRET_1]
 * console.log(scrubber.restore(text, { session: 'build-7' }) === `DB_PASSWORD=${password}`)
 * // → true
 */
export function createEmbeddedScrubber(options: ScrubberOptions = {}): EmbeddedScrubber {
  const scrubber = createScrubber(options)
  return {
    scrub: (text, scope) => {
      const session = sessionIn('scrub(text, { session })', scope)
      return scrubber.scrub(textIn('scrub', text), { tenant, session })
    },
    stream: (scope) => scrubber.stream(sessionIn('stream({ session })', scope)),
    know: (value, rule) => scrubber.know(textIn('know', value), textIn('know', rule)),
    restore: (text, scope) => {
      const session = sessionIn('restore(text, { session })', scope)
      return scrubber.restore(textIn('restore', text), session)
    },
    endSession: (scope) => scrubber.endSession(sessionIn('endSession({ session })', scope)),
  }
}

/** Callers may not use TypeScript. A session in another form would issue tokens that cannot be restored. */
function sessionIn(form: string, scope: unknown): string {
  const session =
    typeof scope === 'object' && scope !== null ? (scope as Partial<SessionScope>).session : undefined
  if (typeof session === 'string' && session !== '') return session
  throw new TypeError(
    `Call ${form}: the session is an object with a non-empty string, such as { session: 'build-7' }`,
  )
}

function textIn(method: string, text: unknown): string {
  if (typeof text === 'string') return text
  throw new TypeError(`${method}() requires a string, not ${text === null ? 'null' : typeof text}`)
}
