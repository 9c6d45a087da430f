/** Connects to a server over HTTP. Loaded on first use: the SDK behind it costs start-up time. */

import type { Connection, ConnectOptions } from '../connection.ts'
import type { HttpTransport, UpstreamServer } from '../server.ts'
import type { ProtocolVariant } from './connection-state.ts'
import { createAttempt, type FailedAttempt, type HttpParts } from './http-connection.ts'

export type { HttpParts } from './http-connection.ts'

/** `transport` has its variables expanded. Rejects with `ConnectionLost`, or with the reason of the signal. */
export async function connectHttp(
  transport: HttpTransport,
  protocol: UpstreamServer['protocol'],
  parts: HttpParts,
  options: ConnectOptions,
): Promise<Connection> {
  const { signal } = options
  let earlier: FailedAttempt | undefined
  for (const variant of variantsFor(transport.kind, protocol)) {
    signal.throwIfAborted()
    const attempt = createAttempt(transport, variant, parts, options)
    const abort = (): void => attempt.abort('the start was cancelled')
    signal.addEventListener('abort', abort, { once: true })
    const opened = await attempt.open()
    signal.removeEventListener('abort', abort)
    if (!('failure' in opened)) return opened
    signal.throwIfAborted()
    // SSE was only a fallback: if it fails too, the earlier failure says more.
    if (variant === 'sse' && earlier !== undefined) break
    earlier = opened
    if (!mayBeOlder(variant, opened)) break
  }
  throw earlier!.failure
}

/**
 * Newest first: a server that supports both sides of 2026-07-28 often keeps no sessions on the older one, and without
 * sessions it cannot ask questions there.
 */
function variantsFor(
  kind: HttpTransport['kind'],
  protocol: UpstreamServer['protocol'],
): readonly ProtocolVariant[] {
  if (kind === 'sse') return ['sse']
  if (protocol === 'modern') return ['modern']
  return protocol === 'legacy' ? ['legacy', 'sse'] : ['modern', 'legacy', 'sse']
}

/** Statuses that do not depend on the protocol version. */
const versionIndependent = new Set([401, 403, 407, 408, 429])

/** Whether the failure looks like that of a server that only supports an older variant. */
function mayBeOlder(variant: ProtocolVariant, { status, wasAnswered }: FailedAttempt): boolean {
  if (variant === 'legacy') return status === 400 || status === 404 || status === 405
  if (variant === 'sse') return false
  return status === undefined ? wasAnswered : status >= 400 && status < 500 && !versionIndependent.has(status)
}
