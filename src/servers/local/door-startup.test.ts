import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { makeTempHome } from '../../../test/support/temp-home.ts'
import { doorUrl } from '../../clients/model-door/door-url.ts'
import { composeRuntime } from '../../compose.ts'
import { LOCAL_TENANT } from '../../core/call.ts'
import { createModelKeys } from '../../platform/secrets/model-keys.ts'
import { openDoorFor } from './door-startup.ts'

/** A client whose user settings have the base URL; automatic start is disabled. */
async function client() {
  const home = makeTempHome()
  onTestFinished(home.remove)
  home.write('config/config.toml', '[control]\nautostart = false\n')
  const said: string[] = []
  const env = { ...home.env, HOME: join(home.path, 'person'), CLAUDECODE: '1' }
  const runtime = await composeRuntime({
    env,
    cwd: home.project,
    brief: true,
    log: (_, text) => said.push(text),
  })
  onTestFinished(() => runtime.close())
  const { secret } = createModelKeys(runtime.store, LOCAL_TENANT, Date.now, randomBytes).create('claude-code')
  const url = doorUrl({ port: 7391, key: secret, provider: 'anthropic' })
  const setUp = (): string =>
    home.write('person/.claude/settings.json', JSON.stringify({ env: { ANTHROPIC_BASE_URL: url } }))
  const open = (base: string): Promise<void> => openDoorFor(runtime, { ...env, ANTHROPIC_BASE_URL: base })
  return { runtime, said, url, setUp, open, pidFile: runtime.paths.pidFile }
}

test('does not start the daemon if the user disabled that, and says so', async () => {
  const { url, setUp, open, said, pidFile } = await client()
  setUp()
  await open(url)
  expect(said).toContain('the model door is closed')
  expect(existsSync(pidFile)).toBe(false)
})

test('records a client that was set up for the door but bypasses it, and no other', async () => {
  const { setUp, open, said } = await client()
  await open('https://other.example')
  expect(said).toEqual([])
  setUp()
  await open('https://other.example')
  expect(said).toEqual(['the client bypasses the model door'])
})
