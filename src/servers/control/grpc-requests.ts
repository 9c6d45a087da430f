/** What comes in over gRPC, before anybody reads it. */

import type { ServerHttp2Stream } from 'node:http2'

import type { HeldMessage } from '../limits/held-bytes.ts'
import { toConnectError } from './grpc-errors.ts'

type Incoming = Pick<ServerHttp2Stream, 'iterator' | 'once'>

/** What a stream brings, kept for the caller until the stream is closed. Its reader hears where it is too much. */
export async function* keptBytes(held: HeldMessage, stream: Incoming): AsyncIterable<Uint8Array> {
  stream.once('close', held.close)
  // Whoever stops reading still answers.
  for await (const part of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    try {
      held.add(part.length)
    } catch (error) {
      throw toConnectError(error)
    }
    yield part
  }
}

/** Milliseconds of the units in which gRPC writes a time. */
const units: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 }
/** A timer that should take longer fires at once. */
const maxTimerMs = 2_147_483_647

/** Takes out a time that no timer can take: whoever says so waits for as long as it takes. */
export function withoutEndlessTimeout(headers: Headers): Headers {
  const [, count, unit = ''] = /^(\d{1,8})([HMSmun])$/.exec(headers.get('grpc-timeout') ?? '') ?? []
  if (Number(count) * (units[unit] ?? 0) > maxTimerMs) headers.delete('grpc-timeout')
  if (Number(headers.get('connect-timeout-ms')) > maxTimerMs) headers.delete('connect-timeout-ms')
  return headers
}
