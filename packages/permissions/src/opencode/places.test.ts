import { expect, it } from 'vitest'

import { openCodePlaces } from './places.ts'

it('returns the default places of the client', () => {
  expect(
    openCodePlaces({ env: { HOME: '/home/me', TMPDIR: '/tmp' }, cwd: '/work', platform: 'linux' }),
  ).toEqual({
    project: '/work',
    home: '/home/me',
    config: '/home/me/.config/opencode',
    own: ['/home/me/.local/share/opencode/tool-output', '/tmp/opencode'],
    managed: '/etc/opencode',
  })
})

it('respects environment variables', () => {
  const env = {
    HOME: '/home/me',
    XDG_CONFIG_HOME: '/elsewhere',
    XDG_DATA_HOME: '/data',
    TMPDIR: '/temporary',
    OPENCODE_CONFIG: 'more.json',
    OPENCODE_CONFIG_DIR: '/extra',
    OPENCODE_CONFIG_CONTENT: '{}',
    OPENCODE_PERMISSION: '{"bash": "deny"}',
    OPENCODE_DISABLE_PROJECT_CONFIG: 'TRUE',
  }
  expect(openCodePlaces({ env, cwd: '/work', platform: 'darwin' })).toEqual({
    project: '/work',
    home: '/home/me',
    config: '/elsewhere/opencode',
    own: ['/data/opencode/tool-output', '/temporary/opencode'],
    managed: '/Library/Application Support/opencode',
    extraFile: '/work/more.json',
    extraFolder: '/extra',
    content: '{}',
    permission: '{"bash": "deny"}',
    isWithoutProject: true,
  })
})
