import { ownString } from '@contextd/shared/text/own-string'

export interface FoundSecret {
  /** The exact text: the same secret in another encoding is a separate value. */
  readonly value: string
  readonly rule: string
}

/** Numbers secrets per session: the same text gets the same `[SECRET_n]` for as long as the session lasts. */
export interface SessionTokens {
  /** A token for each secret, in order. Throws if tokens cannot be guaranteed; the text is then withheld. */
  tokensFor(session: string, found: readonly FoundSecret[]): string[]
  valueOf(session: string, token: string): string | undefined
  /**
   * Secrets found since the last call by other processes or in earlier sessions. Returned in batches if there are many,
   * unless `all` is set.
   */
  newlyKnown(session: string, all?: boolean): readonly FoundSecret[]
  /** Called when the session has ended in this process. */
  endSession(session: string): void
}

export { tokenPattern } from './secret-token.ts'

/** Characters of secrets that one session may store. */
const maxStoredLength = 8 << 20

export function tokenOf(n: number): string {
  return `[SECRET_${n}]`
}

export function assertSecretsFit(storedLength: number): void {
  if (storedLength > maxStoredLength) throw new Error('the session holds too many secrets')
}

interface KnownSecrets {
  readonly byValue: Map<string, string>
  readonly byToken: Map<string, string>
  storedLength: number
}

/** Stored in memory until the process exits. */
export function createSessionTokens(): SessionTokens {
  const sessions = new Map<string, KnownSecrets>()

  const tokenFor = (known: KnownSecrets, value: string): string => {
    const issued = known.byValue.get(value)
    if (issued !== undefined) return issued
    assertSecretsFit(known.storedLength + value.length)
    const token = tokenOf(known.byValue.size + 1)
    const stored = ownString(value)
    known.storedLength += value.length
    known.byValue.set(stored, token)
    known.byToken.set(token, stored)
    return token
  }

  return {
    tokensFor(session, found) {
      let known = sessions.get(session)
      if (known === undefined) {
        known = { byValue: new Map(), byToken: new Map(), storedLength: 0 }
        sessions.set(session, known)
      }
      return found.map(({ value }) => tokenFor(known, value))
    },
    valueOf: (session, token) => sessions.get(session)?.byToken.get(token),
    newlyKnown: () => [],
    endSession: (session) => void sessions.delete(session),
  }
}
