/**
 * The connections to upstream servers: one for each tenant, session, principal and server, so that no agent meets the
 * state of another; one for all only where a server says that it keeps none.
 */

import type { Call } from '../../core/call.ts'
import { CodedError, ContextdError } from '../../core/errors/errors.ts'
import type { Clock } from '../../core/ports.ts'
import { settledWithin } from '../../platform/settled-within.ts'
import { createAllowance } from './allowance.ts'
import { ConnectionLost, type Connection, type Notice } from './connection.ts'
import { afterFailure, type ServerFailure, type FailureState } from './recovery.ts'
import { createQueue } from './start-queue.ts'
import type { UpstreamServer } from './server.ts'
import { createFailureBook, serverUnavailable, type HealthChange } from './failure-book.ts'

export type Owner = Pick<Call, 'tenant' | 'session' | 'principal'>

/** A connection in use, with whatever its users keep beside it. */
export interface PooledConnection {
  readonly server: UpstreamServer
  readonly connection: Connection
  /** Undefined where it is shared. */
  readonly session: string | undefined
  /** Keeps it from being idle until the returned function is called. */
  hold(): () => void
}

export interface PoolOptions {
  readonly connect: (
    server: UpstreamServer,
    options: { signal: AbortSignal; onNotice: (notice: Notice) => void },
  ) => Promise<Connection>
  /** What a server said on its own account, on which connection. */
  readonly onNotice: (notice: Notice, link: PooledConnection) => void
  readonly onHealth?: ((change: HealthChange) => void) | undefined
  readonly clock: Clock
  readonly maxConnections: number
  readonly idleMs: number
  readonly startMs: number
}

export interface Pool {
  /** Runs the work on the caller's connection. It runs a second time where the server never saw what it sent. */
  use<T>(server: UpstreamServer, owner: Owner, work: (link: PooledConnection) => Promise<T>): Promise<T>
  /** What to tell whoever waited on a connection that is lost. */
  explain(server: UpstreamServer, lost: ConnectionLost): ContextdError
  /** The caller's connection, where there is one. */
  peek(server: UpstreamServer, owner: Owner): PooledConnection | undefined
  /** Of one server, all callers together. */
  connections(server: string): { readonly open: number; readonly starting: number }
  /** Why the server is not to be had, since when, and until when nobody tries. */
  lastFailure(server: string): FailureState | undefined
  endSession(session: string): void
  /** Closes what was made with another entry than the one that counts now. */
  keepOnly(servers: ReadonlyMap<string, UpstreamServer>): void
  close(): Promise<void>
}

interface Entry {
  readonly server: UpstreamServer
  readonly session: string | undefined
  readonly started: Promise<PooledConnection>
  link?: PooledConnection
  linkedAt?: number
  users: number
  usedAt: number
  /** Runs while nobody uses it, and may still run when somebody does again. */
  idle: NodeJS.Timeout | undefined
  readonly abort: AbortController
  /** Why it was closed by us while somebody may have used it. */
  closedFor?: string
}

/** More at once would make every one of them slow. */
const maxStarts = 4
/** After that, one that still starts is waiting for something, and must not keep the others from starting. */
const turnMs = 5000
/** What lasted this long does not end at each call: then earlier losses count no more. */
const steadyMs = 10_000
/** Of what a server says on its own account, at once and then a second. One that says more is not worth hearing. */
const noticesAtOnce = 1000
const noticesPerSecond = 100
/** For a server that let a call time out to show that it is still there. */
const pingMs = 5000
const changed = 'its entry was changed or taken out meanwhile'
const callAgain = 'Call again, where `list_servers` still names it.'

export function createPool(options: PoolOptions): Pool {
  const { connect, onNotice, clock, maxConnections, idleMs, startMs } = options
  const entries = new Map<string, Entry>()
  const failures = createFailureBook(clock, options.onHealth)
  const closing = new Set<Promise<void>>()
  const inTurn = createQueue(maxStarts)
  let isClosed = false
  /** What counts since the last change. */
  let counting: ReadonlyMap<string, UpstreamServer> | undefined

  const drop = (key: string, entry: Entry): void => {
    if (entries.get(key) === entry) entries.delete(key)
    clearTimeout(entry.idle)
    entry.abort.abort(new Error('the connection is not needed any more'))
    const closed: Promise<void> = entry.started
      .then(({ connection }) => connection.close())
      .catch(() => {})
      .finally(() => closing.delete(closed))
    closing.add(closed)
  }

  const lose = (key: string, entry: Entry, failure: ServerFailure): void => {
    if (entries.get(key) !== entry) return
    failures.lost(key, entry.server, entry.session, failure)
    drop(key, entry)
  }

  const makeRoom = (server: UpstreamServer): void => {
    if (entries.size < maxConnections) return
    const idle = [...entries].filter(([, { users }]) => users === 0)
    const [first] = idle.sort(([, a], [, b]) => a.usedAt - b.usedAt)
    if (first !== undefined) return drop(...first)
    const why = `all ${maxConnections} connections are in use`
    throw new ContextdError('SERVER_UNAVAILABLE', { server: server.name, why })
  }

  const start = async (key: string, entry: Entry): Promise<PooledConnection> => {
    const { server, session, abort } = entry
    const isLeft = createAllowance(noticesAtOnce, noticesPerSecond, clock)
    let isLate = false
    // Not `AbortSignal.any` with a timeout in it: on Node 20 that is collected as garbage and never comes.
    const patience = setTimeout(() => {
      isLate = true
      abort.abort(new Error('the start took too long'))
    }, startMs)
    try {
      const connection = await connect(server, {
        signal: abort.signal,
        onNotice: (notice) => {
          if (!isLeft()) lose(key, entry, { why: 'it sends notices without an end' })
          else if (entry.link !== undefined) onNotice(notice, entry.link)
        },
      })
      const link: PooledConnection = { server, connection, session, hold: () => holdOf(key, entry) }
      entry.link = link
      entry.linkedAt = clock()
      void connection.ended.then(({ message: why, lastLine: said }) =>
        lose(key, entry, { why, lastLine: said }),
      )
      return link
    } catch (error) {
      const why = isLate ? `it did not start within ${startMs} ms` : messageOf(error)
      const lastLine = error instanceof ConnectionLost ? error.lastLine : undefined
      const missing = error instanceof CodedError ? error.details.why : undefined
      if (!isLate && typeof missing === 'string' && !abort.signal.aborted) {
        failures.lacking(server, missing)
        drop(key, entry)
        throw error
      }
      const failed =
        isLate || !abort.signal.aborted ? failures.notStarted(server, { why, lastLine }) : undefined
      drop(key, entry)
      // Once is enough: it took all its time from everyone who waits.
      if (isLate && failed !== undefined) throw serverUnavailable(server, failed)
      throw error instanceof CodedError ? error : new ConnectionLost(why, { sent: false, lastLine })
    } finally {
      clearTimeout(patience)
    }
  }

  /** Left running while the connection is used: to start and stop a timer with every call takes longer than to look again. */
  const watchIdle = (key: string, entry: Entry, ms: number): void => {
    entry.idle = setTimeout(() => {
      entry.idle = undefined
      if (entry.users > 0) return
      const left = entry.usedAt + idleMs - clock()
      if (left > 0) watchIdle(key, entry, left)
      else drop(key, entry)
    }, ms)
    entry.idle.unref()
  }

  const release = (key: string, entry: Entry): void => {
    entry.users -= 1
    entry.usedAt = clock()
    if (entry.users === 0 && entry.idle === undefined && entries.get(key) === entry)
      watchIdle(key, entry, idleMs)
  }

  const holdOf = (key: string, entry: Entry): (() => void) => {
    let isHeld = true
    entry.users += 1
    return () => {
      if (isHeld) release(key, entry)
      isHeld = false
    }
  }

  const entryFor = (key: string, server: UpstreamServer, owner: Owner): Entry => {
    const there = entries.get(key)
    if (there?.server.fingerprint === server.fingerprint) return there
    // A call that was on its way when the entry changed: what is not named any more is not started any more.
    if (counting !== undefined && counting.get(server.name)?.fingerprint !== server.fingerprint) {
      throw new ContextdError('SERVER_UNAVAILABLE', { server: server.name, why: changed, hint: callAgain })
    }
    if (there !== undefined) drop(key, there)
    const failed = failures.of(key, server)
    if (failed !== undefined && clock() < failed.retryAt) throw serverUnavailable(server, failed)
    makeRoom(server)
    const session = server.stateless ? undefined : owner.session
    const abort = new AbortController()
    const entry: Entry = {
      server,
      session,
      started: begin(),
      users: 0,
      usedAt: clock(),
      idle: undefined,
      abort,
    }
    entries.set(key, entry)
    entry.started.catch(() => {})
    return entry
    function begin(): Promise<PooledConnection> {
      return new Promise((resolve) => {
        // One turn later, when the entry is there.
        void Promise.resolve().then(() =>
          inTurn(() => {
            const starting = start(key, entry)
            resolve(starting)
            return settledWithin(starting, turnMs)
          }),
        )
      })
    }
  }

  /** A server that is gone without a word costs one timeout; the next call starts it anew. */
  const checkAlive = async (key: string, entry: Entry, { connection }: PooledConnection): Promise<void> => {
    const method = connection.era === 'modern' ? 'server/discover' : 'ping'
    try {
      await connection.request(method, {}, { signal: AbortSignal.timeout(pingMs), asks: [] })
    } catch (error) {
      if (error instanceof Error && error.name === 'ServerError') return
      lose(key, entry, { why: 'it does not answer' })
    }
  }

  const attempt = async <T>(
    server: UpstreamServer,
    owner: Owner,
    work: (link: PooledConnection) => Promise<T>,
  ): Promise<T> => {
    if (isClosed) throw new ContextdError('CANCELLED')
    const key = connectionKey(server, owner)
    const entry = entryFor(key, server, owner)
    entry.users += 1
    try {
      const result = await work(entry.link ?? (await entry.started))
      failures.answered(server)
      if (clock() - (entry.linkedAt ?? 0) >= steadyMs) failures.lasts(key)
      return result
    } catch (error) {
      if (error instanceof ConnectionLost && entry.closedFor !== undefined) {
        throw new ConnectionLost(entry.closedFor, { sent: error.sent })
      }
      if (error instanceof ConnectionLost) {
        const failure = { why: error.message, lastLine: error.lastLine }
        // Over the network, one answer that broke off is not the end of the session, nor of the other calls in it.
        if (server.transport.kind === 'stdio' || !error.sent) lose(key, entry, failure)
        else if (entries.get(key) === entry) failures.lost(key, server, entry.session, failure)
      }
      if (error instanceof CodedError && error.code === 'TIMEOUT' && entry.link !== undefined) {
        void checkAlive(key, entry, entry.link)
      }
      throw error
    } finally {
      release(key, entry)
    }
  }

  const explain: Pool['explain'] = (server, { message: why, lastLine }) =>
    serverUnavailable(server, afterFailure(undefined, { why, lastLine }, clock()))

  return {
    explain,
    async use(server, owner, work) {
      const key = connectionKey(server, owner)
      const explained = (error: unknown): unknown => {
        if (!(error instanceof ConnectionLost)) return error
        const failed = failures.of(key, server)
        return failed === undefined ? explain(server, error) : serverUnavailable(server, failed)
      }
      try {
        return await attempt(server, owner, work)
      } catch (error) {
        const isUnsent = error instanceof ConnectionLost && !error.sent
        if (!isUnsent || clock() < (failures.of(key, server)?.retryAt ?? 0)) throw explained(error)
      }
      try {
        return await attempt(server, owner, work)
      } catch (error) {
        throw explained(error)
      }
    },
    peek: (server, owner) => {
      const entry = entries.get(connectionKey(server, owner))
      return entry?.server.fingerprint === server.fingerprint ? entry.link : undefined
    },
    connections(name) {
      const own = [...entries.values()].filter(({ server }) => server.name === name)
      const open = own.filter(({ link }) => link !== undefined).length
      return { open, starting: own.length - open }
    },
    lastFailure: (name) => failures.ofServer(name, (key) => entries.get(key)?.link !== undefined),
    endSession(session) {
      for (const [key, entry] of entries) if (entry.session === session) drop(key, entry)
      failures.endSession(session)
    },
    keepOnly(servers) {
      counting = servers
      const counts = (name: string, fingerprint: string): boolean =>
        servers.get(name)?.fingerprint === fingerprint
      for (const [key, entry] of entries) {
        if (counts(entry.server.name, entry.server.fingerprint)) continue
        entry.closedFor = changed
        drop(key, entry)
      }
      failures.keepOnly(counts)
    },
    async close() {
      isClosed = true
      for (const [key, entry] of entries) drop(key, entry)
      await Promise.all(closing)
    },
  }
}

/** Whoever has the same shares a connection. */
export function connectionKey(
  { name, stateless }: UpstreamServer,
  { tenant, session, principal }: Owner,
): string {
  return JSON.stringify(
    stateless ? [tenant, name] : [tenant, name, session, principal?.agent ?? '', principal?.instance ?? ''],
  )
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
