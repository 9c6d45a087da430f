/** The numbers of a session's tokens in the store: `[SECRET_n]` represents the same secret in every process. */

import type { Clock } from '../../core/ports.ts'
import type { Store } from '../../platform/storage/store.ts'
import { tokenOf } from '@contextd/scrub/internal/session-tokens'

export interface TokenNumbers {
  /**
   * The session's tokens for the secrets with these ids, created if missing. Must run in a transaction, so that no
   * number is issued twice.
   */
  tokensOf(session: string, secrets: readonly string[]): string[]
  /** Finds the id of the secret of a token issued to the session, even if the secret is forgotten. */
  finder(session: string): (token: string) => string | undefined
}

export function createTokenNumbers(store: Store, tenant: string, clock: Clock): TokenNumbers {
  const rowsOf = (session: string) => store.rows('secret_tokens', { tenant, session })
  const highestOf = (session: string): number =>
    Number(rowsOf(session).first({}, { orderBy: 'n', descending: true })?.n ?? 0)

  return {
    tokensOf(session, secrets) {
      const rows = rowsOf(session)
      let highest: number | undefined
      return secrets.map((secret) => {
        const issued = rows.first({ secret })
        if (issued !== undefined) return tokenOf(Number(issued.n))
        highest ??= highestOf(session)
        highest += 1
        rows.insert({ n: highest, secret, created_at: clock() })
        return tokenOf(highest)
      })
    },
    finder(session) {
      const rows = rowsOf(session)
      // A text may be full of lookalike tokens, which must not cost a read each.
      const highest = highestOf(session)
      return (token) => {
        const n = Number(token.slice('[SECRET_'.length, -1))
        if (!(n <= highest) || tokenOf(n) !== token) return undefined
        return rows.first({ n })?.secret as string | undefined
      }
    },
  }
}
