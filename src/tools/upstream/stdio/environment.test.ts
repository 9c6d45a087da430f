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

test('a server gets only inherited and declared variables', () => {
  expect(environmentFor(ours, { TOKEN: 'declared' })).toEqual({
    PATH: '/opt/bin:/usr/bin',
    HOME: '/home/someone',
    LC_TIME: 'de_DE.UTF-8',
    XDG_CACHE_HOME: '/home/someone/.cache',
    TOKEN: 'declared',
  })
})

test('declared variables take precedence, also over those never inherited', () => {
  expect(environmentFor(ours, { PATH: '/only', ANTHROPIC_API_KEY: 'its own' })).toMatchObject({
    PATH: '/only',
    ANTHROPIC_API_KEY: 'its own',
  })
})

test('there is always a PATH', () => {
  expect(environmentFor({}, {})).toEqual({ PATH: '/usr/local/bin:/usr/bin:/bin' })
})
