import type { Runtime } from '../../compose.ts'
import type { Client } from '../../core/call.ts'

/**
 * The sessions of one client on stdio: one for the process, unless the client names its own session in a call.
 * Claude Code may have several of those one after the other, OpenCode in parallel.
 */
export interface StdioSessions {
  of(client: Client, clientSession?: string): string
  /** The session of the most recent call. */
  current(): string | undefined
  endAll(): void
}

export function createStdioSessions(sessions: Runtime['sessions']): StdioSessions {
  const joined = new Map<string, string>()
  const begun = new Set<string>()
  let current: string | undefined

  const join = (client: Client, clientSession: string): string => {
    const known = joined.get(clientSession)
    if (known !== undefined) return known
    // Requests before the first call belong to its session.
    const session = sessions.join(client, clientSession, joined.size === 0 ? current : undefined)
    joined.set(clientSession, session)
    return session
  }
  return {
    of(client, clientSession) {
      current =
        clientSession === undefined ? (current ?? sessions.begin(client)) : join(client, clientSession)
      begun.add(current)
      return current
    },
    current: () => current,
    endAll() {
      for (const session of begun) sessions.end(session)
    },
  }
}
