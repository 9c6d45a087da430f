/** Where a call stands in somebody's trace, as W3C Trace Context writes it. Pure. */

import type { TraceContext } from '../../core/call.ts'

/** Version, trace, span and flags. A later version that adds more behind that is not ours to carry on. */
const parentPattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** As the recommendation has it: at most so many members, and nobody has to carry on more than so much text. */
const maxMembers = 32
const maxStateChars = 512
const memberKey = /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})$/
const memberValue = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/

/**
 * What `_meta`, the headers of a request or gRPC metadata say of the trace. Only what is well-formed is taken, because it
 * is passed on to others: free text would be a way out. `baggage` is free text, so it is not.
 */
export function readTrace(given: Readonly<Record<string, unknown>>): TraceContext | undefined {
  const { traceparent, tracestate } = given
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

/** The ids in it, for whoever makes a span below. */
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
