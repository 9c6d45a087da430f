/** OpenAI's Responses and Chat Completions APIs, as Codex, OpenCode and many other providers use them. */

import type { Dialect, Endpoint } from '../wire/dialect.ts'
import { chatRewriter } from './chat-rewriter.ts'
import { viewChat } from './chat-view.ts'
import { responsesRewriter } from './responses-rewriter.ts'
import { viewResponses } from './responses-view.ts'

const errorTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
}
const errorCodes: Readonly<Record<number, string>> = {
  401: 'invalid_api_key',
  413: 'request_too_large',
  429: 'rate_limit_exceeded',
}

export const openai: Dialect = {
  api: 'openai',
  endpointOf,
  view: (text, root, { shape }) => (shape === 'chat' ? viewChat(text, root) : viewResponses(text, root)),
  rewriter: ({ shape }, restore) => (shape === 'chat' ? chatRewriter(restore) : responsesRewriter(restore)),
  errorBody({ status, message }) {
    const type = errorTypes[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error')
    return JSON.stringify({ error: { message, type, param: null, code: errorCodes[status] ?? null } })
  },
}

/** Path suffixes; providers of this format differ in the prefix. */
const endpoints: readonly (readonly [end: string, Endpoint])[] = [
  ['/responses', { kind: 'generate', shape: 'responses' }],
  // Returns a compacted version of a long history.
  ['/responses/compact', { kind: 'generate', shape: 'responses' }],
  ['/responses/input_tokens', { kind: 'count', shape: 'responses' }],
  ['/chat/completions', { kind: 'generate', shape: 'chat' }],
]

function endpointOf(method: string, path: string): Endpoint | undefined {
  if (method !== 'POST') return undefined
  const [place = ''] = path.split(/[?#]/, 1)
  return endpoints.find(([end]) => place.endsWith(end))?.[1]
}
