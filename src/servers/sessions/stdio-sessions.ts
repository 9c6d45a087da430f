import type { Runtime } from '../../compose.ts'
import type { Client } from '../../core/call.ts'

/**
 * The sessions of one client on stdio: one for the process, unless the client says to which of its own a call belongs. Of
 * those a program may have several, Claude Code one after the other and OpenCode side by side.
 */
export interface StdioSessions {
  of(client: Client, clientSession?: string): string
  /** The one that a call belonged to last. */
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
    // What was listed before the first call belongs to it.
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
