import type { Finding, Scrub } from '../../core/ports.ts'
import { findSecrets, findSecretsUnder } from './find-secrets.ts'
import { createSessionTokens } from './session-tokens.ts'

export interface Scrubber {
  readonly scrub: Scrub
  /** Puts values back for tokens this session was given; a look-alike it never issued stays as it is. */
  restore(text: string, session: string): string
  endSession(session: string): void
}

const tokenPattern = /\[SECRET_\d+\]/g

export function createScrubber(): Scrubber {
  const tokens = createSessionTokens()
  return {
    scrub(text, { session }, key) {
      const spans = key === undefined ? findSecrets(text) : findSecretsUnder(key, text)
      if (spans.length === 0) return { text, findings: [] }
      const findings: Finding[] = []
      let scrubbed = ''
      let from = 0
      for (const { rule, start, end } of spans) {
        const token = tokens.tokenFor(session, text.slice(start, end))
        scrubbed += text.slice(from, start) + token
        findings.push({ rule, start, end, token })
        from = end
      }
      return { text: scrubbed + text.slice(from), findings }
    },
    restore: (text, session) =>
      text.replace(tokenPattern, (token) => tokens.valueOf(session, token) ?? token),
    endSession: (session) => tokens.forget(session),
  }
}
