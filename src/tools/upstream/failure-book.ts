/** What went wrong with servers and connections, and until when nobody tries again. */

import { ContextdError } from '../../core/errors/errors.ts'
import type { Clock } from '../../core/ports.ts'
import { afterFailure, type ServerFailure, type FailureState } from './recovery.ts'
import type { UpstreamServer } from './server.ts'

export interface FailureBook {
  /** What keeps this connection to the server from being made, or kept it last. */
  of(key: string, server: UpstreamServer): FailureState | undefined
  /** Of the server, or of the last connection to it that was lost and not made again. */
  ofServer(name: string, isMade: (key: string) => boolean): FailureState | undefined
  notStarted(server: UpstreamServer, failure: ServerFailure): FailureState
  /** Nothing was started, so there is nothing to pause for: it works as soon as the person has set what is missing. */
  lacking(server: UpstreamServer, why: string): void
  lost(key: string, server: UpstreamServer, session: string | undefined, failure: ServerFailure): void
  /** The server answered. */
  answered(server: UpstreamServer): void
  /** The connection lasts: earlier losses of it count no more. */
  lasts(key: string): void
  endSession(session: string): void
  /** Forgets what was wrong with other versions of an entry: this one may well start. */
  keepOnly(counts: (server: string, fingerprint: string) => boolean): void
}

/** A server is not to be had any more, or is again. */
export interface HealthChange extends Record<string, string> {
  readonly server: string
  readonly state: 'down' | 'up'
}

/** Of one version of an entry. */
interface NotStarted extends FailureState {
  readonly fingerprint: string
}

interface Loss extends NotStarted {
  readonly server: string
  readonly session: string | undefined
}

export function createFailureBook(
  clock: Clock,
  onHealth: (change: HealthChange) => void = () => {},
): FailureBook {
  /** Of servers that do not start, by name. */
  const startFailures = new Map<string, NotStarted>()
  /** Of connections that were lost, by key: what became of one agent's is no business of the others. */
  const losses = new Map<string, Loss>()
  /** Those of whom it was said that they are down, with the version of their entry. */
  const down = new Map<string, string>()

  const say = (change: HealthChange): void => {
    try {
      onHealth(change)
    } catch {
      // That it cannot be taken down changes nothing about the server.
    }
  }
  /** A first failure may be chance: the next call tries at once. Only from the second on is it worth a word. */
  const report = (
    { name, fingerprint }: UpstreamServer,
    { why, since, failures }: FailureState,
    isGrave = failures > 1,
  ): void => {
    if (!isGrave || down.has(name)) return
    down.set(name, fingerprint)
    say({ server: name, state: 'down', why, since: new Date(since).toISOString() })
  }

  return {
    of(key, { name }) {
      const [loss, failed] = [losses.get(key), startFailures.get(name)]
      if (loss === undefined || failed === undefined) return loss ?? failed
      return loss.retryAt > failed.retryAt ? loss : failed
    },
    ofServer: (name, isMade) =>
      startFailures.get(name) ??
      [...losses].findLast(([key, { server }]) => server === name && !isMade(key))?.[1],
    notStarted(server, failure) {
      const { name, fingerprint } = server
      const failed = afterFailure(startFailures.get(name), failure, clock())
      startFailures.set(name, { ...failed, fingerprint })
      report(server, failed)
      return failed
    },
    lacking(server, why) {
      const { name, fingerprint } = server
      const now = clock()
      const since = startFailures.get(name)?.since ?? now
      const failed = { why, since, failures: 0, retryAt: now }
      startFailures.set(name, { ...failed, fingerprint })
      report(server, failed, true)
    },
    lost(key, server, session, failure) {
      const { name, fingerprint } = server
      const failed = afterFailure(losses.get(key), failure, clock())
      losses.set(key, { ...failed, server: name, fingerprint, session })
      report(server, failed)
    },
    answered({ name }) {
      startFailures.delete(name)
      if (down.delete(name)) say({ server: name, state: 'up' })
    },
    lasts: (key) => void losses.delete(key),
    endSession(session) {
      for (const [key, loss] of losses) if (loss.session === session) losses.delete(key)
    },
    keepOnly(counts) {
      for (const [name, { fingerprint }] of startFailures)
        if (!counts(name, fingerprint)) startFailures.delete(name)
      for (const [name, fingerprint] of down) if (!counts(name, fingerprint)) down.delete(name)
      for (const [key, { server, fingerprint }] of losses) {
        if (!counts(server, fingerprint)) losses.delete(key)
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
