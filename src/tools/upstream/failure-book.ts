/** Failures of servers and connections, and when the next attempt is allowed. */

import { ContextdError } from '../../core/errors/errors.ts'
import type { Clock } from '../../core/ports.ts'
import { afterFailure, type ServerFailure, type FailureState } from './recovery.ts'
import type { UpstreamServer } from './server.ts'

export interface FailureBook {
  /** What prevents this connection, or ended it last. */
  find(key: string, server: UpstreamServer): FailureState | undefined
  /** The failure of the server, or else of its last connection that was lost and has not been reopened. */
  findForServer(name: string, isOpen: (key: string) => boolean): FailureState | undefined
  startFailed(server: UpstreamServer, failure: ServerFailure): FailureState
  /** Nothing was started, so there is no pause: the server works as soon as the user supplies what is missing. */
  notConfigured(server: UpstreamServer, why: string): void
  connectionLost(
    key: string,
    server: UpstreamServer,
    session: string | undefined,
    failure: ServerFailure,
  ): void
  answered(server: UpstreamServer): void
  /** Forgets earlier losses of the connection. */
  connectionStable(key: string): void
  endSession(session: string): void
  /** Forgets failures of earlier versions of an entry: the new version may start. */
  retain(isCurrent: (server: string, fingerprint: string) => boolean): void
}

/** A server became unavailable, or is available again. */
export interface HealthChange extends Record<string, string> {
  readonly server: string
  readonly state: 'down' | 'up'
}

/** A failure of one version of an entry. */
interface EntryFailure extends FailureState {
  readonly fingerprint: string
}

interface Loss extends EntryFailure {
  readonly server: string
  readonly session: string | undefined
}

export function createFailureBook(
  clock: Clock,
  onHealth: (change: HealthChange) => void = () => {},
): FailureBook {
  /** By server name. */
  const startFailures = new Map<string, EntryFailure>()
  /** By connection key: one agent's lost connection does not affect the others. */
  const losses = new Map<string, Loss>()
  /** Servers reported as down, with the fingerprint of their entry. */
  const down = new Map<string, string>()

  const notify = (change: HealthChange): void => {
    try {
      onHealth(change)
    } catch {
      // A change that cannot be recorded must not affect the server.
    }
  }
  /** A first failure may be chance, and the next call retries immediately, so only the second is reported. */
  const report = (
    { name, fingerprint }: UpstreamServer,
    { why, since, failures }: FailureState,
    isPersistent = failures > 1,
  ): void => {
    if (!isPersistent || down.has(name)) return
    down.set(name, fingerprint)
    notify({ server: name, state: 'down', why, since: new Date(since).toISOString() })
  }

  return {
    find(key, { name }) {
      const [loss, failed] = [losses.get(key), startFailures.get(name)]
      if (loss === undefined || failed === undefined) return loss ?? failed
      return loss.retryAt > failed.retryAt ? loss : failed
    },
    findForServer: (name, isOpen) =>
      startFailures.get(name) ??
      [...losses].findLast(([key, { server }]) => server === name && !isOpen(key))?.[1],
    startFailed(server, failure) {
      const { name, fingerprint } = server
      const failed = afterFailure(startFailures.get(name), failure, clock())
      startFailures.set(name, { ...failed, fingerprint })
      report(server, failed)
      return failed
    },
    notConfigured(server, why) {
      const { name, fingerprint } = server
      const now = clock()
      const since = startFailures.get(name)?.since ?? now
      const failed = { why, since, failures: 0, retryAt: now }
      startFailures.set(name, { ...failed, fingerprint })
      report(server, failed, true)
    },
    connectionLost(key, server, session, failure) {
      const { name, fingerprint } = server
      const failed = afterFailure(losses.get(key), failure, clock())
      losses.set(key, { ...failed, server: name, fingerprint, session })
      report(server, failed)
    },
    answered({ name }) {
      startFailures.delete(name)
      if (down.delete(name)) notify({ server: name, state: 'up' })
    },
    connectionStable: (key) => void losses.delete(key),
    endSession(session) {
      for (const [key, loss] of losses) if (loss.session === session) losses.delete(key)
    },
    retain(isCurrent) {
      for (const [name, { fingerprint }] of startFailures)
        if (!isCurrent(name, fingerprint)) startFailures.delete(name)
      for (const [name, fingerprint] of down) if (!isCurrent(name, fingerprint)) down.delete(name)
      for (const [key, { server, fingerprint }] of losses) {
        if (!isCurrent(server, fingerprint)) losses.delete(key)
      }
    },
  }
}

export function serverUnavailable(
  { name: server }: UpstreamServer,
  { why, lastLine, since, retryAt }: FailureState,
): ContextdError {
  const said = lastLine === undefined ? '' : `; it last said: ${lastLine}`
  return new ContextdError('SERVER_UNAVAILABLE', {
    server,
    why: `${why} (since ${new Date(since).toISOString()}${said})`,
    since: new Date(since).toISOString(),
    ...(lastLine !== undefined && { last_line: lastLine }),
    retry_at: new Date(retryAt).toISOString(),
  })
}
