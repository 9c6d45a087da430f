import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

import { configJsonSchema, configSchema, projectKeys, readSetting, settings } from './config-schema.ts'

const defaultConfig = configSchema.parse({})

it('matches schema/config.schema.json', () => {
  const file = new URL('../../../schema/config.schema.json', import.meta.url)
  expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify(configJsonSchema(), null, 2)}\n`)
})

it('has a default and a description for every key', () => {
  for (const setting of settings().values()) {
    expect(setting.description).toMatch(/^[A-Z].*\.$/)
    expect(setting.default).toEqual(readSetting(defaultConfig, setting.key))
  }
})

it('listens on loopback and stores no raw output by default', () => {
  expect(defaultConfig.http.host).toBe('127.0.0.1')
  expect(defaultConfig.audit.vault).toBe(false)
})

it('lets a project set only existing keys, none of which affect doors, limits or audit', () => {
  for (const key of projectKeys) {
    expect(settings().has(key)).toBe(true)
    expect(key).toMatch(/^(budget|log)\./)
  }
})
