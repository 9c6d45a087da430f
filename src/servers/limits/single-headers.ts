/**
 * Headers that decide something have to be there once. Of two, programs on the way here may go by the other one: Node takes
 * the first of some, joins others, and says nothing.
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
/** `Mcp-Session-Id`, `Mcp-Protocol-Version`, `Mcp-Param-…`; `Contextd-Agent`, `Contextd-Workspace`; who calls a model. */
const singleFamilies = ['mcp-', 'contextd-', 'x-contextd-', 'x-claude-code-']

/** What is wrong with headers as Node lists them: a name, its value, the next name. */
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
    what: `the header ${name} is there more than once`,
    hint: 'Send it once.',
  })
}
