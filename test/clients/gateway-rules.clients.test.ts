import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { fixture } from '../support/gateway-runtime.ts'
import { pluginTool, runClaude, startAgent, trustProject, withPlugin } from './claude-code.ts'
import { makePlace, type Place } from './client-run.ts'
import type { ToolUse } from './scripted-model.ts'

/** Two servers behind the gateway, and an agent for each; the main thread has neither. */
function makeOffice(): Place {
  const place = makePlace()
  trustProject(place)
  const servers: JsonObject = {
    browser: fixture('any-tools', [join(place.root, 'browser.log'), 'click', 'navigate']),
    database: fixture('any-tools', [join(place.root, 'database.log'), 'query', 'drop']),
  }
  place.write('home/.config/contextd/servers.json', { mcpServers: servers })
  place.write('home/.config/contextd/rules.json', {
    agents: {
      frontend: {
        aliases: ['front-end-developer'],
        require: 'attested',
        allow: { servers: ['browser'] },
        deny: { tools: { browser: ['navigate'] } },
      },
      backend: { require: 'attested', allow: { servers: ['database'], tools: { database: ['query'] } } },
      default: { allow: { servers: ['contextd'] } },
    },
    defaults: { deny_on_missing_agent: false },
  })
  for (const name of ['front-end-developer', 'backend', 'stranger']) {
    place.write(
      `project/.claude/agents/${name}.md`,
      `---\nname: ${name}\ndescription: One of the agents of this project.\n---\nYou are ${name}.\n`,
    )
  }
  return place
}

const execute = (id: string, server: string, tool: string, more: JsonObject = {}): ToolUse => ({
  id,
  tool: pluginTool('execute_tool'),
  input: { server, tool, args: { mark: id }, ...more },
})

/** What the servers themselves saw. */
function arrived(place: Place): string[] {
  const logs = ['browser.log', 'database.log'].map((name) => join(place.root, name)).filter(existsSync)
  const lines = logs.flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'))
  return lines.map((line) => (JSON.parse(line) as { mark: string }).mark).sort()
}

test('each subagent reaches the servers that the rules give to it, and no other', async () => {
  const place = makeOffice()
  const run = await runClaude(
    place,
    {
      main: [
        [execute('main-click', 'browser', 'click')],
        [startAgent('frontend', 'front-end-developer', 'frontend')],
        [startAgent('backend', 'backend', 'backend')],
        [startAgent('stranger', 'stranger', 'stranger')],
        'done',
      ],
      frontend: [
        [{ id: 'frontend-servers', tool: pluginTool('list_servers'), input: {} }],
        [
          execute('frontend-click', 'browser', 'click'),
          execute('frontend-navigate', 'browser', 'navigate'),
          execute('frontend-query', 'database', 'query'),
        ],
        // What the model says of itself counts for nothing against what the client says.
        [execute('frontend-lies', 'database', 'query', { agent_id: 'backend' })],
        'done',
      ],
      backend: [
        [execute('backend-query', 'database', 'query'), execute('backend-drop', 'database', 'drop')],
        [execute('backend-click', 'browser', 'click')],
        'done',
      ],
      stranger: [
        [execute('stranger-click', 'browser', 'click')],
        [execute('stranger-lies', 'browser', 'click', { agent_id: 'frontend' })],
        'done',
      ],
    },
    withPlugin,
  )
  expect(arrived(place)).toEqual(['backend-query', 'frontend-click'])
  expect(run.saw('frontend-servers').text).toContain('browser')
  expect(run.saw('frontend-servers').text).not.toContain('database')
  for (const id of ['frontend-click', 'backend-query']) expect(run.saw(id).isError).toBe(false)
  const denied = ['main-click', 'frontend-navigate', 'frontend-query', 'backend-drop', 'backend-click']
  for (const id of [...denied, 'stranger-click']) expect(run.saw(id).text).toContain('DENIED_BY_POLICY')
  for (const id of ['frontend-lies', 'stranger-lies']) expect(run.saw(id).isError).toBe(true)
})

test('where the client runs no hooks, nobody is any of the agents that must be attested', async () => {
  const place = makeOffice()
  place.write('home/.claude/settings.json', {
    disableAllHooks: true,
    permissions: { allow: [pluginTool('*')] },
  })
  const run = await runClaude(
    place,
    {
      main: [[startAgent('frontend', 'front-end-developer', 'frontend')], 'done'],
      frontend: [
        [execute('plain', 'browser', 'click')],
        [execute('declared', 'browser', 'click', { agent_id: 'frontend' })],
        'done',
      ],
    },
    withPlugin,
  )
  expect(run.saw('plain').text).toContain('DENIED_BY_POLICY')
  expect(run.saw('declared').text).toContain('IDENTITY_LEVEL_TOO_LOW')
  expect(arrived(place)).toEqual([])
})

test('our tools have the names that the documentation gives them', async () => {
  const run = await runClaude(makePlace(), { main: ['done'] }, withPlugin)
  const { tools } = run.events.find(({ subtype }) => subtype === 'init')!
  const ours = (tools as string[]).filter((name) => name.includes('contextd'))
  for (const name of ['load_context', 'read_more', 'safe_bash', 'safe_read', 'safe_write']) {
    expect(ours).toContain(pluginTool(name))
  }
  expect(ours.filter((name) => !name.startsWith(pluginTool('')) || name.length > 64)).toEqual([])
  // For the client's hooks, and shown to no model.
  expect(ours).not.toContain(pluginTool('attest'))
  expect(run.told()).not.toContain(pluginTool('attest'))
})
