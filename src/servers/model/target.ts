/** Parses the address of a request to the model door. Pure. */

import { doorProviders } from '../../clients/model-door/providers.ts'
import type { ModelApi } from '../../core/model.ts'
import type { Config } from '../../platform/config/config-schema.ts'

export const modelPrefix = '/model/'

export interface ModelTarget {
  readonly key: string
  readonly provider: string
  /** Below the provider's base URL: empty, or starts with a slash. */
  readonly path: string
  /** Including its question mark, or empty. */
  readonly query: string
}

/** `/model/<key>/<provider>/<rest>?<query>`. Undefined for paths that another program could read differently. */
export function readModelTarget(url: string): ModelTarget | undefined {
  if (!url.startsWith(modelPrefix)) return undefined
  const [path = ''] = url.split('?', 1)
  const query = url.slice(path.length)
  const [key = '', provider = '', ...rest] = path.slice(modelPrefix.length).split('/')
  if (key === '' || provider === '' || !isPlain(rest) || !/^[!-~]*$/.test(query)) return undefined
  return { key, provider, path: rest.map((part) => `/${part}`).join(''), query }
}

/** No dot segments, no empty segments except the last, no encoded separators. */
function isPlain(parts: readonly string[]): boolean {
  return parts.every(
    (part, index) =>
      /^[!-~]*$/.test(part) &&
      !/\\|#|%(?:2e|2f|5c|25|00)/i.test(part) &&
      !/^\.{1,2}(?:;|$)/.test(part) &&
      (part !== '' || index === parts.length - 1),
  )
}

export interface ModelProvider {
  readonly name: string
  readonly api: ModelApi
  readonly url: URL
}

/** The provider as configured: nothing of its address comes from the request. */
export function findProvider(config: Config['model'], name: string): ModelProvider | undefined {
  const found = doorProviders(config).find((provider) => provider.name === name)
  return found && { ...found, url: new URL(found.url) }
}

/** Path and query at the provider. */
export function pathAt({ url }: ModelProvider, path: string): string {
  return url.pathname.replace(/\/$/, '') + path || '/'
}
