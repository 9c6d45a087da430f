import { expect, it } from 'vitest'

import { configSchema } from '../../platform/config/config-schema.ts'
import { doorProviders } from '../model-door/providers.ts'
import { findProviders } from './init-providers.ts'

const known = doorProviders(configSchema.parse({}).model)
const provider = (one: object): object => ({ provider: { corp: one } })
const found = (...configs: object[]): ReturnType<typeof findProviders> =>
  findProviders(configs as Parameters<typeof findProviders>[0], known)

it.each<[string, object, object]>([
  [
    'Anthropic',
    { npm: '@ai-sdk/anthropic', options: { baseURL: 'https://llm.corp/anthropic/v1' } },
    { url: 'https://llm.corp/anthropic', api: 'anthropic' },
  ],
  [
    'OpenAI',
    { npm: '@ai-sdk/openai', options: { baseURL: 'https://llm.corp/v1/' } },
    { url: 'https://llm.corp', api: 'openai' },
  ],
  [
    'a compatible server on this machine, without a version in its address',
    { npm: '@ai-sdk/openai-compatible', options: { baseURL: 'http://localhost:11434' } },
    { url: 'http://localhost:11434', api: 'openai' },
  ],
  [
    'Gemini',
    { npm: '@ai-sdk/google', options: { baseURL: 'https://llm.corp/v1beta' } },
    { url: 'https://llm.corp', api: 'gemini' },
  ],
  ['no package', { api: 'https://llm.corp/v1' }, { url: 'https://llm.corp', api: 'openai' }],
])('adds a provider with its own base URL: %s', (_, config, added) => {
  expect(found(provider(config))).toEqual({ missing: [{ name: 'corp', ...added }], left: [] })
})

it.each<[string, object]>([
  ['no address', { npm: '@ai-sdk/anthropic', options: { apiKey: 'x' } }],
  [
    'the address of the provider itself',
    { npm: '@ai-sdk/openai', options: { baseURL: 'https://api.openai.com/v1' } },
  ],
  ['no object', []],
])('adds nothing for %s', (_, config) => {
  expect(found(provider(config))).toEqual({ missing: [], left: [] })
})

it.each<[string, object]>([
  ['an API the door does not speak', { npm: '@ai-sdk/mistral', options: { baseURL: 'https://llm.corp/v1' } }],
  ['plain HTTP to another machine', { options: { baseURL: 'http://llm.corp/v1' } }],
  ['an address that only OpenCode knows', { options: { baseURL: '{env:LLM_URL}' } }],
])('leaves %s unchanged, and says so', (_, config) => {
  const { missing, left } = found(provider(config))
  expect(missing).toEqual([])
  expect(left).toMatchObject([{ id: 'corp', why: expect.stringContaining('model door') as string }])
})

it('merges several files, the last one taking precedence', () => {
  const { missing } = found(
    provider({ npm: '@ai-sdk/anthropic', options: { baseURL: 'https://old.corp/v1' } }),
    provider({ options: { baseURL: 'https://new.corp/v1' } }),
  )
  expect(missing).toEqual([{ name: 'corp', url: 'https://new.corp', api: 'anthropic' }])
})

it('uses no name twice', () => {
  const at = (host: string): object => ({ npm: '@ai-sdk/openai', options: { baseURL: `https://${host}/v1` } })
  const { missing } = found({
    provider: { openai: at('a'), 'My LLM': at('b'), 'my.llm': at('c'), 'my:llm': at('d') },
  })
  expect(missing.map(({ name }) => name)).toEqual([
    'opencode-openai',
    'my-llm',
    'opencode-my-llm',
    'opencode-1',
  ])
})
