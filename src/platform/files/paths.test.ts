import { expect, test } from 'vitest'

import { resolvePaths } from './paths.ts'

test('uses one folder for everything, the XDG folders, or the home folder', () => {
  expect(resolvePaths({ CONTEXTD_HOME: '/c', XDG_STATE_HOME: '/x' }, '/home/me')).toMatchObject({
    config: '/c/config',
    state: '/c/state',
    run: '/c/run',
    cache: '/c/cache',
    database: '/c/state/contextd.db',
    hookSocket: '/c/run/hook.sock',
  })
  const xdg = { XDG_STATE_HOME: '/s', XDG_CONFIG_HOME: '/k', XDG_RUNTIME_DIR: '/r', XDG_CACHE_HOME: '/x' }
  expect(resolvePaths(xdg, '/home/me')).toMatchObject({
    config: '/k/contextd',
    state: '/s/contextd',
    run: '/r/contextd',
    cache: '/x/contextd',
  })
  expect(resolvePaths({}, '/home/me')).toMatchObject({
    config: '/home/me/.config/contextd',
    state: '/home/me/.local/state/contextd',
    run: '/home/me/.local/state/contextd/run',
    cache: '/home/me/.cache/contextd',
  })
})
