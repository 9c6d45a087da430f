/** The connections of the pool: who holds them, when they are idle, and how they are dropped. */

import type { Call } from '../../core/call.ts'
import type { Clock } from '../../core/ports.ts'
import type { Connection, Notice } from './connection.ts'
import type { FailureBook, HealthChange } from './failure-book.ts'
import type { ServerFailure } from './recovery.ts'
import type { UpstreamServer } from './server.ts'

export type Owner = Pick<Call, 'tenant' | 'session' | 'principal'>

export interface PooledConnection {
  readonly server: UpstreamServer
  readonly connection: Connection
  /** Undefined for a shared connection. */
  readonly session: string | undefined
  /** Keeps the connection from becoming idle until the returned function is called. */
  hold(): () => void
}

export interface PoolOptions {
  readonly connect: (
    server: UpstreamServer,
    options: { signal: AbortSignal; onNotice: (notice: Notice) => void },
  ) => Promise<Connection>
  /** Called for each unsolicited notice of a server, with the connection it arrived on. */
  readonly onNotice: (notice: Notice, link: PooledConnection) => void
  readonly onHealth?: ((change: HealthChange) => void) | undefined
  readonly clock: Clock
  readonly maxConnections: number
  readonly idleMs: number
  readonly startMs: number
}

/** One connection from its start until it is dropped. */
export interface PoolEntry {
  readonly key: string
  readonly server: UpstreamServer
  readonly session: string | undefined
  readonly started: Promise<PooledConnection>
  readonly abort: AbortController
  link?: PooledConnection
  linkedAt?: number
  users: number
  usedAt: number
  idleTimer: NodeJS.Timeout | undefined
  /** Why we closed it, possibly while it was in use. */
  closedFor?: string
}

export interface PoolState {
  readonly options: PoolOptions
  readonly entries: Map<string, PoolEntry>
  readonly failures: FailureBook
  /** Connections that are being closed. */
  readonly closing: Set<Promise<void>>
  readonly limitStarts: <T>(start: () => Promise<T>) => Promise<T>
  /** The configured servers; undefined until their first change. */
  servers: ReadonlyMap<string, UpstreamServer> | undefined
  isClosed: boolean
}

/** Callers with the same key share a connection. */
export function connectionKey(
  { name, stateless }: UpstreamServer,
  { tenant, session, principal }: Owner,
): string {
  return JSON.stringify(
    stateless ? [tenant, name] : [tenant, name, session, principal?.agent ?? '', principal?.instance ?? ''],
  )
}

export function dropEntry({ entries, closing }: PoolState, entry: PoolEntry): void {
  if (entries.get(entry.key) === entry) entries.delete(entry.key)
  clearTimeout(entry.idleTimer)
  entry.abort.abort(new Error('the connection is no longer needed'))
  const closed: Promise<void> = entry.started
    .then(({ connection }) => connection.close())
    .catch(() => {})
    .finally(() => closing.delete(closed))
  closing.add(closed)
}

/** Drops a connection that failed. */
export function loseEntry(pool: PoolState, entry: PoolEntry, failure: ServerFailure): void {
  if (pool.entries.get(entry.key) !== entry) return
  pool.failures.connectionLost(entry.key, entry.server, entry.session, failure)
  dropEntry(pool, entry)
}

export function holdEntry(pool: PoolState, entry: PoolEntry): () => void {
  let isHeld = true
  entry.users += 1
  return () => {
    if (isHeld) releaseEntry(pool, entry)
    isHeld = false
  }
}

export function releaseEntry(pool: PoolState, entry: PoolEntry): void {
  const { clock, idleMs } = pool.options
  entry.users -= 1
  entry.usedAt = clock()
  if (entry.users === 0 && entry.idleTimer === undefined && pool.entries.get(entry.key) === entry)
    watchIdle(pool, entry, idleMs)
}

/** The timer keeps running while the connection is used: restarting it on every call would cost more than one check. */
function watchIdle(pool: PoolState, entry: PoolEntry, ms: number): void {
  const { clock, idleMs } = pool.options
  entry.idleTimer = setTimeout(() => {
    entry.idleTimer = undefined
    if (entry.users > 0) return
    const leftMs = entry.usedAt + idleMs - clock()
    if (leftMs > 0) watchIdle(pool, entry, leftMs)
    else dropEntry(pool, entry)
  }, ms)
  entry.idleTimer.unref()
}
