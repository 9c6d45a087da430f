import { expect, it } from 'vitest'

import { openCodePlaces } from './places.ts'

it('is where the client looks', () => {
  expect(openCodePlaces({ env: { HOME: '/home/me' }, cwd: '/work', platform: 'linux' })).toEqual({
    project: '/work',
    home: '/home/me',
    config: '/home/me/.config/opencode',
    managed: '/etc/opencode',
  })
})

it('follows the environment', () => {
  const env = {
    HOME: '/home/me',
    XDG_CONFIG_HOME: '/elsewhere',
    OPENCODE_CONFIG: 'more.json',
    OPENCODE_CONFIG_DIR: '/extra',
  }
  expect(openCodePlaces({ env, cwd: '/work', platform: 'darwin' })).toEqual({
    project: '/work',
    home: '/home/me',
    config: '/elsewhere/opencode',
    managed: '/Library/Application Support/opencode',
    extraFile: '/work/more.json',
    extraFolder: '/extra',
  })
})
