import { expect, it } from 'vitest'

import { claudePlaces } from './places.ts'

const here = { cwd: '/work/app', home: '/home/ada' }

it.each([
  ['linux', '/etc/claude-code'],
  ['darwin', '/Library/Application Support/ClaudeCode'],
  ['freebsd', '/etc/claude-code'],
] as const)('knows where everything is on %s', (platform, managed) => {
  expect(claudePlaces({ ...here, env: {}, platform })).toEqual({
    project: '/work/app',
    home: '/home/ada',
    config: '/home/ada/.claude',
    state: '/home/ada/.claude.json',
    managed,
  })
})

it('supports Windows', () => {
  const places = claudePlaces({ cwd: 'C:\\app', home: 'C:\\Users\\ada', env: {}, platform: 'win32' })
  expect(places).toMatchObject({
    config: 'C:\\Users\\ada\\.claude',
    state: 'C:\\Users\\ada\\.claude.json',
    managed: 'C:\\Program Files\\ClaudeCode',
  })
})

it('follows CLAUDE_CONFIG_DIR', () => {
  const env = { CLAUDE_CONFIG_DIR: '/elsewhere' }
  expect(claudePlaces({ ...here, env, platform: 'linux' })).toMatchObject({
    config: '/elsewhere',
    state: '/elsewhere/.claude.json',
  })
})
