/** The providers that the model door leads to. */

import type { ModelApi } from '../../core/model.ts'
import type { Config } from '../../platform/config/config-schema.ts'

export interface DoorProvider {
  /** As the path of the door has it. */
  readonly name: string
  /** Where the door sends requests for it, without a slash at the end. */
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

/** The provider that requests to this address belong to: the one with the most of the address. */
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
