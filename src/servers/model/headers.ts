/** Headers passing through the model door, in Node's raw format: a name, its value, the next name. Pure. */

import { endToEndHeaders, headerPairs } from '../../platform/end-to-end-headers.ts'

/** Headers for contextd only. */
const ownPrefix = 'x-contextd-'

export interface RequestHeaderChanges {
  readonly host: string
  /** Undefined for a request without a body. */
  readonly length: number | undefined
}

/** The headers sent to the provider: unchanged and in order, except those about the encoding and the connection. */
export function requestHeaders(
  rawHeaders: readonly string[],
  { host, length }: RequestHeaderChanges,
): string[] {
  const sent: string[] = []
  const put = (name: string, value: string): unknown => sent.push(name, value)
  const missing = new Map<string, string>([
    ['host', host],
    // Because we have to read the response.
    ['accept-encoding', 'identity'],
    ...(length === undefined ? [] : ([['content-length', String(length)]] as const)),
  ])
  for (const [name, value] of endToEndHeaders(rawHeaders)) {
    const lower = name.toLowerCase()
    const ours = missing.get(lower)
    if (ours !== undefined) put(name, ours)
    else if (!isDropped(lower)) put(name, value)
    missing.delete(lower)
  }
  for (const [name, value] of missing) put(name, value)
  return sent
}

function isDropped(name: string): boolean {
  return (
    name === 'host' ||
    name === 'accept-encoding' ||
    name === 'content-length' ||
    name === 'content-encoding' ||
    name.startsWith(ownPrefix)
  )
}

/** Addresses that a client might send its next request to, bypassing the door: Gemini uploads use the last two. */
const addresses: ReadonlySet<string> = new Set([
  'location',
  'content-location',
  'refresh',
  'alt-svc',
  'x-goog-upload-url',
  'x-goog-upload-control-url',
])

/** The headers sent to the client. A rewritten body has another length, and is not compressed. */
export function responseHeaders(rawHeaders: readonly string[], isRewritten: boolean): string[] {
  return endToEndHeaders(rawHeaders)
    .filter(([name]) => !addresses.has(name.toLowerCase()))
    .filter(([name]) => !isRewritten || !/^content-(?:length|encoding)$/i.test(name))
    .flat()
}

const credentialHeaders: ReadonlySet<string> = new Set([
  'x-api-key',
  'authorization',
  'x-goog-api-key',
  'api-key',
  'cookie',
])

/** The caller's own credentials, to be masked everywhere else. */
export function credentialsIn(rawHeaders: readonly string[], query: string): string[] {
  const found = headerPairs(rawHeaders)
    .filter(([name]) => credentialHeaders.has(name.toLowerCase()))
    .flatMap(([name, value]) => valuesIn(name.toLowerCase(), value))
  return [...found, ...new URLSearchParams(query).getAll('key')]
}

function valuesIn(name: string, value: string): string[] {
  if (name === 'cookie') return value.split(';').map((one) => one.slice(one.indexOf('=') + 1).trim())
  // `Bearer …`, `Basic …`
  return [name === 'authorization' ? value.replace(/^[\w-]+ +/, '').trim() : value.trim()]
}
