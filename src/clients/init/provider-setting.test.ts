import { expect, it } from 'vitest'

import type { DoorProvider } from '../model-door/providers.ts'
import { hasOwnAddress, revertProvider, withProvider, withProviders } from './provider-setting.ts'

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
])('adds them at the end of %j, and takes them back', (before, after) => {
  expect(add(before)).toBe(after)
  expect(revertProvider(after, before, after).trim()).toBe(before.trim())
})

it('takes back the address of Claude Code as well', () => {
  const before = '[model]\nopenai = "https://o.corp"\n'
  const after = add(withProvider(before, 'https://a.corp', 'config.toml'))
  expect(revertProvider(after, before, after)).toBe(before)
})

it('leaves what others wrote meanwhile, and what they changed', () => {
  const before = '# mine\n'
  const now = `${add(before).replace('localhost:1', 'localhost:2')}\n[client]\nmode = "strict"\n`
  expect(revertProvider(now, before, add(before))).toBe(
    '# mine\n\n[model.providers.local]\nurl = "http://localhost:2"\napi = "openai"\n\n[client]\nmode = "strict"\n',
  )
})

it('leaves a table that was there before', () => {
  const before = tables.slice(0, tables.indexOf('[model.providers.local]'))
  expect(revertProvider(tables, before, tables).trim()).toBe(before.trim())
})

it('refuses a file that allows no further table', () => {
  const inline = '[model]\nproviders = { other = { url = "https://x.corp", api = "openai" } }\n'
  expect(() => add(inline)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
})

it('knows whether the address of Claude Code is among the changes', () => {
  const remembered = { path: 'config.toml', kind: 'toml', before: null } as const
  expect(hasOwnAddress({ ...remembered, after: tables })).toBe(false)
  expect(hasOwnAddress({ ...remembered, after: withProvider('', 'https://a.corp', 'config.toml') })).toBe(
    true,
  )
})
