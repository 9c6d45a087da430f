import type { Clock } from '../../core/ports.ts'

interface Entry {
  readonly id: string
  /** Id of the token that opened it. Other callers cannot use or see it. */
  readonly token: string
  readonly close: () => Promise<void> | void
  seenAt: number
  /** Responses in progress, such as an open event stream. */
  streams: number
}

export interface HttpSessions {
  /** Adds a session; if the token has too many, its least recently used one is ended. */
  open(token: string, id: string, close: () => Promise<void> | void): void
  /** The token's session for requests that name none. */
  rolling(token: string, begin: () => string): string
  /** True if this token opened it; counts as use. */
  owns(token: string, id: string): boolean
  /** Keeps a session active until the returned function is called. */
  hold(id: string): () => void
  /** The same for the token's session for requests that name none, even before it exists. */
  holdRolling(token: string): () => void
  /** Ends a session. If that cannot be recorded, this fails and the session is unchanged. */
  end(id: string): Promise<void>
  /** Ends sessions unused for too long. Failures are reported and retried next time. */
  sweep(): Promise<void>
  /** Ends all sessions. */
  close(): Promise<void>
  size(): number
}

export interface HttpSessionsOptions {
  readonly clock: Clock
  readonly idleMs: number
  readonly maxPerToken: number
  /** True while a call of the session runs. */
  readonly busy: (id: string) => boolean
  /** Records that it ended. */
  readonly onEnd: (id: string) => void
  /** Receives errors from ending a session in the background. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Sessions of HTTP clients. Most clients never close theirs, so their number per token is limited, and idle ones are
 * ended.
 */
export function createHttpSessions({
  clock,
  idleMs,
  maxPerToken,
  busy,
  onEnd,
  onFailure,
}: HttpSessionsOptions): HttpSessions {
  const entries = new Map<string, Entry>()
  const rollingByToken = new Map<string, string>()
  const streamsByToken = new Map<string, number>()

  const end = async (entry: Entry): Promise<void> => {
    const { id, token, close } = entry
    if (entries.get(id) !== entry) return
    onEnd(id)
    entries.delete(id)
    if (rollingByToken.get(token) === id) rollingByToken.delete(token)
    await close()
  }
  const tryToEnd = (entry: Entry): Promise<void> => end(entry).catch(onFailure)
  const isRolling = ({ id, token }: Entry): boolean => rollingByToken.get(token) === id
  const inUse = (entry: Entry): boolean =>
    entry.streams > 0 || busy(entry.id) || (isRolling(entry) && streamsByToken.has(entry.token))
  const touch = (entry: Entry): void => {
    entry.seenAt = clock()
  }

  const sessions: HttpSessions = {
    open(token, id, close) {
      const others = [...entries.values()].filter((entry) => entry.token === token)
      if (others.length >= maxPerToken) {
        const [first] = others.sort((a, b) => Number(inUse(a)) - Number(inUse(b)) || a.seenAt - b.seenAt)
        if (first !== undefined) void tryToEnd(first)
      }
      entries.set(id, { id, token, close, seenAt: clock(), streams: 0 })
    },
    rolling(token, begin) {
      const known = entries.get(rollingByToken.get(token) ?? '')
      if (known !== undefined) {
        touch(known)
        return known.id
      }
      const id = begin()
      sessions.open(token, id, () => {})
      rollingByToken.set(token, id)
      return id
    },
    owns(token, id) {
      const entry = entries.get(id)
      if (entry?.token !== token) return false
      touch(entry)
      return true
    },
    hold(id) {
      const entry = entries.get(id)
      if (entry === undefined) return () => {}
      entry.streams += 1
      return () => {
        entry.streams -= 1
        touch(entry)
      }
    },
    holdRolling(token) {
      const change = (by: 1 | -1): void => {
        const streams = (streamsByToken.get(token) ?? 0) + by
        if (streams > 0) streamsByToken.set(token, streams)
        else streamsByToken.delete(token)
      }
      change(1)
      return () => {
        change(-1)
        const entry = entries.get(rollingByToken.get(token) ?? '')
        if (entry !== undefined) touch(entry)
      }
    },
    async end(id) {
      const entry = entries.get(id)
      if (entry !== undefined) await end(entry)
    },
    async sweep() {
      const now = clock()
      for (const entry of entries.values()) {
        if (inUse(entry)) touch(entry)
        else if (now - entry.seenAt >= idleMs) await tryToEnd(entry)
      }
    },
    async close() {
      for (const entry of entries.values()) await tryToEnd(entry)
    },
    size: () => entries.size,
  }
  return sessions
}
