import { hopByHopHeaders } from '../../platform/end-to-end-headers.ts'
import { FetchProblem, type RequestField } from './fetch-problem.ts'
import { isSameOrigin, readTarget, type RequestTarget } from './target.ts'

/** A request as given by a caller. */
export interface FetchRequest {
  readonly url: string
  readonly method?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | Uint8Array | undefined
}

/** A validated request: nothing in it can turn it into more than one request to this target. */
export interface CheckedRequest {
  readonly target: RequestTarget
  readonly method: FetchMethod
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

const fetchMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
type FetchMethod = (typeof fetchMethods)[number]

/** Hop-by-hop and framing headers, which belong to one connection and not to a request. */
const connectionHeaders: ReadonlySet<string> = new Set([...hopByHopHeaders, 'content-length', 'host'])

const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/
const maxHeaders = 64

/** Throws `invalid` with the problem. */
export function checkRequest(request: FetchRequest): CheckedRequest {
  const target = readTarget(request.url)
  if (typeof target === 'string') throw invalid('url', target)
  const method = fetchMethods.find((one) => one === (request.method ?? 'GET').toUpperCase())
  if (method === undefined) throw invalid('method', `the method must be one of ${fetchMethods.join(', ')}`)
  const { body } = request
  return {
    target,
    method,
    headers: checkHeaders(request.headers ?? {}),
    ...(body !== undefined && { body: typeof body === 'string' ? Buffer.from(body) : body }),
  }
}

function invalid(field: RequestField, message: string): FetchProblem {
  return new FetchProblem('invalid', message, { field })
}

function checkHeaders(given: Readonly<Record<string, string>>): Record<string, string> {
  const headers = new Map<string, string>()
  for (const [written, value] of Object.entries(given)) {
    const name = written.toLowerCase()
    if (!headerName.test(name) || !headerValue.test(value)) {
      throw invalid('headers', 'a header contains characters that cannot be sent')
    }
    if (connectionHeaders.has(name)) {
      throw invalid('headers', `the header ${name} is set by contextd itself`)
    }
    if (headers.has(name)) throw invalid('headers', 'a header is there twice')
    headers.set(name, value)
  }
  if (headers.size > maxHeaders) throw invalid('headers', 'there are too many headers')
  return Object.fromEntries(headers)
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/**
 * Headers that may be sent to a host the caller did not name. Any other header could contain a key, whatever its name.
 */
const forAnyone: ReadonlySet<string> = new Set(['accept', 'accept-encoding', 'accept-language', 'user-agent'])

/** The result of a response: the next request, or why it is missing. */
export type Redirect = { readonly next: CheckedRequest } | { readonly unfollowed: string }

/**
 * Undefined if the response is not a redirect. A body never follows to another origin, nor does a secret that was
 * revealed to this call for the first one: the caller sees the redirect and can send the request again.
 */
export function redirectAfter(
  request: CheckedRequest,
  { status, location }: { status: number; location: string | undefined },
  isGiven: (text: string) => boolean = () => false,
): Redirect | undefined {
  if (!redirects.has(status) || location === undefined) return undefined
  const target = URL.canParse(location, request.target.url)
    ? readTarget(new URL(location, request.target.url).href)
    : 'nowhere'
  if (typeof target === 'string') {
    throw new FetchProblem('broken', 'the server redirects to an invalid URL')
  }
  const isSame = isSameOrigin(request.target, target)
  const method = methodAfter(status, request.method)
  const body = method === request.method ? request.body : undefined
  if (!isSame && body !== undefined) return { unfollowed: 'another origin would get the body' }
  if (!isSame && isGiven(target.url)) return { unfollowed: 'another origin would get a secret of this call' }
  const headers = Object.entries(request.headers).filter(
    ([name, value]) =>
      (isSame || (forAnyone.has(name) && !isGiven(value))) &&
      (body !== undefined || !name.startsWith('content-')),
  )
  return {
    next: { target, method, headers: Object.fromEntries(headers), ...(body !== undefined && { body }) },
  }
}

function methodAfter(status: number, method: FetchMethod): FetchMethod {
  if (status === 303) return method === 'HEAD' ? 'HEAD' : 'GET'
  return method === 'POST' && (status === 301 || status === 302) ? 'GET' : method
}
