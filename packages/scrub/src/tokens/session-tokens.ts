import { ownString } from '@contextd/shared/text/own-string'

export interface FoundSecret {
  /** The text as it stood there: the same secret written in another way is another one. */
  readonly value: string
  readonly rule: string
}

/** Numbers secrets per session: the same text gets the same `[SECRET_n]` as long as the session lasts. */
export interface SessionTokens {
  /** A token for each, in their order. Throws where it cannot vouch for them: then the text is withheld. */
  tokensFor(session: string, found: readonly FoundSecret[]): string[]
  valueOf(session: string, token: string): string | undefined
  /**
   * Secrets to look for that were found elsewhere since this was last asked: by another process, or long ago. Of very many
   * some at a time, unless all are asked for.
   */
  newlyKnown(session: string, all?: boolean): readonly FoundSecret[]
  /** The session is over in this process. */
  endSession(session: string): void
}

export { tokenPattern } from './secret-token.ts'

/** Characters of secrets that one session may have. */
const maxStoredBytes = 8 << 20

export function tokenOf(n: number): string {
  return `[SECRET_${n}]`
}

export function refuseFlood(kept: number): void {
  if (kept > maxStoredBytes) throw new Error('the session holds too many secrets')
}

interface Known {
  readonly byValue: Map<string, string>
  readonly byToken: Map<string, string>
  kept: number
}

/** In memory, and gone with the process. */
export function createSessionTokens(): SessionTokens {
  const sessions = new Map<string, Known>()

  const tokenFor = (known: Known, value: string): string => {
    const given = known.byValue.get(value)
    if (given !== undefined) return given
    refuseFlood(known.kept + value.length)
    const token = tokenOf(known.byValue.size + 1)
    const kept = ownString(value)
    known.kept += value.length
    known.byValue.set(kept, token)
    known.byToken.set(token, kept)
    return token
  }

  return {
    tokensFor(session, found) {
      let known = sessions.get(session)
      if (known === undefined) {
        known = { byValue: new Map(), byToken: new Map(), kept: 0 }
        sessions.set(session, known)
      }
      return found.map(({ value }) => tokenFor(known, value))
    },
    valueOf: (session, token) => sessions.get(session)?.byToken.get(token),
    newlyKnown: () => [],
    endSession: (session) => void sessions.delete(session),
  }
}
