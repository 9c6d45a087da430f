/**
 * A server that sends a credential in every place where a server can send text. With plain text, all places are shown
 * to arrive.
 */

import type { ClientOptions } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { openRecords } from '../../src/compose.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { secret as lookalike } from '../support/door-tools.ts'
import { fixture, openRules } from '../support/gateway-runtime.ts'
import { makeTempHome, type TempHome } from '../support/temp-home.ts'
import { openDoor, type Agent, type Door, type DoorName } from './doors.ts'

let home: TempHome
let door: Door
beforeEach(() => {
  home = makeTempHome()
  home.write('config/config.toml', '[http]\nport = 0\n[log]\nlevel = "error"\n')
  home.write('config/rules.json', openRules)
})
afterEach(async () => {
  await door.close()
  home.remove()
})

/** One detected by its format, and one known only because the user registered it. */
const texts = { lookalike, known: 'correct-horse-battery-staple-9', plain: 'nothing of interest' }

const modern: ClientOptions = { versionNegotiation: { mode: { pin: '2026-07-28' } } }
const eras = { '2025-11-25': {}, '2026-07-28': modern } as const

async function open(name: DoorName, options: ClientOptions, protocol: string): Promise<Agent> {
  const records = openRecords(home.env)
  records.secrets.set('KNOWN', texts.known)
  records.close()
  const says = { ...texts, known: '${secret:KNOWN}' }
  const era = protocol === '2026-07-28' ? 'modern' : 'legacy'
  const servers = Object.entries(says).map(([server, SAYS]): [string, JsonObject] => [
    server,
    fixture('says-it-everywhere', [server, era], { env: { SAYS }, protocol }),
  ])
  home.write('config/servers.json', { mcpServers: Object.fromEntries(servers) })
  door = await openDoor(name, home, { capabilities: { elicitation: { form: {} } }, ...options })
  return door.as('main')
}

/** Everything received from one server, by channel. */
async function everythingFrom(
  server: string,
  { client, call, received }: Agent,
): Promise<Record<string, unknown>> {
  const before = received.length
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { reply: 'yes' } }))
  const place = `words://${server}/`
  const execute = (tool: string): Promise<unknown> =>
    client
      .callTool(
        {
          name: 'execute_tool',
          arguments: { server, tool },
          _meta: { 'io.modelcontextprotocol/logLevel': 'debug', 'dev.contextd/agentId': 'main' },
        },
        { onprogress: () => {} },
      )
      .catch(({ code, message, data }: { code: number; message: string; data?: unknown }) => ({
        code,
        message,
        data,
      }))
  const channels = {
    // First, because it waits for a slow server, and lists do not.
    get_server_tools: await call('get_server_tools', { server, names: ['say'] }),
    'tool list': (await client.listTools()).tools.filter(({ name }) => name.startsWith(`${server}__`)),
    find_tools: await call('find_tools', { query: `the tool for say ${server}` }),
    result: await execute('say'),
    answered: await execute('ask'),
    prompts: (await client.listPrompts()).prompts.filter(({ name }) => name.startsWith(`${server}__`)),
    prompt: await client.getPrompt({ name: `${server}__words` }),
    resources: (await client.listResources()).resources.filter(({ uri }) => uri.startsWith(place)),
    templates: (await client.listResourceTemplates()).resourceTemplates.filter(({ uriTemplate }) =>
      uriTemplate.startsWith(place),
    ),
    resource: await client.readResource({ uri: `${place}all` }),
    'its own error': await execute('fail'),
    'its last output': await execute('die'),
  }
  const raw = received.slice(before)
  const noticed = (method: string): unknown[] => raw.filter((message) => message.method === method)
  return {
    ...channels,
    progress: noticed('notifications/progress'),
    log: noticed('notifications/message'),
    question: raw.filter((message) => JSON.stringify(message).includes('elicitation/create')),
  }
}

describe.each<DoorName>(['stdio', 'http'])('over %s', (name) => {
  describe.each(Object.keys(eras) as (keyof typeof eras)[])('to a client of %s', (era) => {
    test.each(['2025-11-25', '2026-07-28'])('from a server of %s', async (protocol) => {
      const agent = await open(name, eras[era], protocol)
      for (const [server, text] of Object.entries(texts)) {
        for (const [way, what] of Object.entries(await everythingFrom(server, agent))) {
          if (server === 'plain') expect(JSON.stringify(what), way).toContain(text)
          else expect(JSON.stringify(what), way).not.toContain(text)
        }
      }
      expect(JSON.stringify(agent.received)).not.toContain(texts.lookalike)
      expect(JSON.stringify(agent.received)).not.toContain(texts.known)
    })
  })
})
