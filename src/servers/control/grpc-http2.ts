/** Resource limits of a single connection. */

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
/** Enough for names, metadata and a trace context. */
const headerBytes = 16_384
/** Idle connections are closed; clients reconnect when needed. */
const idleMs = 5 * 60_000

export function http2Options(messageBytes: number): ServerOptions {
  return {
    // In megabytes: room for several concurrent messages; frames beyond that are refused instead of buffered.
    maxSessionMemory: Math.max(16, Math.ceil((4 * messageBytes) / megabyte)),
    // nghttp2 limits streams that are opened and reset immediately, and each counts as a call of its caller.
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
  /** Refuses new calls, and lets running ones finish within the grace period. */
  close(graceMs: number): Promise<void>
}

export function watchSessions(server: Http2Server, limits: StreamLimits): WatchedSessions {
  const streams = new Map<Http2Session, number>()
  server.on('session', (session: ServerHttp2Session) => {
    streams.set(session, 0)
    session.once('close', () => streams.delete(session))
    // On any error, the session is closed; no other session is affected.
    session.on('error', () => session.destroy())
    // A callback passed to setTimeout would run only once.
    session.on('timeout', () => {
      // A stream that waits for events keeps its connection from being idle.
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

/**
 * Limits how long a request may take to arrive and an answer to be read, but not how long an answer may take to be
 * produced.
 */
function limitStream(stream: Http2Stream, limits: StreamLimits): void {
  const { bodyMs, bodyIdleMs, unreadMs, onLimitHit } = limits
  let isHere = false
  const end = (limit: LimitHit): void => {
    onLimitHit(limit)
    stream.close(constants.NGHTTP2_CANCEL)
    // Otherwise unsent data would stay buffered until the client reads again.
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
