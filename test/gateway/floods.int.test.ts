/** A server that floods its client with messages. */

import { afterEach, beforeEach, expect, test } from 'vitest'

import { fixture, openRules } from '../support/gateway-runtime.ts'
import { newProcessMark, type ProcessMark } from '../support/process-mark.ts'
import { makeTempHome, type TempHome } from '../support/temp-home.ts'
import { until } from '@contextd/shared/testing/until'
import { openDoor, type Door, type DoorName } from './doors.ts'

let home: TempHome
let mark: ProcessMark
let door: Door
beforeEach(() => {
  home = makeTempHome()
  mark = newProcessMark()
  home.write('config/config.toml', '[http]\nport = 0\n[log]\nlevel = "error"\n')
  home.write('config/rules.json', openRules)
})
afterEach(async () => {
  await door.close()
  await until(() => mark.processes().length === 0)
  home.remove()
})

const doors: DoorName[] = ['stdio', 'http']
const modes = ['endless-notices', 'endless-progress', 'endless-log']

test.each(doors.flatMap((name) => modes.map((mode) => [name, mode] as const)))(
  'over %s, %s: the client receives little of it, and others are served meanwhile',
  async (name, mode) => {
    const { env } = mark
    const servers = { bad: fixture('naughty', [mode], { env }), good: fixture('notebook', [], { env }) }
    home.write('config/servers.json', { mcpServers: servers })
    door = await openDoor(name, home)
    const agent = await door.as('main')
    // Both are started first, so that startup does not use up the time of the call.
    for (const server of Object.keys(servers)) await agent.call('get_server_tools', { server })
    // A server that is stopped for it is stopped long before.
    const timeout_ms = mode === 'endless-notices' ? 30_000 : 4000
    const params = { server: 'bad', tool: 'any', timeout_ms }
    const _meta = { 'dev.contextd/agentId': 'main' }
    const flood = agent.client
      .callTool({ name: 'execute_tool', arguments: params, _meta }, { onprogress: () => {} })
      .then(JSON.stringify, (error: { data?: unknown }) => JSON.stringify(error.data))
    for (let count = 0; count < 20; count += 1) {
      expect(await agent.call('execute_tool', { server: 'good', tool: 'pid' })).toMatchObject({
        content: [{ type: 'text' }],
      })
    }
    expect(await flood).toMatch(mode === 'endless-notices' ? /too many notices/ : /TIMEOUT/)
    const notices = agent.received.filter(({ method }) => method !== undefined)
    expect(notices.length).toBeGreaterThan(0)
    expect(notices.length).toBeLessThan(1000)
  },
)
