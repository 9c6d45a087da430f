/** The scrubber as others embed it: every call names the session in the same way, and says so where it does not. */

import type { Scrubbed } from './scrubbed.ts'
import { createScrubber, type ScrubberOptions, type ScrubStream } from './scrubber.ts'

/** Whose tokens are given or put back. */
export interface SessionScope {
  readonly session: string
}

export interface EmbeddedScrubber {
  /** Replaces secrets by tokens of the session. Throws where it cannot vouch for the text. */
  scrub(text: string, scope: SessionScope): Scrubbed
  stream(scope: SessionScope): ScrubStream
  /** From now on this value is looked for in every text, in any form. */
  know(value: string, rule: string): void
  /** Puts values back for tokens this session was given; a look-alike it never issued stays as it is. */
  restore(text: string, scope: SessionScope): string
  endSession(scope: SessionScope): void
}

/** Every embedder is a tenant of its own. */
const tenant = 'local'

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

/** Callers may come without types. A session under another name would give tokens that nobody can restore. */
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
  throw new TypeError(`${method}() takes a string, not ${text === null ? 'null' : typeof text}`)
}
