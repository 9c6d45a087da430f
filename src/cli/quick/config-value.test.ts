import * as fc from 'fast-check'
import { stringify } from 'smol-toml'
import { describe, expect, it } from 'vitest'

import { makeTempHome } from '../../../test/support/temp-home.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { configJsonSchema, readSetting, settings } from '../../platform/config/config-schema.ts'
import { loadConfig } from '../../platform/config/load-config.ts'
import { quickValue } from './config-value.ts'

const schema = configJsonSchema() as JsonObject
const keys = [...settings().values()].filter(({ type }) => type !== 'object').map(({ key }) => key)

it('returns the default of every key, like the full program', () => {
  const { config } = loadConfig({ userFile: '/nowhere/config.toml', isTrusted: () => false })
  for (const key of keys) {
    const value = readSetting(config, key)
    expect(quickValue(schema, undefined, key)).toEqual({ key, value, source: 'default' })
    expect(quickValue(schema, '', key)).toEqual({ key, value, source: 'default' })
  }
})

it('leaves tables to the full program', () => {
  expect(quickValue(schema, undefined, 'model.providers')).toBeUndefined()
})

describe('a file', () => {
  const right = '[http]\nport = 8080\nallowed_hosts = ["a", "b"]\n[client]\nmode = "strict"\n'

  it.each([
    ['http.port', 8080, 'user'],
    ['http.allowed_hosts', ['a', 'b'], 'user'],
    ['client.mode', 'strict', 'user'],
    ['http.host', '127.0.0.1', 'default'],
  ])('%s is %j (%s)', (key, value, source) => {
    expect(quickValue(schema, right, key)).toEqual({ key, value, source })
    expect(quickValue(schema, `\uFEFF${right}`, key)).toEqual({ key, value, source })
  })

  it.each([
    ['http.prot', right],
    ['http', right],
    ['http.port.x', right],
    ['constructor.name', right],
    ['http.port', '[http]\nport = 70000\n'],
    ['http.port', '[http]\nport = 1.5\n'],
    ['http.port', '[http]\nport = "8080"\n'],
    ['http.port', '[http]\nhost = ""\n'],
    ['http.port', '[http]\nprot = 1\n'],
    ['http.port', '[client]\nmode = "strickt"\n'],
    ['http.port', 'http = 3\n'],
    ['http.port', 'http = 2026-11-15\n'],
    ['http.port', '[sandbox]\nenv = ["1A"]\n'],
    ['http.port', '[other]\nx = 1\n'],
    ['http.port', '[http\n'],
  ])('%s of %j is left to the full program', (key, text) => {
    expect(quickValue(schema, text, key)).toBeUndefined()
  })

  it('is not validated by a schema with unsupported keywords', () => {
    const more = {
      type: 'object',
      properties: { a: { type: 'object', properties: { b: { type: 'string', default: 'x' } } } },
    }
    expect(quickValue(more, undefined, 'a.b')).toMatchObject({ value: 'x' })
    expect(quickValue({ ...more, not: {} }, undefined, 'a.b')).toBeUndefined()
  })
})

it('agrees with the full program for any file', () => {
  const home = makeTempHome()
  const values = fc.oneof(
    fc.integer({ min: -2, max: 70_000 }),
    fc.constantFrom<unknown>('', 'strict', 'info', 'full', true, false, 0.5, ['x'], [''], [1], 'A=1', [
      'A=1\nB',
    ]),
  )
  const files = fc.uniqueArray(fc.tuple(fc.constantFrom(...keys), values), {
    maxLength: 3,
    selector: ([key]) => key,
  })
  let answered = 0
  fc.assert(
    fc.property(files, fc.constantFrom(...keys), (entries, key) => {
      const tables: Record<string, Record<string, unknown>> = {}
      for (const [one, value] of entries) {
        const [section = '', name = ''] = one.split('.')
        tables[section] = { ...tables[section], [name]: value }
      }
      const text = stringify(tables)
      const quick = quickValue(schema, text, key)
      if (quick === undefined) return
      answered += 1
      const { config, sources } = loadConfig({
        userFile: home.write('config.toml', text),
        isTrusted: () => false,
      })
      expect(quick).toEqual({ key, value: readSetting(config, key), source: sources.get(key) ?? 'default' })
    }),
    { numRuns: 500 },
  )
  expect(answered).toBeGreaterThan(100)
  home.remove()
})
