import { expect, it } from 'vitest'

import { hideSecrets } from './literal-secrets.ts'

const looksSecret = (key: string, value: string): boolean =>
  /token|auth|url/i.test(key) && value.includes('hush')

it('finds credentials in all fields and masks them', () => {
  const { shown, secrets } = hideSecrets(
    'git',
    {
      command: 'hush',
      args: ['--token', 'hush', '--auth=hush', 'hush', '--token', '${secret:x}-hush'],
      env: { MY_TOKEN: 'hush', OTHER: 'hush', REF_TOKEN: '${hush}' },
      headers: { Authorization: 'Bearer hush' },
      oauth: { client_id: 'hush', auth_secret: 'hush' },
      url: 'https://hush.example',
    },
    looksSecret,
  )
  expect(secrets).toEqual([
    { server: 'git', where: 'args[1]', secret: 'git-token' },
    { server: 'git', where: 'args[2]', secret: 'git-auth' },
    { server: 'git', where: 'env.MY_TOKEN', secret: 'git-MY_TOKEN' },
    { server: 'git', where: 'headers.Authorization', secret: 'git-Authorization' },
    { server: 'git', where: 'oauth.auth_secret', secret: 'git-auth_secret' },
    { server: 'git', where: 'url', secret: 'git-url' },
  ])
  expect(shown).toEqual({
    command: 'hush',
    args: ['--token', '(not shown)', '(not shown)', 'hush', '--token', '${secret:x}-hush'],
    env: { MY_TOKEN: '(not shown)', OTHER: 'hush', REF_TOKEN: '${hush}' },
    headers: { Authorization: '(not shown)' },
    oauth: { client_id: 'hush', auth_secret: '(not shown)' },
    url: '(not shown)',
  })
})
