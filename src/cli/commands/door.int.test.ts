import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import type { DoorAddress } from './door.ts'

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => {
  run('ctxd', 'server', 'stop')
  home.remove()
})

function run(
  program: 'contextd' | 'ctxd',
  ...argv: string[]
): { status: number | null; stdout: string; stderr: string } {
  const path = fileURLToPath(new URL(`../../../bin/${program}.js`, import.meta.url))
  return spawnSync(process.execPath, [path, ...argv], {
    cwd: home.project,
    env: { ...home.env, PATH: process.env.PATH },
    encoding: 'utf8',
  })
}

it("starts the daemon if needed, and prints the door's address and providers", () => {
  const corp = '[model.providers.corp]\nurl = "https://llm.corp/"\napi = "openai"\n'
  home.write('config/config.toml', `[http]\nport = 0\n\n${corp}`)
  const first = run('contextd', 'door', '--json')
  expect([first.status, first.stderr]).toEqual([0, ''])
  const door = JSON.parse(first.stdout) as DoorAddress
  expect(door.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
  expect(door.providers).toEqual([
    { name: 'anthropic', url: 'https://api.anthropic.com', api: 'anthropic' },
    { name: 'openai', url: 'https://api.openai.com', api: 'openai' },
    { name: 'gemini', url: 'https://generativelanguage.googleapis.com', api: 'gemini' },
    { name: 'corp', url: 'https://llm.corp', api: 'openai' },
  ])
  // The same daemon: another one would have another port.
  expect(JSON.parse(run('contextd', 'door', '--json').stdout)).toEqual(door)
  expect(run('contextd', 'door').stdout).toContain('corp  https://llm.corp (openai)')
})

it.each([
  ['[control]\nautostart = false\n', 'DAEMON_NOT_RUNNING'],
  ['[http]\ntls = true\n', 'CONFIG_INVALID'],
])('%j: explains why there is no door', (config, code) => {
  home.write('config/config.toml', config)
  const { status, stdout, stderr } = run('contextd', 'door', '--json')
  expect(stdout).toBe('')
  expect(status).not.toBe(0)
  expect(JSON.parse(stderr)).toMatchObject({ error: { code } })
})
