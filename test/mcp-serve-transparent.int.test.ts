import { fileURLToPath } from 'node:url'

import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { fixture, openRules } from './support/gateway-runtime.ts'
import { endProgram } from './support/stdio-program.ts'
import { makeTempHome, type TempHome } from './support/temp-home.ts'

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

/** The tools of the built program, as a client that starts it sees them. */
async function listed(...flags: string[]): Promise<string[]> {
  const program = fileURLToPath(new URL('../bin/contextd.js', import.meta.url))
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', 'serve', '--agent', 'main', ...flags],
    env: { PATH: process.env.PATH ?? '', ...home.env },
    cwd: home.project,
  })
  await client.connect(transport)
  const { tools } = await client.listTools()
  await endProgram(transport)
  return tools.map(({ name }) => name)
}

test('--transparent lists the tools of other servers next to our own', async () => {
  home.write('config/servers.json', { mcpServers: { notes: fixture('notebook') } })
  home.write('config/rules.json', openRules)
  const plain = await listed()
  expect(plain).toContain('execute_tool')
  expect(plain.filter((name) => name.startsWith('notes__'))).toEqual([])
  // A slow server is missing in the first lists.
  await expect.poll(() => listed('--transparent')).toEqual(expect.arrayContaining([...plain, 'notes__read']))
})
