/** Refusals of the model door in the provider's error format, which clients can display. */

import type { ServerResponse } from 'node:http'

import { errorCatalogue, type ErrorObject } from '../../core/errors/errors.ts'
import type { ModelApi } from '../../core/model.ts'
import { dialects } from '../../model/dialects.ts'

export function sendModelError(
  response: ServerResponse,
  error: ErrorObject,
  api: ModelApi = 'anthropic',
): void {
  const status = errorCatalogue[error.code].http
  // The rest of such a request is not read, and a surplus connection is not kept.
  if (status === 408 || status === 413 || error.code === 'CALLER_LIMITED')
    response.setHeader('connection', 'close')
  const wait = error.retry_after_ms
  if (typeof wait === 'number') response.setHeader('retry-after', String(Math.max(1, Math.ceil(wait / 1000))))
  // Only the user can change that, so a retry would fail too.
  if (error.code === 'MODEL_BUDGET_EXHAUSTED') response.setHeader('x-should-retry', 'false')
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(dialects[api].errorBody({ status, message: messageOf(error) }))
}

/** What the user reads in the client: the source (contextd), the problem, the deciding rule, the fix. */
function messageOf({ message, rule, file, line, hint }: ErrorObject): string {
  const place = file === undefined ? rule : `${rule} in ${file}:${line}`
  return [`contextd: ${message}`, place && ` (${place})`, '.', hint && ` ${hint}`].filter(Boolean).join('')
}
