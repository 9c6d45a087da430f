/** Headers of requests and responses that are forwarded, in the form Node lists them: a name, its value, the next name. */

/** They belong to one connection and not to the message. */
export const hopByHopHeaders: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

type Header = readonly [name: string, value: string]

export function headerPairs(rawHeaders: readonly string[]): Header[] {
  return Array.from({ length: rawHeaders.length / 2 }, (_, index) => [
    rawHeaders[index * 2]!,
    rawHeaders[index * 2 + 1]!,
  ])
}

/** Without hop-by-hop headers, including those that `Connection` names. */
export function endToEndHeaders(rawHeaders: readonly string[]): Header[] {
  const headers = headerPairs(rawHeaders)
  const named = new Set(
    headers
      .filter(([name]) => name.toLowerCase() === 'connection')
      .flatMap(([, value]) => value.split(',').map((one) => one.trim().toLowerCase())),
  )
  return headers.filter(([name]) => {
    const lower = name.toLowerCase()
    return !hopByHopHeaders.has(lower) && !named.has(lower)
  })
}
