/** Starts the connections of the pool, a few at a time, each within a time limit. */

import { CodedError } from '../../core/errors/errors.ts'
import { settledWithin } from '../../platform/settled-within.ts'
import { createAllowance } from './allowance.ts'
import { ConnectionLost } from './connection.ts'
import { serverUnavailable } from './failure-book.ts'
import {
  dropEntry,
  holdEntry,
  loseEntry,
  type PooledConnection,
  type PoolEntry,
  type PoolState,
} from './pool-state.ts'
import type { UpstreamServer } from './server.ts'

/** More at once would slow down all of them. */
export const maxConcurrentStarts = 4
/** A start that takes longer is waiting for something, and no longer occupies a slot. */
const slotMs = 5000
/** Unsolicited notices a server may send: a burst, then a rate. */
const noticeBurst = 1000
const noticesPerSecond = 100

/** Adds an entry for the connection and starts it as soon as a slot is free. */
export function openEntry(
  pool: PoolState,
  key: string,
  server: UpstreamServer,
  session: string | undefined,
): PoolEntry {
  const entry: PoolEntry = {
    key,
    server,
    session,
    // Deferred, so that `entry` is assigned.
    started: Promise.resolve().then(() => startInTurn(pool, entry)),
    abort: new AbortController(),
    users: 0,
    usedAt: pool.options.clock(),
    idleTimer: undefined,
  }
  pool.entries.set(key, entry)
  entry.started.catch(() => {})
  return entry
}

function startInTurn(pool: PoolState, entry: PoolEntry): Promise<PooledConnection> {
  return new Promise((resolve) => {
    void pool.limitStarts(() => {
      const starting = start(pool, entry)
      resolve(starting)
      return settledWithin(starting, slotMs)
    })
  })
}

async function start(pool: PoolState, entry: PoolEntry): Promise<PooledConnection> {
  const { startMs, clock } = pool.options
  const { server, session, abort } = entry
  let isLate = false
  // Not AbortSignal.any with a timeout: Node 20 garbage-collects it, and it never fires.
  const timer = setTimeout(() => {
    isLate = true
    abort.abort(new Error('the start took too long'))
  }, startMs)
  try {
    const connection = await connect(pool, entry)
    const link: PooledConnection = { server, connection, session, hold: () => holdEntry(pool, entry) }
    entry.link = link
    entry.linkedAt = clock()
    void connection.ended.then(({ message: why, lastLine }) => loseEntry(pool, entry, { why, lastLine }))
    return link
  } catch (error) {
    throw startFailure(pool, entry, error, isLate)
  } finally {
    clearTimeout(timer)
  }
}

function connect(pool: PoolState, entry: PoolEntry): ReturnType<PoolState['options']['connect']> {
  const { options } = pool
  const mayNotify = createAllowance(noticeBurst, noticesPerSecond, options.clock)
  return options.connect(entry.server, {
    signal: entry.abort.signal,
    onNotice: (notice) => {
      if (!mayNotify()) loseEntry(pool, entry, { why: 'it sends too many notices' })
      else if (entry.link !== undefined) options.onNotice(notice, entry.link)
    },
  })
}

/** Records the failure, drops the entry, and returns the error for those who wait for the start. */
function startFailure(pool: PoolState, entry: PoolEntry, error: unknown, isLate: boolean): unknown {
  const { server, abort } = entry
  const why = isLate ? `it did not start within ${pool.options.startMs} ms` : messageOf(error)
  const lastLine = error instanceof ConnectionLost ? error.lastLine : undefined
  const missing = error instanceof CodedError ? error.details.why : undefined
  if (!isLate && typeof missing === 'string' && !abort.signal.aborted) {
    pool.failures.notConfigured(server, missing)
    dropEntry(pool, entry)
    return error
  }
  const failed =
    isLate || !abort.signal.aborted ? pool.failures.startFailed(server, { why, lastLine }) : undefined
  dropEntry(pool, entry)
  // Not retried like other failed starts: callers have already waited for the whole time limit.
  if (isLate && failed !== undefined) return serverUnavailable(server, failed)
  return error instanceof CodedError ? error : new ConnectionLost(why, { sent: false, lastLine })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Runs at most `max` tasks at a time; the others wait in the order they came. */
export function limitConcurrency(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
