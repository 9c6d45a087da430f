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
import type { DoorLimits, LimitHit, OnLimitHit } from '../limits/door-limits.ts'

const megabyte = 1 << 20
const maxStreams = 256
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
      maxConcurrentStreams: maxStreams,
      maxHeaderListSize: headerBytes,
    },
    maxHeaderListPairs: 64,
  }
}

export interface StreamLimits extends Pick<DoorLimits, 'bodyMs' | 'bodyIdleMs' | 'unreadMs'> {
  readonly onLimitHit: OnLimitHit
}

export interface WatchedSessions {
  /** No new calls; those that run have so long to end. */
  close(graceMs: number): Promise<void>
}

export function watchSessions(server: Http2Server, limits: StreamLimits): WatchedSessions {
  const streams = new Map<Http2Session, number>()
  server.on('session', (session: ServerHttp2Session) => {
    streams.set(session, 0)
    session.once('close', () => streams.delete(session))
    // Whatever is wrong with it, it is gone then, and nobody else is concerned.
    session.on('error', () => session.destroy())
    // Given to setTimeout, it would be called once only.
    session.on('timeout', () => {
      // A stream that waits for something to happen is no idle connection.
      if (streams.get(session) === 0) session.close()
    })
    session.setTimeout(idleMs)
    session.on('stream', (stream) => {
      streams.set(session, (streams.get(session) ?? 0) + 1)
      stream.once('close', () => {
        const open = streams.get(session)
        if (open !== undefined) streams.set(session, open - 1)
      })
      limitStream(stream, limits)
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

/** A request has to come in, and an answer has to be read. One that is not there yet may take its time. */
function limitStream(stream: Http2Stream, limits: StreamLimits): void {
  const { bodyMs, bodyIdleMs, unreadMs, onLimitHit } = limits
  let isHere = false
  const end = (limit: LimitHit): void => {
    onLimitHit(limit)
    stream.close(constants.NGHTTP2_CANCEL)
    // What waits to be written would stay until the client reads again.
    stream.destroy()
  }
  const late = setTimeout(() => end('body'), bodyMs)
  stream.on('timeout', () => {
    if (!isHere) end('body')
    else if (stream.writableLength > 0) end('unread')
  })
  stream.setTimeout(bodyIdleMs)
  stream.once('end', () => {
    isHere = true
    clearTimeout(late)
    stream.setTimeout(unreadMs)
  })
  stream.once('close', () => clearTimeout(late))
}
