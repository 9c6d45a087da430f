/** Anthropic's Messages API, as Claude Code and OpenCode use it. */

import type { Dialect, Endpoint } from '../wire/dialect.ts'
import { anthropicRewriter } from './rewriter.ts'
import { anthropicView } from './view.ts'

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

export const anthropic: Dialect = {
  api: 'anthropic',
  endpointOf,
  view: anthropicView,
  rewriter: (_, restore) => anthropicRewriter(restore),
  errorBody: ({ status, message }) =>
    JSON.stringify({ type: 'error', error: { type: errorTypes[status] ?? typeFor(status), message } }),
}

function typeFor(status: number): string {
  return status >= 500 ? 'api_error' : 'invalid_request_error'
}

/** Clients differ in whether the base URL ends with `/v1`, so it may occur twice or be missing. */
function endpointOf(method: string, path: string): Endpoint | undefined {
  if (method !== 'POST') return undefined
  const place = path.split(/[?#]/, 1)[0]!.replace(/^(?:\/v1){1,2}(?=\/)/, '')
  if (place === '/messages') return { kind: 'generate', shape: 'messages' }
  return place === '/messages/count_tokens' ? { kind: 'count', shape: 'messages' } : undefined
}
