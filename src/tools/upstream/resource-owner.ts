/** Finds the server that a resource comes from. */

import type { Call } from '../../core/call.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import type { PayloadList } from '../../core/tool.ts'
import type { UpstreamServer } from './server.ts'
import { fromEach, type Upstreams } from './upstreams.ts'

/** The first candidate that lists the URI, else the first with a matching template. */
export async function findResourceOwner(
  uri: string,
  candidates: readonly UpstreamServer[],
  upstreams: Pick<Upstreams, 'list' | 'late'>,
  call: Call,
): Promise<UpstreamServer | undefined> {
  const firstWith = async (
    what: PayloadList,
    isIn: (items: readonly JsonObject[]) => boolean,
  ): Promise<UpstreamServer | undefined> => {
    const owners = await fromEach(
      candidates,
      async (server) => (isIn(await upstreams.list(server, what, call)) ? [server] : []),
      { late: upstreams.late(call) },
    )
    return owners[0]
  }
  return (
    (await firstWith('resources', (items) => valuesOf(items, 'uri').has(uri))) ??
    // Clients also ask for a template itself; there may be thousands, so an exact match comes before pattern matching.
    (await firstWith('resourceTemplates', (items) => valuesOf(items, 'uriTemplate').has(uri))) ??
    (await firstWith('resourceTemplates', (items) =>
      items.some(({ uriTemplate }) => matchesTemplate(uriTemplate, uri)),
    )) ??
    // No server lists it, but a single candidate may still serve it.
    (candidates.length === 1 ? candidates[0] : undefined)
  )
}

const cache = new WeakMap<readonly JsonObject[], ReadonlySet<Json | undefined>>()

/** The values of `key` in the items, cached per list. */
function valuesOf(items: readonly JsonObject[], key: 'uri' | 'uriTemplate'): ReadonlySet<Json | undefined> {
  const values = cache.get(items) ?? new Set(items.map((item) => item[key]))
  cache.set(items, values)
  return values
}

/** Whether the URI can result from the template. An expression in braces matches any text. */
export function matchesTemplate(template: Json | undefined, uri: string): boolean {
  if (typeof template !== 'string') return false
  const [first = '', ...others] = template.split(/\{[^{}]*\}/)
  const last = others.pop()
  if (last === undefined) return uri === first
  if (!uri.startsWith(first) || uri.length < first.length + last.length || !uri.endsWith(last)) return false
  let at = first.length
  for (const part of others) {
    const found = uri.indexOf(part, at)
    if (found < 0 || found + part.length > uri.length - last.length) return false
    at = found + part.length
  }
  return true
}
