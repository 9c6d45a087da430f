import * as z from 'zod'

import type { Call } from '../../core/call.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { ToolHost } from '../../core/ports.ts'
import type { FetchResponse, Egress } from './egress.ts'
import { FetchProblem } from './fetch-problem.ts'
import { compileHostGrants } from './host-grants.ts'
import type { FetchRequest } from './request.ts'
import { readableBody } from './response-text.ts'

/** Creates an egress that reports its requests as part of this call. */
export type EgressFor = (call: Call) => Egress

export const fetchInput = z.object({
  url: z.string(),
  // Models know the methods; listing them would cost tokens in every session.
  method: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.string().optional(),
})

/** The headers worth a model's attention. Cookies are not. */
const usefulHeaders = [
  'content-type',
  'content-disposition',
  'content-range',
  'location',
  'link',
  'etag',
  'last-modified',
  'retry-after',
  'www-authenticate',
  'allow',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
]

/** Fetches within the grants of the call, and throws catalogue errors. */
export async function fetchForCall(
  egress: Egress,
  call: Call,
  request: FetchRequest,
): Promise<FetchResponse> {
  try {
    return await egress.fetch(request, compileHostGrants(call.grants), { signal: call.signal })
  } catch (error) {
    throw error instanceof FetchProblem ? catalogued(error, call) : error
  }
}

function catalogued(problem: FetchProblem, call: Call): ContextdError {
  switch (problem.kind) {
    case 'not_granted':
      return new ContextdError('HOST_NOT_GRANTED', {
        agent: call.principal?.agent ?? 'nobody',
        reason: problem.message,
      })
    case 'invalid':
      return new ContextdError('INVALID_ARGUMENTS', {
        fields: [{ field: problem.field ?? 'url', expected: problem.message }],
      })
    case 'cancelled':
      return new ContextdError('CANCELLED')
    case 'unresolvable':
    case 'unreachable':
    case 'insecure':
    case 'broken':
    case 'timeout':
    case 'too_many_redirects':
      return new ContextdError('FETCH_FAILED', { cause: problem.message }, { cause: problem })
  }
}

/** Status, URL and useful headers. */
export function describeResponse(response: FetchResponse): JsonObject {
  const { status, url, headers, truncated, unfollowed } = response
  const shown = usefulHeaders.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return {
    status,
    url,
    headers: Object.fromEntries(shown),
    ...(truncated && { truncated }),
    ...(unfollowed !== undefined && { redirect: `not followed: ${unfollowed}` }),
  }
}

/** `ToolHost.fetch`: text as `body`, anything else as `body_base64`. */
export function hostFetch(egress: Egress, call: Call): NonNullable<ToolHost['fetch']> {
  return async (url, init = {}) => {
    const parsed = fetchInput.strict().safeParse({ ...init, url })
    if (!parsed.success) {
      throw new ContextdError('INVALID_ARGUMENTS', {
        fields: parsed.error.issues.map(({ path }) => ({
          field: String(path[0] ?? '(unknown)'),
          expected: 'url, method, headers or body, as text',
        })),
      })
    }
    const response = await fetchForCall(egress, call, parsed.data)
    const { text } = readableBody(response.body, {
      ...response,
      contentType: response.headers['content-type'] ?? '',
    })
    const body = text === undefined ? { body_base64: response.body.toString('base64') } : { body: text }
    return { ...describeResponse(response), ...body }
  }
}
