/** Agents that use the same server at the same time: none of them receives messages for another. */

import type { ClientOptions } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { fixture } from '../support/gateway-runtime.ts'
import { makeTempHome, type TempHome } from '../support/temp-home.ts'
import { openDoor, type Agent, type Door } from './doors.ts'
import { until } from '@contextd/shared/testing/until'

// Long enough that no random id or protocol state contains one by coincidence.
const names = ['agent-ada', 'agent-bob', 'agent-cyd'] as const
type Name = (typeof names)[number]
const word = (name: Name): string => `word-of-${name}`

let home: TempHome
let door: Door
beforeEach(() => {
  home = makeTempHome()
  home.write('config/config.toml', '[http]\nport = 0\n[log]\nlevel = "error"\n')
  const everything = { allow: { servers: ['*'], prompts: { '*': ['*'] }, resources: { '*': ['*'] } } }
  home.write('config/rules.json', { agents: Object.fromEntries(names.map((name) => [name, everything])) })
})
afterEach(async () => {
  vi.useRealTimers()
  await door.close()
  home.remove()
})

const eras = {
  '2025-11-25': {},
  '2026-07-28': { versionNegotiation: { mode: { pin: '2026-07-28' } } },
} as const satisfies Record<string, ClientOptions>

/** Opens all agents, each with a client that answers questions with its name. */
async function open(options: ClientOptions, servers: JsonObject): Promise<Map<Name, Agent>> {
  home.write('config/servers.json', { mcpServers: servers })
  door = await openDoor('http', home, { capabilities: { elicitation: { form: {} } }, ...options })
  const agents = new Map<Name, Agent>()
  for (const name of names) {
    const agent = await door.as(name)
    agent.client.setRequestHandler('elicitation/create', () => ({
      action: 'accept',
      content: { reply: `answered by ${name}` },
    }))
    agents.set(name, agent)
  }
  return agents
}

/** A call that requests all log messages and progress. */
async function callWithLogs({ client }: Agent, server: string, tool: string, args = {}): Promise<string> {
  const _meta = { 'io.modelcontextprotocol/logLevel': 'debug' }
  const params = { name: 'execute_tool', arguments: { server, tool, args }, _meta }
  return JSON.stringify(await client.callTool(params, { onprogress: () => {} }))
}

function tenTimes<T>(items: readonly T[]): T[] {
  return Array.from({ length: 10 * items.length }, (_, at) => items[at % items.length]!)
}

/** Messages to any of the other agents. */
function strangeWords(name: Name, text: string): Name[] {
  return names.filter((other) => other !== name && text.includes(other))
}

describe.each(Object.keys(eras) as (keyof typeof eras)[])('clients of %s', (era) => {
  describe.each(['legacy', 'modern'])('in front of a %s server', (kind) => {
    const protocol = kind === 'modern' ? '2026-07-28' : '2025-11-25'
    const words = fixture('says-it-everywhere', ['here', kind], { protocol })

    test('each receives only its own results, notifications and questions', async () => {
      const agents = await open(eras[era], { words })
      await Promise.all(
        [...agents].map(([name, agent]) => callWithLogs(agent, 'words', 'remember', { text: word(name) })),
      )
      const told = await Promise.all(
        tenTimes([...agents]).flatMap(([name, agent]) =>
          ['say', 'ask'].map(async (tool) => ({
            name,
            tool,
            text: await callWithLogs(agent, 'words', tool),
          })),
        ),
      )
      for (const { name, tool, text } of told) {
        expect(text).toContain(word(name))
        if (tool === 'ask') expect(text).toContain(`answered by ${name}`)
      }
      for (const [name, { client, received }] of agents) {
        await client.listPrompts()
        await client.getPrompt({ name: 'words__words' })
        await client.listResources()
        await client.listResourceTemplates()
        await client.readResource({ uri: 'words://here/all' })
        const all = received.map((message) => JSON.stringify(message))
        expect(strangeWords(name, all.join('\n'))).toEqual([])
        for (const way of [
          'notifications/progress',
          'notifications/message',
          'elicitation/create',
          '"prompts"',
          '"resources"',
          '"contents"',
          '"messages"',
        ]) {
          expect(all.filter((one) => one.includes(way)).join('\n'), way).toContain(word(name))
        }
      }
    })

    test('nobody receives progress after the response', async () => {
      const agents = await open(eras[era], { words })
      const { client, received } = agents.get('agent-ada')!
      for (let count = 0; count < 10; count += 1) await callWithLogs({ client } as Agent, 'words', 'say')
      const ended = new Set<unknown>()
      for (const { id, method, params } of received) {
        if (method === undefined) ended.add(id)
        if (method !== 'notifications/progress') continue
        expect(ended).not.toContain((params as JsonObject).progressToken)
      }
    })
  })
})

test('resource changes are sent to subscribers, not to other users of the server', async () => {
  const agents = await open({}, { words: fixture('says-it-everywhere', ['here']) })
  const [ada, bob] = [agents.get('agent-ada')!, agents.get('agent-bob')!]
  await ada.client.subscribeResource({ uri: 'words://here/all' })
  await bob.client.subscribeResource({ uri: 'words://here/other' })
  for (const agent of [ada, bob]) await callWithLogs(agent, 'words', 'touch')
  const updates = ({ received }: Agent): unknown[] =>
    received.filter(({ method }) => method === 'notifications/resources/updated').map(({ params }) => params)
  await until(() => updates(ada).length > 0 && updates(bob).length > 0)
  expect(updates(ada)).toEqual([{ uri: 'words://here/all' }])
  expect(updates(bob)).toEqual([{ uri: 'words://here/other' }])
  expect(updates(agents.get('agent-cyd')!)).toEqual([])
})

test('failures of one agent’s server do not affect the others, and they do not receive its output', async () => {
  // The pause after failures does not end during the test.
  vi.useFakeTimers({ toFake: ['Date'] })
  const agents = await open({}, { words: fixture('says-it-everywhere', ['here']) })
  const [ada, bob] = [agents.get('agent-ada')!, agents.get('agent-bob')!]
  const failures: string[] = []
  for (let count = 0; count < 5; count += 1) {
    await callWithLogs(ada, 'words', 'remember', { text: word('agent-ada') }).catch(() => {})
    await callWithLogs(ada, 'words', 'die').catch((error: Error) => failures.push(error.message))
    expect(await callWithLogs(bob, 'words', 'say')).toContain('it is nothing')
  }
  expect(failures).toHaveLength(5)
  expect(failures[0]).toContain(`it last said: it was ${word('agent-ada')}`)
  // After some failures it pauses, but only there.
  await expect(callWithLogs(ada, 'words', 'say')).rejects.toThrow('SERVER_UNAVAILABLE')
  const cyd = agents.get('agent-cyd')!
  expect(await callWithLogs(cyd, 'words', 'say')).toContain('it is nothing')
  expect(strangeWords('agent-bob', JSON.stringify(bob.received))).toEqual([])
  expect(strangeWords('agent-cyd', JSON.stringify(cyd.received))).toEqual([])
})

describe('a server that all share', () => {
  const shared = fixture('says-it-everywhere', ['here'], { stateless: true })

  test('its progress goes to the call it belongs to, its messages and questions to nobody', async () => {
    const agents = await open({}, { words: shared })
    const told = await Promise.all(
      tenTimes([...agents.values()]).map((agent) => callWithLogs(agent, 'words', 'say')),
    )
    expect(new Set(told).size).toBe(1)
    for (const [, agent] of agents) {
      const progress = agent.received.filter(({ method }) => method === 'notifications/progress')
      expect(progress).toHaveLength(10)
      const tokens = progress.map(({ params }) => (params as JsonObject).progressToken)
      expect(new Set(tokens).size).toBe(10)
      expect(agent.received.filter(({ method }) => method === 'notifications/message')).toEqual([])
      expect(await callWithLogs(agent, 'words', 'ask')).not.toContain('answered by')
    }
  })

  test('ending a subscription does not end those of others', async () => {
    const agents = await open({}, { words: shared })
    const uri = 'words://here/all'
    const [ada, bob] = [agents.get('agent-ada')!, agents.get('agent-bob')!]
    await ada.client.subscribeResource({ uri })
    await bob.client.subscribeResource({ uri })
    await bob.client.unsubscribeResource({ uri })
    await callWithLogs(bob, 'words', 'touch')
    await until(() => ada.received.some(({ method }) => method === 'notifications/resources/updated'))
    expect(bob.received.some(({ method }) => method === 'notifications/resources/updated')).toBe(false)
  })
})
