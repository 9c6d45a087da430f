/** What one connection may cost us, whoever is at the other end. */

import {
  constants,
  type Http2Server,
  type Http2Session,
  type Http2Stream,
  type ServerHttp2Session,
  type ServerOptions,
} from 'node:http2'

import { settledWithin } from '../../platform/settled-within.ts'
import type { DoorLimits } from '../door-limits.ts'

const megabyte = 1 << 20
const mostStreams = 256
/** Names, metadata and a trace; nobody needs more. */
const headerBytes = 16_384
/** A connection that does nothing is closed; clients open it again when they need it. */
const idleMs = 5 * 60_000

export function http2Options(messageBytes: number): ServerOptions {
  return {
    // In megabytes. Room for some messages that come in at once; what is beyond it is refused, not kept.
    maxSessionMemory: Math.max(16, Math.ceil((4 * messageBytes) / megabyte)),
    // Streams that are opened and reset at once are bounded by nghttp2, and each counts as a call of its caller.
    maxSessionInvalidFrames: 100,
    maxSessionRejectedStreams: 100,
    unknownProtocolTimeout: 10_000,
    settings: {
      enablePush: false,
      maxConcurrentStreams: mostStreams,
      maxHeaderListSize: headerBytes,
    },
    maxHeaderListPairs: 64,
  }
}

export interface BodyTimes extends Pick<DoorLimits, 'bodyMs' | 'bodyIdleMs'> {
  readonly onLate: () => void
}

export interface WatchedSessions {
  /** No new calls; those that run have so long to end. */
  close(graceMs: number): Promise<void>
}

export function watchSessions(server: Http2Server, limits: BodyTimes): WatchedSessions {
  const streams = new Map<Http2Session, number>()
  server.on('session', (session: ServerHttp2Session) => {
    streams.set(session, 0)
    session.once('close', () => streams.delete(session))
    // Whatever is wrong with it, it is gone then, and nobody else is concerned.
    session.on('error', () => session.destroy())
    session.setTimeout(idleMs, () => {
      // A stream that waits for something to happen is no idle connection.
      if (streams.get(session) === 0) session.close()
    })
    session.on('stream', (stream) => {
      streams.set(session, (streams.get(session) ?? 0) + 1)
      stream.once('close', () => {
        const open = streams.get(session)
        if (open !== undefined) streams.set(session, open - 1)
      })
      expectRequest(stream, limits)
    })
  })
  return {
    async close(graceMs) {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const session of streams.keys()) session.close()
      await settledWithin(closed, graceMs)
      for (const session of streams.keys()) session.destroy()
      await closed
    },
  }
}

/** A request has to come in; what the answer takes is another matter. */
function expectRequest(stream: Http2Stream, { bodyMs, bodyIdleMs, onLate }: BodyTimes): void {
  const end = (): void => {
    onLate()
    stream.close(constants.NGHTTP2_CANCEL)
  }
  const late = setTimeout(end, bodyMs)
  stream.setTimeout(bodyIdleMs, end)
  const isHere = (): void => {
    clearTimeout(late)
    stream.setTimeout(0)
  }
  stream.once('end', isHere)
  stream.once('close', isHere)
}
