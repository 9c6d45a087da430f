/**
 * Providers with their own base URL in the user's or project's OpenCode configuration: they are routed through the
 * model door.
 */

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { ModelApi } from '../../core/model.ts'
import { configSchema, providerUrlRule } from '../../platform/config/config-schema.ts'
import { providerAt, type DoorProvider } from '../model-door/providers.ts'

export interface FoundProviders {
  /** Providers missing from contextd's configuration. */
  readonly missing: readonly DoorProvider[]
  /** Providers that cannot use the door, with the reason: hooks scrub for them. */
  readonly left: readonly { readonly id: string; readonly why: string }[]
}

/** The wire format of each provider package. */
const formats: ReadonlyMap<string, ModelApi> = new Map([
  ['@ai-sdk/anthropic', 'anthropic'],
  ['@ai-sdk/openai', 'openai'],
  ['@ai-sdk/openai-compatible', 'openai'],
  ['@ai-sdk/google', 'gemini'],
])
/** OpenCode's defaults if the configuration names no package; all others use the OpenAI-compatible one. */
const builtIn: ReadonlyMap<string, ModelApi> = new Map([
  ['anthropic', 'anthropic'],
  ['google', 'gemini'],
])

/** `configs`: the configuration files in ascending precedence. */
export function findProviders(
  configs: readonly JsonObject[],
  known: readonly DoorProvider[],
): FoundProviders {
  const missing: DoorProvider[] = []
  const left: { id: string; why: string }[] = []
  for (const [id, provider] of merged(configs)) {
    const { npm, api: ownAddress, baseURL } = provider
    const address = [baseURL, ownAddress].find((one) => typeof one === 'string' && one !== '')
    if (typeof address !== 'string') continue
    const api =
      typeof npm === 'string'
        ? formats.get(npm)
        : npm === undefined
          ? (builtIn.get(id) ?? 'openai')
          : undefined
    const all = [...known, ...missing]
    if (api === undefined) {
      left.push({ id, why: 'the model door does not support its API' })
    } else if (providerAt(address, api, all) === undefined) {
      const added = { name: freeName(id, all), url: withoutVersion(address), api }
      if (isAccepted(added)) missing.push(added)
      else left.push({ id, why: `the model door needs ${providerUrlRule}` })
    }
  }
  return { missing, left }
}

function merged(configs: readonly JsonObject[]): ReadonlyMap<string, JsonObject> {
  const providers = new Map<string, JsonObject>()
  for (const { provider } of configs) {
    for (const [id, one] of isJsonObject(provider) ? Object.entries<Json>(provider) : []) {
      if (!isJsonObject(one)) continue
      const { npm, api, options } = one
      const baseURL = isJsonObject(options) ? options.baseURL : undefined
      const overrides = Object.entries({ npm, api, baseURL }).filter(([, value]) => value !== undefined)
      providers.set(id, { ...providers.get(id), ...(Object.fromEntries(overrides) as JsonObject) })
    }
  }
  return providers
}

/** The door's paths start with the API version, like those of the providers it knows. */
function withoutVersion(address: string): string {
  return address.replace(/\/$/, '').replace(/\/v1(?:beta)?$/, '')
}

function freeName(id: string, taken: readonly DoorProvider[]): string {
  const plain = id.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-')
  const names = [plain, `opencode-${plain}`].map((name) => name.slice(0, 32))
  const isFree = (name: string): boolean => !taken.some((one) => one.name === name)
  const numbered = taken.map((_, index) => `opencode-${index + 1}`)
  return [...names, ...numbered, `opencode-${taken.length + 1}`].find(isFree) ?? plain
}

function isAccepted({ name, url, api }: DoorProvider): boolean {
  return configSchema.safeParse({ model: { providers: { [name]: { url, api } } } }).success
}
