import { readFileSync } from 'node:fs'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { apiRuntime, declaring, person, type ApiRuntime } from '../../../../test/support/api-runtime.ts'
import { until } from '@contextd/shared/testing/until'
import type { JsonObject } from '@contextd/shared/json/value'
import { perform } from '../perform.ts'

let api: ApiRuntime
beforeEach(async () => {
  api = await apiRuntime()
})
afterEach(() => api.close())

test('writes a value to the file, and preserves the rest', async () => {
  const file = api.home.write('config/config.toml', '# mine\n[http]\nport = 8000 # here\n')
  expect(await api.call('Config/Get', { key: 'http.port' })).toEqual({
    key: 'http.port',
    value: 8000,
    source: 'user',
  })
  expect(await api.call('Config/Set', { key: 'http.port', value: 8080 })).toEqual({
    key: 'http.port',
    value: 8080,
    file,
  })
  expect(readFileSync(file, 'utf8')).toBe('# mine\n[http]\nport = 8080 # here\n')
  expect(await api.call('Config/Get', { key: 'http.port' })).toMatchObject({ value: 8080 })
})

test.each([
  [{ key: 'http.port', value: 'many' }, 'USAGE'],
  [{ key: 'http.port', value: 70_000 }, 'USAGE'],
  [{ key: 'http.prot', value: 1 }, 'USAGE'],
  [{ key: 'http', value: 1 }, 'USAGE'],
  [{ key: 'http.port' }, 'INVALID_ARGUMENTS'],
  [{ key: 'http.port', value: { a: 1 } }, 'INVALID_ARGUMENTS'],
])('%j is refused, and the file is unchanged', async (request, code) => {
  const file = api.home.write('config/config.toml', '[http]\nport = 8000\n')
  await expect(api.call('Config/Set', request as JsonObject)).rejects.toMatchObject({ code })
  expect(readFileSync(file, 'utf8')).toBe('[http]\nport = 8000\n')
})

test('an agent cannot change anything', async () => {
  const file = api.home.write('config/config.toml', '[http]\nport = 8000\n')
  const request = { key: 'http.port', value: 8080 }
  await expect(api.call('Config/Set', request, declaring('main'))).rejects.toMatchObject({
    code: 'DENIED_BY_POLICY',
  })
  expect(readFileSync(file, 'utf8')).toBe('[http]\nport = 8000\n')
  await api.call('Config/Set', request)
  expect(readFileSync(file, 'utf8')).toBe('[http]\nport = 8080\n')
})

test('an agent allowed to change settings cannot change those that restrict it', async () => {
  await api.close()
  const rules = { agents: { keeper: { allow: { servers: ['control'] } } } }
  api = await apiRuntime({ rules })
  const file = api.home.write('config/config.toml', '')
  const set = (key: string, value: string) => api.call('Config/Set', { key, value }, declaring('keeper'))
  await expect(set('sandbox.mode', 'off')).rejects.toMatchObject({ code: 'OPERATOR_REQUIRED' })
  expect(readFileSync(file, 'utf8')).toBe('')
  await set('log.level', 'warn')
  expect(readFileSync(file, 'utf8')).toContain('level = "warn"')
})

test('a watch reports effective changes, and keeps the last valid version', async () => {
  api.home.write('config/config.toml', '[http]\nport = 8000\n')
  const events: JsonObject[] = []
  const stop = new AbortController()
  const ended = perform(api.runtime, 'Config/Watch', {}, person, {
    signal: stop.signal,
    onEvent: (event) => events.push(event),
  })
  const changesAfter = async (content: string): Promise<JsonObject | undefined> => {
    const before = events.length
    api.home.write('config/config.toml', content)
    await until(() => events.length > before)
    return events.at(-1)
  }
  // The initial state is read before anything changes.
  await api.call('Config/Get', { key: 'http.port' })
  expect(await changesAfter('[http]\nport = 8001\n')).toEqual({
    changes: [{ key: 'http.port', value: 8001, before: 8000, source: 'user' }],
  })
  expect(await changesAfter('[http]\nport = "none"\n')).toMatchObject({
    changes: [],
    problem: expect.stringContaining('http.port must be'),
  })
  // The value and a comment changed: the change is relative to the last valid version.
  expect(await changesAfter('# new\n[http]\nport = 8002\n')).toEqual({
    changes: [{ key: 'http.port', value: 8002, before: 8001, source: 'user' }],
  })
  stop.abort()
  await expect(ended).rejects.toMatchObject({ code: 'CANCELLED' })
})
