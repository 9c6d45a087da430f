/** What the address of a request to the model door asks for. Pure. */

import { doorProviders } from '../../clients/model-door/providers.ts'
import type { ModelApi } from '../../core/model.ts'
import type { Config } from '../../platform/config/config-schema.ts'

export const modelPrefix = '/model/'

export interface ModelTarget {
  readonly key: string
  readonly provider: string
  /** Below the provider's base URL: empty, or begins with a slash. */
  readonly path: string
  /** With its question mark; empty where there is none. */
  readonly query: string
}

/** `/model/<key>/<provider>/<rest>?<query>`. Undefined for what another program could read as another path than we do. */
export function readModelTarget(url: string): ModelTarget | undefined {
  if (!url.startsWith(modelPrefix)) return undefined
  const [whole = ''] = url.split('?', 1)
  const query = url.slice(whole.length)
  const [key = '', provider = '', ...rest] = whole.slice(modelPrefix.length).split('/')
  if (key === '' || provider === '' || !isPlain(rest) || !/^[!-~]*$/.test(query)) return undefined
  return { key, provider, path: rest.map((part) => `/${part}`).join(''), query }
}

/** No dots that lead upwards, no empty part but the last, no separator in disguise. */
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

/** The provider as the configuration has it: nothing of its address comes from the request. */
export function findProvider(config: Config['model'], name: string): ModelProvider | undefined {
  const found = doorProviders(config).find((provider) => provider.name === name)
  return found && { ...found, url: new URL(found.url) }
}

/** Path and query at the provider. */
export function pathAt({ url }: ModelProvider, path: string): string {
  return url.pathname.replace(/\/$/, '') + path || '/'
}
