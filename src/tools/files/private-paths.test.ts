import { expect, test } from 'vitest'

import { parseCapability } from '../../core/capability.ts'
import { pathGrants } from './path-grants.ts'
import { privatePaths } from './private-paths.ts'

const home = '/home/me'
const left = (workspace: string, ...grants: string[]): string[] =>
  privatePaths(
    home,
    pathGrants(
      grants.map((text) => parseCapability(text)!),
      'read',
      { workspace, home },
    ),
  )

test('a workspace that is the home folder, or lies around it, does not show them', () => {
  expect(left(home, 'fs:read:**')).toContain('/home/me/.ssh')
  expect(left('/home', 'fs:read:**')).toContain('/home/me/.ssh')
  expect(left('/srv/shop', 'fs:read')).toContain('/home/me/.ssh')
})

test('a grant that names one shows just that', () => {
  const paths = left('/srv/shop', 'fs:read:~/.aws/**')
  expect(paths).not.toContain('/home/me/.aws')
  expect(paths).toContain('/home/me/.ssh')
})

test('who works in one of them has named it', () => {
  expect(left('/home/me/.docker', 'fs:read:**')).not.toContain('/home/me/.docker')
})
