/** A call's position in a trace, in W3C Trace Context format. Pure. */

import type { TraceContext } from '../../core/call.ts'

/** Version, trace, span and flags. A later version with additional fields is not passed on. */
const parentPattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** Limits from the recommendation. */
const maxMembers = 32
const maxStateChars = 512
const memberKey = /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})$/
const memberValue = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/

/**
 * Reads the trace from `_meta`, request headers or gRPC metadata. Only well-formed values are accepted, because they
 * are passed on to other servers: free text could exfiltrate data. For the same reason, `baggage` is dropped.
 */
export function readTrace(source: Readonly<Record<string, unknown>>): TraceContext | undefined {
  const { traceparent, tracestate } = source
  if (typeof traceparent !== 'string' || !parentPattern.test(traceparent)) return undefined
  return typeof tracestate === 'string' && isState(tracestate) ? { traceparent, tracestate } : { traceparent }
}

function isState(text: string): boolean {
  if (text.length > maxStateChars) return false
  const members = text
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '')
  const keys = new Set<string>()
  for (const member of members) {
    const at = member.indexOf('=')
    const key = member.slice(0, at)
    if (at < 1 || !memberKey.test(key) || !memberValue.test(member.slice(at + 1)) || keys.has(key))
      return false
    keys.add(key)
  }
  return members.length > 0 && members.length <= maxMembers
}

/** Its ids, for creating child spans. */
export interface TraceIds {
  readonly traceId: string
  readonly spanId: string
  readonly flags: number
}

export function idsOf({ traceparent }: TraceContext): TraceIds {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-')
  return { traceId, spanId, flags: Number.parseInt(flags, 16) }
}

export function traceparentOf({ traceId, spanId, flags }: TraceIds): string {
  return `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`
}
