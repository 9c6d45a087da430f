/** Widely used servers behind contextd. `npm run upstreams` installs them and runs this. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { ClientOptions } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { secret } from '../support/door-tools.ts'
import { newProcessMark, type ProcessMark } from '../support/process-mark.ts'
import { makeTempHome, type TempHome } from '../support/temp-home.ts'
import { until } from '@contextd/shared/testing/until'
import { openDoor, type Door, type DoorName, type ToolReply } from './doors.ts'

const installed = process.env.REAL_MCP_SERVERS
if (installed === undefined) {
  process.stderr.write(
    'Tests with real MCP servers are skipped: `npm run upstreams` installs and runs them.\n',
  )
}
const programs = JSON.parse(installed ?? '{}') as Record<string, string>

const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)
if (installed !== undefined && chromium === undefined) {
  process.stderr.write('No page is opened with playwright: there is no chromium on this machine.\n')
}

const everything = { allow: { servers: ['*'], prompts: { '*': ['*'] }, resources: { '*': ['*'] } } }
const rules = {
  agents: {
    careful: {
      allow: {
        servers: ['filesystem', 'memory', 'everything', 'playwright'],
        tools: {
          filesystem: ['read_*', 'list_*', 'get_file_info'],
          everything: ['echo', 'get-*'],
        },
        prompts: { everything: ['simple-prompt'] },
        resources: { everything: ['demo://resource/dynamic/text/*'] },
      },
      deny: {
        tools: {
          filesystem: ['read_media_file'],
          memory: ['delete_*'],
          everything: ['get-env'],
          playwright: ['browser_type'],
        },
        resources: { everything: ['demo://resource/dynamic/blob/*'] },
      },
    },
    free: everything,
    elsewhere: { allow: { servers: ['memory'] } },
  },
}

const refusedBy = (rule: string): object => ({
  code: -32000,
  data: { code: 'DENIED_BY_POLICY', rule: `agents.careful.${rule}` },
})

function textIn({ content }: ToolReply): string {
  return content.map(({ text }) => text ?? '').join('\n')
}

function dataOf({ structuredContent }: ToolReply): unknown {
  return structuredContent?.data
}

const options: ClientOptions = { capabilities: { elicitation: { form: {} }, sampling: {} } }

describe.runIf(installed !== undefined).each<DoorName>(['stdio', 'http'])('over %s', (name) => {
  let home: TempHome
  let mark: ProcessMark
  let door: Door
  const files = (): string => join(home.path, 'files')

  beforeAll(async () => {
    home = makeTempHome()
    mark = newProcessMark()
    mkdirSync(files())
    writeFileSync(join(files(), 'note.txt'), `a note\ntoken: ${secret}\n`)
    const server = (program: string, args: string[] = [], env: JsonObject = {}): JsonObject => ({
      command: process.execPath,
      args: [programs[program] ?? '', ...args],
      env: { ...mark.env, ...env },
    })
    const browser = chromium === undefined ? [] : ['--executable-path', chromium, '--no-sandbox']
    home.write('config/servers.json', {
      mcpServers: {
        filesystem: server('filesystem', [files()]),
        memory: server('memory', [], { MEMORY_FILE_PATH: join(home.path, 'memory.jsonl') }),
        everything: server('everything'),
        playwright: server('playwright', ['--headless', '--isolated', ...browser]),
      },
    })
    home.write('config/rules.json', rules)
    home.write('config/config.toml', '[http]\nport = 0\n[log]\nlevel = "error"\n')
    Object.assign(home.env, { ANTHROPIC_API_KEY: 'key-of-the-client' })
    door = await openDoor(name, home, options)
  })
  afterAll(async () => {
    await door.close()
    // Processes that these servers start may take their time to exit.
    await until(() => mark.processes().length === 0)
    home.remove()
  })

  const execute = async (
    agent: string,
    server: string,
    tool: string,
    args: JsonObject = {},
  ): Promise<ToolReply> => (await door.as(agent)).call('execute_tool', { server, tool, args })
  const toolsOf = async (agent: string, server: string): Promise<string[]> => {
    const told = await (await door.as(agent)).call('get_server_tools', { server })
    const { tools } = dataOf(told) as { tools: { name: string }[] }
    return tools.map((tool) => tool.name)
  }

  test('files: reading is allowed, writing is not, and a secret in a file is masked', async () => {
    const path = join(files(), 'note.txt')
    const read = textIn(await execute('careful', 'filesystem', 'read_text_file', { path }))
    expect(read).toMatch(/^a note\ntoken: \[SECRET_\d+\]/)
    const written = join(files(), `by-careful-${name}.txt`)
    const write = { path: written, content: 'x' }
    const careful = await door.as('careful')
    await expect(execute('careful', 'filesystem', 'write_file', write)).rejects.toMatchObject(
      refusedBy('allow.tools.filesystem'),
    )
    await expect(careful.call('filesystem__write_file', write)).rejects.toMatchObject(
      refusedBy('allow.tools.filesystem'),
    )
    await expect(execute('careful', 'filesystem', 'read_media_file', { path })).rejects.toMatchObject(
      refusedBy('deny.tools.filesystem[0]'),
    )
    expect(existsSync(written)).toBe(false)
    await execute('free', 'filesystem', 'write_file', write)
    expect(readFileSync(written, 'utf8')).toBe('x')
    // In addition to the rules, the server has its own restrictions.
    expect(await execute('free', 'filesystem', 'read_text_file', { path: '/etc/hostname' })).toMatchObject({
      isError: true,
    })
    expect(await execute('free', 'filesystem', 'read_text_file', { path: 7 })).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'INVALID_ARGUMENTS' } },
    })
  })

  test('memory: what must not be deleted still exists', async () => {
    const entity = { name: `gate-${name}`, entityType: 'thing', observations: ['stands between'] }
    await execute('careful', 'memory', 'create_entities', { entities: [entity] })
    const removal = { entityNames: [entity.name] }
    await expect(execute('careful', 'memory', 'delete_entities', removal)).rejects.toMatchObject(
      refusedBy('deny.tools.memory[0]'),
    )
    expect(textIn(await execute('careful', 'memory', 'read_graph'))).toContain(entity.name)
    await execute('free', 'memory', 'delete_entities', removal)
    expect(textIn(await execute('free', 'memory', 'read_graph'))).not.toContain(entity.name)
  })

  test('everything: content of every kind, progress and questions are forwarded', async () => {
    const { client, received } = await door.as('free')
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }))
    client.setRequestHandler('sampling/createMessage', () => ({
      role: 'assistant' as const,
      model: 'none',
      content: { type: 'text' as const, text: 'sampled' },
    }))
    expect(textIn(await execute('free', 'everything', 'get-sum', { a: 2, b: 3 }))).toContain('is 5')
    expect(await execute('free', 'everything', 'get-tiny-image')).toMatchObject({
      content: expect.arrayContaining([expect.objectContaining({ type: 'image' })]) as unknown,
    })
    expect(
      await execute('free', 'everything', 'get-structured-content', { location: 'Chicago' }),
    ).toMatchObject({
      structuredContent: { conditions: expect.any(String) as string },
    })
    expect(await execute('free', 'everything', 'get-resource-links', { count: 1 })).toMatchObject({
      content: [{ type: 'text' }, { type: 'resource_link' }],
    })
    const env = textIn(await execute('free', 'everything', 'get-env'))
    expect(env).toContain('PATH')
    expect(env).not.toMatch(/ANTHROPIC|key-of-the-client/)
    expect(textIn(await execute('free', 'everything', 'trigger-elicitation-request'))).toContain('Name: Ada')
    const prompt = { prompt: 'say something', maxTokens: 10 }
    expect(textIn(await execute('free', 'everything', 'trigger-sampling-request', prompt))).toContain(
      'sampled',
    )
    const steps = {
      server: 'everything',
      tool: 'trigger-long-running-operation',
      args: { duration: 1, steps: 2 },
    }
    const _meta = { 'dev.contextd/agentId': 'free' }
    await client.callTool({ name: 'execute_tool', arguments: steps, _meta }, { onprogress: () => {} })
    expect(received.filter(({ method }) => method === 'notifications/progress')).toMatchObject([
      { params: { progress: 1, total: 2 } },
      { params: { progress: 2, total: 2 } },
    ])
    await expect(execute('careful', 'everything', 'get-env')).rejects.toMatchObject(
      refusedBy('deny.tools.everything[0]'),
    )
  })

  test('everything: prompts and resources, under the same rules', async () => {
    const meta = (agent: string): { _meta: JsonObject } => ({ _meta: { 'dev.contextd/agentId': agent } })
    const { client } = await door.as('careful')
    const prompts = async (): Promise<string[]> =>
      (await client.listPrompts(meta('careful'))).prompts.map((prompt) => prompt.name)
    // A slow server is missing in the first lists.
    await expect.poll(prompts).toEqual(['everything__simple-prompt'])
    expect(await client.getPrompt({ name: 'everything__simple-prompt', ...meta('careful') })).toMatchObject({
      messages: [{ role: 'user' }],
    })
    const args = { city: 'Oslo' }
    await expect(
      client.getPrompt({ name: 'everything__args-prompt', arguments: args, ...meta('careful') }),
    ).rejects.toMatchObject(refusedBy('allow.prompts.everything'))
    const text = 'demo://resource/dynamic/text/1'
    expect(await client.readResource({ uri: text, ...meta('careful') })).toMatchObject({
      contents: [{ uri: text }],
    })
    const blob = 'demo://resource/dynamic/blob/1'
    await expect(client.readResource({ uri: blob, ...meta('careful') })).rejects.toMatchObject(
      refusedBy('deny.resources.everything[0]'),
    )
    const free = await door.as('free')
    expect(await free.client.readResource({ uri: blob, ...meta('free') })).toMatchObject({
      contents: [{ uri: blob }],
    })
  })

  test('playwright: all tools but one', async () => {
    const total = async (agent: string, more: JsonObject = {}): Promise<unknown[]> => {
      const asked = (await door.as(agent)).call('get_server_tools', { server: 'playwright', ...more })
      const { total_available: all, returned } = dataOf(await asked) as JsonObject
      return [all, returned]
    }
    const [all] = await total('free')
    expect(all).toBeGreaterThan(20)
    expect(await total('free', { names: ['browser_type'] })).toEqual([all, 1])
    expect(await total('careful', { names: ['browser_type'] })).toEqual([Number(all) - 1, 0])
    const listed = async (agent: string): Promise<string[]> =>
      (await (await door.as(agent)).tools()).filter((tool) => tool.startsWith('playwright__'))
    const withIt = await listed('free')
    expect(withIt).toHaveLength(Number(all))
    expect(await listed('careful')).toEqual(withIt.filter((tool) => tool !== 'playwright__browser_type'))
    await expect(execute('careful', 'playwright', 'browser_type')).rejects.toMatchObject(
      refusedBy('deny.tools.playwright[0]'),
    )
  })

  test('playwright: results are forwarded, with or without a browser', async () => {
    const page = 'data:text/html,<title>A page</title><p>Hello'
    const told = await execute('careful', 'playwright', 'browser_navigate', { url: page })
    if (chromium === undefined) expect(told).toMatchObject({ isError: true })
    else expect(textIn(await execute('careful', 'playwright', 'browser_snapshot'))).toContain('A page')
  })

  test('lists: the allowed servers of each agent, with their allowed tools', async () => {
    const careful = await door.as('careful')
    const servers = dataOf(await careful.call('list_servers')) as { name: string }[]
    expect(servers.map((server) => server.name)).toEqual(['everything', 'filesystem', 'memory', 'playwright'])
    expect(await toolsOf('careful', 'filesystem')).toEqual([
      'get_file_info',
      'list_allowed_directories',
      'list_directory',
      'list_directory_with_sizes',
      'read_file',
      'read_multiple_files',
      'read_text_file',
    ])
    const listed = (await careful.tools()).filter((tool) => tool.startsWith('filesystem__'))
    // Names that are too long for clients are truncated, and still reach the tool.
    expect(listed).toEqual([
      'filesystem__get_file_info',
      expect.stringMatching(/^filesystem__list_allowed_/),
      expect.stringMatching(/^filesystem__list_directo_/),
      'filesystem__list_directory',
      'filesystem__read_file',
      'filesystem__read_multiple_files',
      'filesystem__read_text_file',
    ])
    expect(textIn(await careful.call(listed[1] ?? ''))).toContain(files())
    const found = JSON.stringify(
      await careful.call('find_tools', { query: 'write a file, delete entities, type text' }),
    )
    expect(found).not.toMatch(/write_file|delete_entities|browser_type"/)
    const elsewhere = await door.as('elsewhere')
    expect((await elsewhere.call('list_servers')).structuredContent?.data).toMatchObject([{ name: 'memory' }])
    expect(
      (await elsewhere.tools()).filter((tool) => /^(?:filesystem|everything|playwright)__/.test(tool)),
    ).toEqual([])
    await expect(elsewhere.call('get_server_tools', { server: 'filesystem' })).rejects.toMatchObject({
      code: -32000,
    })
  })
})
