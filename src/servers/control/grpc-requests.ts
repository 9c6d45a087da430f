/** Processes incoming gRPC data before it is parsed. */

import type { ServerHttp2Stream } from 'node:http2'

import type { HeldMessage } from '../limits/held-bytes.ts'
import { toConnectError } from './grpc-errors.ts'

type Incoming = Pick<ServerHttp2Stream, 'iterator' | 'once'>

/** Counts a stream's data against the caller's limit until the stream is closed. Exceeding it throws in the reader. */
export async function* keptBytes(held: HeldMessage, stream: Incoming): AsyncIterable<Uint8Array> {
  stream.once('close', held.close)
  // A reader that stops early must still be able to answer.
  for await (const part of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    try {
      held.add(part.length)
    } catch (error) {
      throw toConnectError(error)
    }
    yield part
  }
}

/** Milliseconds per gRPC time unit. */
const units: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 }
/** A longer timer would fire immediately. */
const maxTimerMs = 2_147_483_647

/** Removes timeouts too long for a timer, which means no timeout. */
export function withoutEndlessTimeout(headers: Headers): Headers {
  const [, count, unit = ''] = /^(\d{1,8})([HMSmun])$/.exec(headers.get('grpc-timeout') ?? '') ?? []
  if (Number(count) * (units[unit] ?? 0) > maxTimerMs) headers.delete('grpc-timeout')
  if (Number(headers.get('connect-timeout-ms')) > maxTimerMs) headers.delete('connect-timeout-ms')
  return headers
}
