/** The effective methods of a request: servers let a header or a query parameter override the method. */

/** `X-HTTP-Method-Override`, `X-HTTP-Method`, `X-Method-Override` and variants. */
const override = /^(?:x-)?(?:http-)?method(?:-override)?$/
const overrideParameters: ReadonlySet<string> = new Set(['_method', 'x-http-method-override'])
/** Read-only methods. With a body they can do as much as a POST. */
const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

export interface MethodSource {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly hasBody: boolean
}

/** The additional methods that a request asks for, in upper case; each needs its own grant. */
export function overrideMethods({ method, path, headers, hasBody }: MethodSource): readonly string[] {
  const asked = new Set(hasBody && readingMethods.has(method) ? ['POST'] : [])
  for (const [name, value = ''] of Object.entries(headers)) {
    // Gateways that pass headers to programs treat both characters as one.
    if (!override.test(name.toLowerCase().replaceAll('_', '-'))) continue
    for (const one of String(value).split(',')) asked.add(one.trim().toUpperCase())
  }
  const query = path.indexOf('?')
  if (query !== -1) {
    for (const [name, value] of new URLSearchParams(path.slice(query))) {
      if (overrideParameters.has(name.toLowerCase())) asked.add(value.trim().toUpperCase())
    }
  }
  asked.delete(method)
  return [...asked]
}
