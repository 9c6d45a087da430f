import { join } from 'node:path'

import { expect, it } from 'vitest'

import { discoverRules } from './discover-rules.ts'

const paths = { config: '/home/me/.config/contextd', rulesFile: '/home/me/.config/contextd/rules.json' }
const project = [join('/work', '.contextd', 'rules.json'), join('/work', '.mcp-gateway-rules.json')]

it("searches the user's folder and the project, under both names", () => {
  expect(discoverRules({ GATEWAY_RULES: '' }, paths, '/work')).toEqual({
    user: [paths.rulesFile, join(paths.config, '.mcp-gateway-rules.json')],
    userIsNamed: false,
    project,
  })
})

it("uses the file named by GATEWAY_RULES as the user's, and no other", () => {
  const named = (path: string): readonly string[] =>
    discoverRules({ GATEWAY_RULES: path }, paths, '/work').user
  expect(discoverRules({ GATEWAY_RULES: '/etc/gateway.json' }, paths, '/work')).toEqual({
    user: ['/etc/gateway.json'],
    userIsNamed: true,
    project,
  })
  // Never a file of that name in a repository.
  expect(named('.mcp-gateway-rules.json')).toEqual([`${paths.config}/.mcp-gateway-rules.json`])
})
