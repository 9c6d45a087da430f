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
  const builtIn = Object.entries({ anthropic, openai, gemini } as const).map(([name, url]) => ({
    name,
    url,
    api: name as ModelApi,
  }))
  const others = Object.entries(providers).map(([name, one]) => ({ name, ...one }))
  return [...builtIn, ...others].map((one) => ({ ...one, url: withoutSlash(one.url) }))
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
