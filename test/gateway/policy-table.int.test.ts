/** The policy table with real processes behind the gateway: denied calls never reach them, by any transport. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import type { AgentDocument } from '../../src/stages/policy/rules-schema.ts'
import { fixture } from '../support/gateway-runtime.ts'
import { policyTable } from '../support/policy-table.ts'
import { makeTempHome, type TempHome } from '../support/temp-home.ts'
import { openDoor, type Agent, type Door, type DoorName, type ToolReply } from './doors.ts'

/** Every server and tool in any row. */
const offered = new Map<string, Set<string>>()
for (const { access } of policyTable) {
  for (const target of Object.keys(access)) {
    const [server = '', tool = ''] = target.split('.')
    offered.set(server, (offered.get(server) ?? new Set()).add(tool))
  }
}
const browserTools = Array.from({ length: 19 }, (_, at) => `browser_${at + 1}`)
for (const tool of browserTools) offered.get('playwright')!.add(tool)

const agentOf = (row: string): string => `row${row}`

/** A simple reference implementation of the rules. The rows check it and contextd alike. */
function mayUse({ allow, deny }: AgentDocument, server: string, tool: string): boolean {
  const matches = (patterns: readonly string[] | undefined, name: string): boolean =>
    patterns?.some((pattern) => new RegExp(`^${pattern.replace('*', '.*')}$`).test(name)) === true
  if (matches(deny?.servers, server) || !matches(allow?.servers, server)) return false
  if (matches(deny?.tools?.[server], tool)) return false
  const list = allow?.tools?.[server]
  return list === undefined || matches(list, tool)
}

function allowed(agent: AgentDocument, server: string): string[] {
  return [...(offered.get(server) ?? [])].filter((tool) => mayUse(agent, server, tool)).sort()
}

function dataOf({ structuredContent }: ToolReply): unknown {
  return structuredContent?.data
}

describe.each<DoorName>(['stdio', 'http'])('over %s', (name) => {
  let home: TempHome
  let door: Door
  const logOf = (server: string): string => join(home.path, `calls-of-${server}`)

  beforeAll(async () => {
    home = makeTempHome()
    const servers: JsonObject = {}
    for (const [server, tools] of offered) servers[server] = fixture('any-tools', [logOf(server), ...tools])
    home.write('config/servers.json', { mcpServers: servers })
    home.write('config/rules.json', {
      agents: Object.fromEntries(policyTable.map(({ row, agent }) => [agentOf(row), agent])),
      defaults: { deny_on_missing_agent: false },
    })
    // As many as one agent can have at the same time: connections of a row replace those of the previous row.
    const config = `[http]\nport = 0\n[log]\nlevel = "error"\n[upstream]\nconnections = ${offered.size}\n`
    home.write('config/config.toml', config)
    door = await openDoor(name, home)
  })
  afterAll(async () => {
    await door.close()
    home.remove()
  })

  /** How often the server received this call. */
  function arrived(server: string, tool: string, mark: string): number {
    if (!existsSync(logOf(server))) return 0
    const lines = readFileSync(logOf(server), 'utf8').trim().split('\n')
    return lines
      .map((line) => JSON.parse(line) as JsonObject)
      .filter((call) => call.tool === tool && call.mark === mark).length
  }

  /** Calls by the gateway's tool and by the name in the list. */
  const callVariants = (
    agent: Agent,
    server: string,
    tool: string,
    mark: string,
  ): (() => Promise<ToolReply>)[] => [
    () => agent.call('execute_tool', { server, tool, args: { mark } }),
    () => agent.call(`${server}__${tool}`, { mark }),
  ]

  describe.each(policyTable)('row $row: $about', ({ row, agent: rules, access }) => {
    test.each(Object.entries(access))('%s: %s', async (target, verdict) => {
      const [server = '', tool = ''] = target.split('.')
      expect(mayUse(rules, server, tool)).toBe(verdict === 'A')
      const agent = await door.as(agentOf(row))
      const mark = agentOf(row)
      for (const way of callVariants(agent, server, tool, mark)) {
        if (verdict === 'A') expect(await way()).toMatchObject({ content: [{ text: `did ${tool}` }] })
        else {
          const rule = [`agents.${agentOf(row)}`, verdict].filter(Boolean).join('.')
          const error = { code: -32000, data: { code: 'DENIED_BY_POLICY', rule, server, tool } }
          await expect(way()).rejects.toMatchObject(error)
        }
      }
      expect(arrived(server, tool, mark)).toBe(verdict === 'A' ? 2 : 0)
    })

    test('lists contain allowed tools, and nothing else', async () => {
      const agent = await door.as(agentOf(row))
      const visible = [...offered.keys()]
        .filter(
          (server) =>
            rules.allow?.servers?.some((one) => one === server || one === '*') === true &&
            rules.deny?.servers?.some((one) => one === server || one === '*') !== true,
        )
        .sort()
      expect(dataOf(await agent.call('list_servers'))).toMatchObject(visible.map((name) => ({ name })))
      const names = visible.flatMap((server) => allowed(rules, server).map((tool) => `${server}__${tool}`))
      // A slow server is missing in the first lists.
      await expect
        .poll(async () => (await agent.tools()).filter((tool) => tool.includes('__')))
        .toEqual(names.sort())
      for (const server of offered.keys()) {
        const asked = agent.call('get_server_tools', { server })
        if (!visible.includes(server)) {
          await expect(asked).rejects.toMatchObject({
            code: -32000,
            data: { code: 'DENIED_BY_POLICY', server },
          })
          continue
        }
        const { tools, total_available: total } = dataOf(await asked) as {
          tools: JsonObject[]
          total_available: number
        }
        expect(tools.map((tool) => tool.name)).toEqual(allowed(rules, server))
        expect(total).toBe(tools.length)
      }
      for (const target of Object.keys(access)) {
        const [server = '', tool = ''] = target.split('.')
        const found = dataOf(await agent.call('find_tools', { query: tool.replaceAll('_', ' ') })) as {
          server: string
          tool: string
        }[]
        for (const one of found) expect(allowed(rules, one.server)).toContain(one.tool)
        if (access[target] === 'A') expect(found).toContainEqual(expect.objectContaining({ server, tool }))
      }
    })
  })

  test('row 24 in numbers: all tools of a browser but one', async () => {
    const agent = await door.as('row24')
    const { total_available: total } = dataOf(
      await agent.call('get_server_tools', { server: 'playwright' }),
    ) as JsonObject
    expect([total, offered.get('playwright')!.size]).toEqual([20, 21])
  })
})
