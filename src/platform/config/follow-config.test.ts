import { rmSync } from 'node:fs'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { makeTempHome } from '../../../test/support/temp-home.ts'
import { configSchema } from './config-schema.ts'
import { followConfig } from './follow-config.ts'

test('follows the file, and keeps the last valid configuration while the file is invalid', () => {
  const home = makeTempHome()
  onTestFinished(home.remove)
  const file = join(home.path, 'config/config.toml')
  const write = (text: string): string => home.write('config/config.toml', text)
  const config = followConfig(file, configSchema.parse({ model: { openai: 'https://started.example' } }))
  write('[model]\nopenai = 1\n')
  expect(config().model.openai).toBe('https://started.example')
  write('[model]\nopenai = "https://one.example"\n')
  expect(config().model.openai).toBe('https://one.example')
  // Same length, and possibly within the same clock tick.
  write('[model]\nopenai = "https://two.example"\n')
  expect(config().model.openai).toBe('https://two.example')
  write('[model]\nopenai = "ftp://two.example"\n')
  expect(config().model.openai).toBe('https://two.example')
  rmSync(file)
  expect(config().model.openai).toBe('https://api.openai.com')
})
