/** Numbers secrets per session: the same value gets the same `[SECRET_n]` as long as the session lasts. */
export interface SessionTokens {
  /** Throws when a session has more secrets than anybody needs: then the text is withheld. */
  tokenFor(session: string, value: string): string
  valueOf(session: string, token: string): string | undefined
  forget(session: string): void
}

/** Characters of secrets kept for one session. */
const mostKept = 8 << 20

interface Known {
  readonly byValue: Map<string, string>
  readonly byToken: Map<string, string>
  kept: number
}

export function createSessionTokens(): SessionTokens {
  const sessions = new Map<string, Known>()
  return {
    tokenFor(session, value) {
      let known = sessions.get(session)
      if (known === undefined) {
        known = { byValue: new Map(), byToken: new Map(), kept: 0 }
        sessions.set(session, known)
      }
      let token = known.byValue.get(value)
      if (token === undefined) {
        known.kept += value.length
        if (known.kept > mostKept) throw new Error('the session holds too many secrets')
        token = `[SECRET_${known.byValue.size + 1}]`
        known.byValue.set(value, token)
        known.byToken.set(token, value)
      }
      return token
    },
    valueOf: (session, token) => sessions.get(session)?.byToken.get(token),
    forget: (session) => void sessions.delete(session),
  }
}
