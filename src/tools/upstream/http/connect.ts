/** A conversation with a server on the network. Loaded when one is needed: the SDK behind it costs start-up time. */

import type { Connection, ConnectOptions } from '../connection.ts'
import type { HttpTransport, UpstreamServer } from '../server.ts'
import { openTalk, type FalseStart, type HttpParts, type Manner } from './talk.ts'

export type { HttpParts } from './talk.ts'

/** `way` with its variables filled in. Rejects with `ConnectionLost`, or with the reason of the signal. */
export async function connectHttp(
  transport: HttpTransport,
  protocol: UpstreamServer['protocol'],
  parts: HttpParts,
  options: ConnectOptions,
): Promise<Connection> {
  const { signal } = options
  let earlier: FalseStart | undefined
  for (const manner of mannersFor(transport.kind, protocol)) {
    signal.throwIfAborted()
    const talk = openTalk(transport, manner, parts, options)
    const giveUp = (): void => talk.lose('the start was given up')
    signal.addEventListener('abort', giveUp, { once: true })
    const begun = await talk.begin()
    signal.removeEventListener('abort', giveUp)
    if (!('failure' in begun)) return begun
    signal.throwIfAborted()
    // A server that has no stream for the older way was not meant to be asked for it.
    if (manner === 'sse' && earlier !== undefined) break
    earlier = begun
    if (!mayBeOlder(manner, begun)) break
  }
  throw earlier!.failure
}

/**
 * Newest first: a server that knows both sides of 2026-07-28 often keeps no sessions on the older one, and without
 * sessions it cannot ask anything there.
 */
function mannersFor(kind: HttpTransport['kind'], protocol: UpstreamServer['protocol']): readonly Manner[] {
  if (kind === 'sse') return ['sse']
  if (protocol === 'modern') return ['modern']
  return protocol === 'legacy' ? ['legacy', 'sse'] : ['modern', 'legacy', 'sse']
}

/** Refusals that have nothing to do with what was asked. */
const otherRefusals = new Set([401, 403, 407, 408, 429])

/** Whether the server refused as one does that knows only an older way. */
function mayBeOlder(manner: Manner, { status, wasAnswered }: FalseStart): boolean {
  if (manner === 'legacy') return status === 400 || status === 404 || status === 405
  if (manner === 'sse') return false
  return status === undefined ? wasAnswered : status >= 400 && status < 500 && !otherRefusals.has(status)
}
