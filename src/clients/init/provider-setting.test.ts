import { expect, it } from 'vitest'

import type { DoorProvider } from '../model-door/providers.ts'
import { hasOwnAddress, revertConfig, withProvider, withProviders } from './provider-setting.ts'

const providers: DoorProvider[] = [
  { name: 'corp', url: 'https://llm.corp', api: 'anthropic' },
  { name: 'local', url: 'http://localhost:1', api: 'openai' },
]
const tables = `[model.providers.corp]
url = "https://llm.corp"
api = "anthropic"

[model.providers.local]
url = "http://localhost:1"
api = "openai"
`
const add = (text: string): string => withProviders(text, providers, 'config.toml')

it.each([
  ['', tables],
  ['[client]\nmode = "strict"\n', `[client]\nmode = "strict"\n\n${tables}`],
  ['[client]\nmode = "strict"', `[client]\nmode = "strict"\n\n${tables}`],
])('appends providers to %j, and removes them again', (before, after) => {
  expect(add(before)).toBe(after)
  expect(revertConfig(after, before, after).trim()).toBe(before.trim())
})

it('restores the base URL of Claude Code too', () => {
  const before = '[model]\nopenai = "https://o.corp"\n'
  const after = add(withProvider(before, 'https://a.corp', 'config.toml'))
  expect(revertConfig(after, before, after)).toBe(before)
})

it('keeps later additions and changes by others', () => {
  const before = '# mine\n'
  const now = `${add(before).replace('localhost:1', 'localhost:2')}\n[client]\nmode = "strict"\n`
  expect(revertConfig(now, before, add(before))).toBe(
    '# mine\n\n[model.providers.local]\nurl = "http://localhost:2"\napi = "openai"\n\n[client]\nmode = "strict"\n',
  )
})

it('keeps a table that was there before', () => {
  const before = tables.slice(0, tables.indexOf('[model.providers.local]'))
  expect(revertConfig(tables, before, tables).trim()).toBe(before.trim())
})

it('refuses a file that allows no further table', () => {
  const inline = '[model]\nproviders = { other = { url = "https://x.corp", api = "openai" } }\n'
  expect(() => add(inline)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
})

it('detects whether the base URL of Claude Code is among the changes', () => {
  const remembered = { path: 'config.toml', kind: 'toml', before: null } as const
  expect(hasOwnAddress({ ...remembered, after: tables })).toBe(false)
  expect(hasOwnAddress({ ...remembered, after: withProvider('', 'https://a.corp', 'config.toml') })).toBe(
    true,
  )
})
