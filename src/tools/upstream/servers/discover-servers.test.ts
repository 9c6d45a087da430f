import { join } from 'node:path'

import { expect, it } from 'vitest'

import { discoverServers, serversFiles } from './discover-servers.ts'

const paths = { config: '/home/me/.config/contextd', serversFile: '/home/me/.config/contextd/servers.json' }
const project = [join('/work', '.contextd', 'servers.json'), join('/work', '.mcp.json')]

it('searches the user’s folder, then the project, under both names', () => {
  const locations = discoverServers({ GATEWAY_MCP_CONFIG: '' }, paths, '/work')
  const user = [paths.serversFile, join(paths.config, '.mcp.json')]
  expect(locations).toEqual({ user, userIsNamed: false, project })
  expect(serversFiles(locations).map(({ path }) => path)).toEqual([...user, ...project])
  expect(serversFiles(locations).map(({ role }) => role)).toEqual(['user', 'user', 'project', 'project'])
})

it('uses only the file in GATEWAY_MCP_CONFIG as the user’s', () => {
  const named = (path: string) => discoverServers({ GATEWAY_MCP_CONFIG: path }, paths, '/work')
  expect(named('/etc/servers.json')).toEqual({ user: ['/etc/servers.json'], userIsNamed: true, project })
  // Never a file of that name in the repository.
  expect(named('.mcp.json').user).toEqual([`${paths.config}/.mcp.json`])
})
