/** The rows of the policy table about the caller and about invalid rules files. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { fixture } from '../support/gateway-runtime.ts'
import { makeTempHome, type TempHome } from '../support/temp-home.ts'
import { openDoor, type Door, type DoorName } from './doors.ts'
import { until } from '@contextd/shared/testing/until'

let home: TempHome
let door: Door | undefined
beforeEach(() => {
  home = makeTempHome()
  home.write('config/config.toml', '[http]\nport = 0\n[log]\nlevel = "error"\n')
  home.write('config/servers.json', { mcpServers: { db: fixture('any-tools', [calls(), 'query', 'drop']) } })
})
afterEach(async () => {
  await door?.close()
  door = undefined
  home.remove()
})

const calls = (): string => join(home.path, 'calls')
const arrived = (): string => (existsSync(calls()) ? readFileSync(calls(), 'utf8') : '')

const everything = { allow: { servers: ['*'] } }

async function open(name: DoorName, rules: object): Promise<Door> {
  home.write('config/rules.json', rules)
  door = await openDoor(name, home)
  return door
}

function query(args: JsonObject = {}): [string, JsonObject] {
  return ['execute_tool', { server: 'db', tool: 'query', args }]
}

describe.each<DoorName>(['stdio', 'http'])('over %s', (name) => {
  test.each<[row: string, defaults: JsonObject]>([
    ['17, denied when missing', { deny_on_missing_agent: true }],
    ['17, nothing said', {}],
    ['18, not denied when missing', { deny_on_missing_agent: false }],
  ])('row %s: an unknown agent can neither call nor list anything', async (_, defaults) => {
    // An agent named `default` that may do everything grants nothing to others.
    const { as } = await open(name, { agents: { known: everything, default: everything }, defaults })
    const unknown = await as('stranger')
    const refused = { code: -32003, data: { code: 'INVALID_AGENT_ID' } }
    await expect(unknown.call(...query())).rejects.toMatchObject(refused)
    await expect(unknown.call('db__query')).rejects.toMatchObject(refused)
    await expect(unknown.call('list_servers')).rejects.toMatchObject(refused)
    await expect(unknown.call('get_server_tools', { server: 'db' })).rejects.toMatchObject(refused)
    await expect(unknown.call('find_tools', { query: 'query' })).rejects.toMatchObject(refused)
    await expect(unknown.tools()).rejects.toMatchObject(refused)
    expect(arrived()).toBe('')
    const known = await as('known')
    expect(await known.call(...query({ mark: 'known' }))).toMatchObject({ content: [{ text: 'did query' }] })
    expect(arrived()).toBe('{"mark":"known","tool":"query"}\n')
  })

  test('row 25: an empty list is invalid: the file is rejected at startup, with a message', async () => {
    const rules = { agents: { known: { allow: { servers: ['db'], tools: { db: [] } } } } }
    await expect(open(name, rules)).rejects.toThrow()
    const right = { agents: { known: { allow: { servers: ['db'], tools: { db: ['query'] } } } } }
    const { as } = await open(name, right)
    expect(await (await as('known')).call(...query())).toMatchObject({ content: [{ text: 'did query' }] })
  })

  test('if rules become invalid the previous ones stay active, and the next valid ones apply', async () => {
    const one = (allowed: string[]): object => ({
      agents: { known: { allow: { servers: ['db'], tools: { db: allowed } } } },
    })
    const { as } = await open(name, one(['query']))
    const agent = await as('known')
    const drop = (): Promise<string> =>
      agent.call('execute_tool', { server: 'db', tool: 'drop' }).then(
        () => 'allowed',
        (error: { data?: { rule?: string } }) => String(error.data?.rule),
      )
    for (const invalid of [one([]), one(['get_*_x']), { agents: [] }]) {
      home.write('config/rules.json', invalid)
      // Files are checked within a second.
      await sleep(1100)
      expect(await drop()).toBe('agents.known.allow.tools.db')
      expect(await agent.call(...query())).toMatchObject({ content: [{ text: 'did query' }] })
    }
    home.write('config/rules.json', one(['query', 'drop']))
    await until(async () => (await drop()) === 'allowed')
    home.write('config/rules.json', one(['query']))
    await until(async () => (await drop()) === 'agents.known.allow.tools.db')
    expect(await agent.call(...query())).toMatchObject({ content: [{ text: 'did query' }] })
  })
})
