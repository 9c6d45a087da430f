import { expect, it } from 'vitest'

import { takeBack } from './client-file.ts'
import { tomlTablesFile, withoutTables } from './toml-tables.ts'

const tables = new Map([
  ['model.providers.corp', { url: 'https://llm.corp', api: 'openai' }],
  ['model.providers.local', { url: 'http://localhost:1', api: 'openai' }],
])
const file = tomlTablesFile('config.toml', tables)
const added = `[model.providers.corp]
url = "https://llm.corp"
api = "openai"

[model.providers.local]
url = "http://localhost:1"
api = "openai"
`

it.each<[string | undefined, string]>([
  [undefined, added],
  ['', added],
  ['[client]\nmode = "strict"\n', `[client]\nmode = "strict"\n\n${added}`],
  ['[client]\nmode = "strict"', `[client]\nmode = "strict"\n\n${added}`],
])('adds them at the end of %j, and takes them out again', (before, after) => {
  expect(file.extend(before)).toBe(after)
  expect(withoutTables(after, after.slice(before?.length ?? 0)).trim()).toBe((before ?? '').trim())
})

it('refuses a file that says the same in another form', () => {
  const inline = '[model]\nproviders = { other = { url = "https://x.corp", api = "openai" } }\n'
  expect(() => file.extend(inline)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
})

it('leaves what others wrote meanwhile, and tables that were changed', () => {
  const now = `${file.extend('# mine\n').replace('localhost:1', 'localhost:2')}\n[client]\nmode = "strict"\n`
  const left = takeBack({ path: 'config.toml', kind: 'toml', before: '# mine\n', after: added }, now)
  expect(left).toBe(
    '# mine\n\n[model.providers.local]\nurl = "http://localhost:2"\napi = "openai"\n\n[client]\nmode = "strict"\n',
  )
})

it('leaves no file where there was none', () => {
  expect(takeBack({ path: 'config.toml', kind: 'toml', before: null, after: added }, added)).toBeUndefined()
})
