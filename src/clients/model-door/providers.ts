/** The upstream providers of the model door. */

import type { ModelApi } from '../../core/model.ts'
import type { Config } from '../../platform/config/config-schema.ts'

export interface DoorProvider {
  /** As in the door's path. */
  readonly name: string
  /** Base URL of the upstream, without a trailing slash. */
  readonly url: string
  readonly api: ModelApi
}

export function doorProviders({ anthropic, openai, gemini, providers }: Config['model']): DoorProvider[] {
  return [
    { name: 'anthropic', url: withoutSlash(anthropic), api: 'anthropic' },
    { name: 'openai', url: withoutSlash(openai), api: 'openai' },
    { name: 'gemini', url: withoutSlash(gemini), api: 'gemini' },
    ...Object.entries(providers).map(([name, { url, api }]) => ({ name, url: withoutSlash(url), api })),
  ]
}

/** The provider for requests to this address: the one with the longest matching base URL. */
export function providerAt(
  address: string,
  api: ModelApi,
  providers: readonly DoorProvider[],
): DoorProvider | undefined {
  return providers
    .filter((one) => one.api === api && `${withoutSlash(address)}/`.startsWith(`${one.url}/`))
    .toSorted((one, other) => other.url.length - one.url.length)[0]
}

function withoutSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url
}
