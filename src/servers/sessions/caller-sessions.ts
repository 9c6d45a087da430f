/** Sessions of API callers: started by name, or a rolling one for calls that name none. */

import type { Runtime } from '../../compose.ts'
import type { Claims, Client } from '../../core/call.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { Mutable } from '../../core/mutable.ts'
import type { Clock } from '../../core/ports.ts'
import { createHttpSessions } from './http-sessions.ts'
import { ownerOf, type ApiCaller } from './callers.ts'

export interface CallerSessions {
  /** The session of a call. Throws SESSION_NOT_FOUND for one that is not the caller's. */
  of(caller: ApiCaller): string
  /** Keeps the session active until the returned function is called. */
  hold(session: string): () => void
  start(claims: Claims, client: Client): string
  /** False if the caller has no such session. */
  end(claims: Claims, session: string): Promise<boolean>
  /** Open sessions, oldest first; of all callers if no owner is given. */
  list(owner?: string): readonly CallerSession[]
  /** Ends sessions unused for half an hour. A timer calls this every minute. */
  sweep(): Promise<void>
  close(): Promise<void>
}

export interface CallerSession {
  readonly id: string
  readonly owner: string
  readonly client: Client
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly usedAt: number
  /** The session for calls that name none. */
  readonly isRolling: boolean
}

const idleMs = 30 * 60_000
/** Per caller; if there are more, the least recently used one is ended. */
const maxSessions = 64
const sweepMs = 60_000

export function createCallerSessions(
  runtime: Pick<Runtime, 'sessions' | 'log'>,
  clock: Clock = Date.now,
): CallerSessions {
  const open = new Map<string, Mutable<CallerSession>>()
  const book = createHttpSessions({
    clock,
    idleMs,
    maxPerToken: maxSessions,
    busy: () => false,
    onEnd(id) {
      runtime.sessions.end(id)
      open.delete(id)
    },
    onFailure: (error) =>
      runtime.log('error', 'a session of the API could not be ended', { cause: String(error) }),
  })
  const rolling = new Map<string, string>()
  const begin = (owner: string, client: Client, isRolling: boolean): string => {
    const id = runtime.sessions.begin(client)
    const now = clock()
    open.set(id, { id, owner, client, startedAt: now, usedAt: now, isRolling })
    return id
  }
  const owns = (claims: Claims, id: string): boolean => open.get(id)?.owner === ownerOf(claims)
  const used = (id: string): string => {
    const session = open.get(id)
    if (session !== undefined) session.usedAt = clock()
    return id
  }
  const rollingOf = (claims: Claims, client: Client): string => {
    const owner = ownerOf(claims)
    // Counted separately from named sessions, so that using many agent names ends none of those.
    const pool = `rolling ${owner}`
    // Agents that share credentials do not share a session; a token or a certificate is exactly one agent.
    const key = JSON.stringify([owner, claims.token === undefined ? claims.declared : null])
    const known = rolling.get(key)
    if (known !== undefined && book.owns(pool, known)) return known
    const id = begin(owner, client, true)
    book.open(pool, id, () => void rolling.delete(key))
    rolling.set(key, id)
    return id
  }
  const sweeping = setInterval(() => void book.sweep(), sweepMs)
  sweeping.unref()
  return {
    of({ claims, client, session }) {
      if (session === undefined) {
        return used(rollingOf(claims, client))
      }
      if (!owns(claims, session)) throw new ContextdError('SESSION_NOT_FOUND')
      return used(session)
    },
    hold: book.hold,
    start(claims, client) {
      const owner = ownerOf(claims)
      const id = begin(owner, client, false)
      book.open(owner, id, () => {})
      return id
    },
    async end(claims, session) {
      if (!owns(claims, session)) return false
      await book.end(session)
      return true
    },
    list: (owner) => [...open.values()].filter((one) => owner === undefined || one.owner === owner),
    sweep: book.sweep,
    async close() {
      clearInterval(sweeping)
      await book.close()
    },
  }
}

const books = new WeakMap<Runtime['store'], CallerSessions>()

/** Shared by all doors of a runtime. Keyed by its store, which copies of a runtime share. */
export function callerSessionsOf(runtime: Pick<Runtime, 'store' | 'sessions' | 'log'>): CallerSessions {
  const known = books.get(runtime.store)
  if (known !== undefined) return known
  const book = createCallerSessions(runtime)
  books.set(runtime.store, book)
  return book
}

/** Ends all sessions, before the runtime is closed. */
export async function endCallerSessions({ store }: Pick<Runtime, 'store'>): Promise<void> {
  const book = books.get(store)
  books.delete(store)
  await book?.close()
}
