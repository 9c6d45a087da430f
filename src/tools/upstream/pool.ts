/**
 * The connections to upstream servers: one per tenant, session, principal and server, so that no agent sees another
 * agent's state. Only servers declared stateless share one connection.
 */

import { CodedError, ContextdError } from '../../core/errors/errors.ts'
import { ConnectionLost, ServerError } from './connection.ts'
import { createFailureBook, serverUnavailable } from './failure-book.ts'
import {
  connectionKey,
  dropEntry,
  loseEntry,
  releaseEntry,
  type Owner,
  type PooledConnection,
  type PoolEntry,
  type PoolOptions,
  type PoolState,
} from './pool-state.ts'
import { afterFailure, type FailureState } from './recovery.ts'
import { limitConcurrency, maxConcurrentStarts, openEntry } from './start-connection.ts'
import type { UpstreamServer } from './server.ts'

export interface Pool {
  /** Runs the work on the caller's connection, and once more if the server never saw the request. */
  use<T>(server: UpstreamServer, owner: Owner, work: (link: PooledConnection) => Promise<T>): Promise<T>
  /** The error for callers whose connection was lost. */
  explain(server: UpstreamServer, lost: ConnectionLost): ContextdError
  /** The caller's connection if it is open. */
  peek(server: UpstreamServer, owner: Owner): PooledConnection | undefined
  /** Connections to one server, of all callers. */
  connections(server: string): { readonly open: number; readonly starting: number }
  /** The last connection failure, and when the next attempt is allowed. */
  lastFailure(server: string): FailureState | undefined
  endSession(session: string): void
  /** Closes connections whose server was removed or whose entry changed. */
  updateServers(servers: ReadonlyMap<string, UpstreamServer>): void
  close(): Promise<void>
}

/** A connection that lasted this long is stable: earlier losses are forgotten. */
const stableMs = 10_000
/** For a server whose call timed out to show that it still responds. */
const pingMs = 5000
const entryChanged = 'its entry was changed or removed in the meantime'
const callAgain = 'Call again if `list_servers` still lists it.'

export function createPool(options: PoolOptions): Pool {
  const { clock } = options
  const pool: PoolState = {
    options,
    entries: new Map(),
    failures: createFailureBook(clock, options.onHealth),
    closing: new Set(),
    limitStarts: limitConcurrency(maxConcurrentStarts),
    servers: undefined,
    isClosed: false,
  }
  const { entries, failures } = pool

  return {
    explain: (server, lost) => explain(pool, server, lost),
    use: (server, owner, work) => useConnection(pool, server, owner, work),
    peek: (server, owner) => {
      const entry = entries.get(connectionKey(server, owner))
      return entry?.server.fingerprint === server.fingerprint ? entry.link : undefined
    },
    connections(name) {
      const own = [...entries.values()].filter(({ server }) => server.name === name)
      const open = own.filter(({ link }) => link !== undefined).length
      return { open, starting: own.length - open }
    },
    lastFailure: (name) => failures.findForServer(name, (key) => entries.get(key)?.link !== undefined),
    endSession(session) {
      for (const entry of entries.values()) if (entry.session === session) dropEntry(pool, entry)
      failures.endSession(session)
    },
    updateServers(servers) {
      pool.servers = servers
      const isCurrent = (name: string, fingerprint: string): boolean =>
        servers.get(name)?.fingerprint === fingerprint
      for (const entry of entries.values()) {
        if (isCurrent(entry.server.name, entry.server.fingerprint)) continue
        entry.closedFor = entryChanged
        dropEntry(pool, entry)
      }
      failures.retain(isCurrent)
    },
    async close() {
      pool.isClosed = true
      for (const entry of entries.values()) dropEntry(pool, entry)
      await Promise.all(pool.closing)
    },
  }
}

async function useConnection<T>(
  pool: PoolState,
  server: UpstreamServer,
  owner: Owner,
  work: (link: PooledConnection) => Promise<T>,
): Promise<T> {
  const key = connectionKey(server, owner)
  const explained = (error: unknown): unknown => {
    if (!(error instanceof ConnectionLost)) return error
    const failed = pool.failures.find(key, server)
    return failed === undefined ? explain(pool, server, error) : serverUnavailable(server, failed)
  }
  try {
    return await attempt(pool, key, server, owner, work)
  } catch (error) {
    const isUnsent = error instanceof ConnectionLost && !error.sent
    const retryAt = pool.failures.find(key, server)?.retryAt ?? 0
    if (!isUnsent || pool.options.clock() < retryAt) throw explained(error)
  }
  try {
    return await attempt(pool, key, server, owner, work)
  } catch (error) {
    throw explained(error)
  }
}

async function attempt<T>(
  pool: PoolState,
  key: string,
  server: UpstreamServer,
  owner: Owner,
  work: (link: PooledConnection) => Promise<T>,
): Promise<T> {
  if (pool.isClosed) throw new ContextdError('CANCELLED')
  const entry = entryFor(pool, key, server, owner)
  entry.users += 1
  try {
    const result = await work(entry.link ?? (await entry.started))
    pool.failures.answered(server)
    if (pool.options.clock() - (entry.linkedAt ?? 0) >= stableMs) pool.failures.connectionStable(key)
    return result
  } catch (error) {
    throw afterError(pool, entry, error)
  } finally {
    releaseEntry(pool, entry)
  }
}

/** Reuses the caller's connection or opens one. Throws SERVER_UNAVAILABLE if that is not possible now. */
function entryFor(pool: PoolState, key: string, server: UpstreamServer, owner: Owner): PoolEntry {
  const existing = pool.entries.get(key)
  if (existing?.server.fingerprint === server.fingerprint) return existing
  // The entry changed while the call was on its way: what is no longer configured must not be started.
  if (pool.servers !== undefined && pool.servers.get(server.name)?.fingerprint !== server.fingerprint) {
    throw new ContextdError('SERVER_UNAVAILABLE', { server: server.name, why: entryChanged, hint: callAgain })
  }
  if (existing !== undefined) dropEntry(pool, existing)
  const failed = pool.failures.find(key, server)
  if (failed !== undefined && pool.options.clock() < failed.retryAt) throw serverUnavailable(server, failed)
  makeRoom(pool, server)
  return openEntry(pool, key, server, server.stateless ? undefined : owner.session)
}

/** Drops the connection that has been idle longest if the pool is full. */
function makeRoom(pool: PoolState, server: UpstreamServer): void {
  const { maxConnections } = pool.options
  if (pool.entries.size < maxConnections) return
  const idle = [...pool.entries.values()].filter(({ users }) => users === 0)
  const [oldest] = idle.sort((a, b) => a.usedAt - b.usedAt)
  if (oldest !== undefined) return dropEntry(pool, oldest)
  const why =
    maxConnections === 1 ? 'the only connection is in use' : `all ${maxConnections} connections are in use`
  throw new ContextdError('SERVER_UNAVAILABLE', { server: server.name, why })
}

/** Records what the error of a call says about its connection, and returns the error for the caller. */
function afterError(pool: PoolState, entry: PoolEntry, error: unknown): unknown {
  const { key, server, session, closedFor, link } = entry
  if (error instanceof ConnectionLost) {
    if (closedFor !== undefined) return new ConnectionLost(closedFor, { sent: error.sent })
    const failure = { why: error.message, lastLine: error.lastLine }
    // Over HTTP, one broken response ends neither the session nor the other calls in it.
    if (server.transport.kind === 'stdio' || !error.sent) loseEntry(pool, entry, failure)
    else if (pool.entries.get(key) === entry) pool.failures.connectionLost(key, server, session, failure)
  }
  if (error instanceof CodedError && error.code === 'TIMEOUT' && link !== undefined) {
    void checkAlive(pool, entry, link)
  }
  return error
}

/** A server that hangs costs one timeout: it is pinged, and the next call starts it anew if it does not respond. */
async function checkAlive(
  pool: PoolState,
  entry: PoolEntry,
  { connection }: PooledConnection,
): Promise<void> {
  const method = connection.era === 'modern' ? 'server/discover' : 'ping'
  try {
    await connection.request(method, {}, { signal: AbortSignal.timeout(pingMs), asks: [] })
  } catch (error) {
    if (error instanceof ServerError) return
    loseEntry(pool, entry, { why: 'it does not respond' })
  }
}

function explain(
  pool: PoolState,
  server: UpstreamServer,
  { message: why, lastLine }: ConnectionLost,
): ContextdError {
  return serverUnavailable(server, afterFailure(undefined, { why, lastLine }, pool.options.clock()))
}
