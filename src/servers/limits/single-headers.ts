/**
 * Headers that affect decisions must not be repeated. Intermediaries may use either value: Node silently takes the
 * first of some and joins others.
 */

import { ContextdError } from '../../core/errors/errors.ts'

const single: ReadonlySet<string> = new Set([
  'host',
  'authorization',
  'origin',
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'last-event-id',
  'traceparent',
  'grpc-timeout',
  'connect-timeout-ms',
])
/**
 * `Mcp-Session-Id`, `Mcp-Protocol-Version`, `Mcp-Param-…`; `Contextd-Agent`, `Contextd-Workspace`; the callers of
 * models.
 */
const singleFamilies = ['mcp-', 'contextd-', 'x-contextd-', 'x-claude-code-']

/** The problem with headers in Node's raw format: a name, its value, the next name. */
export function checkSingleHeaders(rawHeaders: readonly string[]): ContextdError | undefined {
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase()
    const family = singleFamilies.find((start) => name.startsWith(start))
    if (family === undefined && !single.has(name)) continue
    if (seen.has(name)) return repeated(family === undefined ? name : `${family}*`)
    seen.add(name)
  }
  return undefined
}

function repeated(name: string): ContextdError {
  return new ContextdError('INVALID_REQUEST', {
    what: `the header ${name} occurs more than once`,
    hint: 'Send it once.',
  })
}
