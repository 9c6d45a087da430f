import { expect, test } from 'vitest'

import { environmentFor } from './environment.ts'

const ours = {
  PATH: '/opt/bin:/usr/bin',
  HOME: '/home/someone',
  LC_TIME: 'de_DE.UTF-8',
  XDG_CACHE_HOME: '/home/someone/.cache',
  ANTHROPIC_API_KEY: 'a key',
  AWS_SECRET_ACCESS_KEY: 'a key',
  XDG_SESSION_COOKIE: 'a key',
  LC_API_TOKEN: 'a key',
  SSH_AUTH_SOCK: '/run/agent',
  NODE_OPTIONS: '--require evil',
  CONTEXTD_HOME: '/private',
  SHELL: '() { :; }; evil',
}

test('a server gets the named variables and what is declared, and nothing else of ours', () => {
  expect(environmentFor(ours, { TOKEN: 'declared' })).toEqual({
    PATH: '/opt/bin:/usr/bin',
    HOME: '/home/someone',
    LC_TIME: 'de_DE.UTF-8',
    XDG_CACHE_HOME: '/home/someone/.cache',
    TOKEN: 'declared',
  })
})

test('what is declared wins, also over what is never passed on', () => {
  expect(environmentFor(ours, { PATH: '/only', ANTHROPIC_API_KEY: 'its own' })).toMatchObject({
    PATH: '/only',
    ANTHROPIC_API_KEY: 'its own',
  })
})

test('there is always a PATH', () => {
  expect(environmentFor({}, {})).toEqual({ PATH: '/usr/local/bin:/usr/bin:/bin' })
})
