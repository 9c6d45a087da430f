/** What comes in over gRPC, before anybody reads it. */

import type { ServerHttp2Stream } from 'node:http2'

import { ContextdError } from '../../core/errors.ts'
import { toConnectError } from './grpc-errors.ts'

export interface IncomingBytes {
  /** What a stream brings, counted for the caller until the stream is closed. Its reader hears where it is too much. */
  count(caller: string, stream: Incoming): AsyncIterable<Uint8Array>
}

type Incoming = Pick<ServerHttp2Stream, 'iterator' | 'once'>

/**
 * A message is looked at when all of it is there, and kept until then: so what one caller can have us keep is bounded,
 * over however many connections and streams it sends.
 */
export function createIncomingBytes(most: number): IncomingBytes {
  const held = new Map<string, number>()
  const add = (caller: string, bytes: number): number => {
    const now = (held.get(caller) ?? 0) + bytes
    if (now > 0) held.set(caller, now)
    else held.delete(caller)
    return now
  }
  return {
    async *count(caller, stream) {
      let own = 0
      stream.once('close', () => add(caller, -own))
      // Whoever stops reading still answers.
      for await (const part of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
        own += part.length
        if (add(caller, part.length) > most) {
          // What was read of it is let go.
          add(caller, -own)
          own = 0
          const limit = `${most} bytes of messages that are under way`
          throw toConnectError(new ContextdError('CALLER_LIMITED', { limit }))
        }
        yield part
      }
    },
  }
}

/** Milliseconds of the units in which gRPC writes a time. */
const units: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 }
/** A timer that should take longer fires at once. */
const longestTimer = 2_147_483_647

/** Takes out a time that no timer can take: whoever says so waits for as long as it takes. */
export function withoutEndlessTimeout(headers: Headers): Headers {
  const [, count, unit = ''] = /^(\d{1,8})([HMSmun])$/.exec(headers.get('grpc-timeout') ?? '') ?? []
  if (Number(count) * (units[unit] ?? 0) > longestTimer) headers.delete('grpc-timeout')
  if (Number(headers.get('connect-timeout-ms')) > longestTimer) headers.delete('connect-timeout-ms')
  return headers
}
