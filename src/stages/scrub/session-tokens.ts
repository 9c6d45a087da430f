/** Numbers secrets per session: the same value gets the same `[SECRET_n]` as long as the session lasts. */
export interface SessionTokens {
  tokenFor(session: string, value: string): string
  valueOf(session: string, token: string): string | undefined
  forget(session: string): void
}

export function createSessionTokens(): SessionTokens {
  const sessions = new Map<string, { byValue: Map<string, string>; byToken: Map<string, string> }>()
  return {
    tokenFor(session, value) {
      let known = sessions.get(session)
      if (known === undefined) {
        known = { byValue: new Map(), byToken: new Map() }
        sessions.set(session, known)
      }
      let token = known.byValue.get(value)
      if (token === undefined) {
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
