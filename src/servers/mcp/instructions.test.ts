import { expect, onTestFinished, test } from 'vitest'

import { messageOf, post } from '../../../test/support/http-door.ts'
import { initialize, modernMeta, openStdioDoor } from '../../../test/support/stdio-door.ts'
import { makeTempHome } from '../../../test/support/temp-home.ts'
import { composeRuntime, type Runtime } from '../../compose.ts'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import { serveHttp } from '../http/server.ts'
import { instructionsFor } from './instructions.ts'

const outcome =
  'they are confined to the workspace and replace secrets in their output with tokens such as [SECRET_1].'
const all = `Use safe_bash, safe_read, safe_write and safe_edit instead of your own shell and file tools: ${outcome}`
const ofServers = ' Tools of other MCP servers: find_tools, then execute_tool.'
const onlyReading = `Use safe_read instead of your own file tools: ${outcome}`
const onlyFiles = `Use safe_read, safe_write and safe_edit instead of your own file tools: ${outcome}`

/** Only `main` may use the server. */
const agents = {
  main: { allow: { servers: ['db'] } },
  reader: { allow: { servers: ['contextd'], capabilities: ['fs:read:**'] } },
  finder: { allow: { servers: ['db'] }, deny: { tools: { contextd: ['execute_tool'] } } },
  nothing: { deny: { servers: ['contextd'] } },
  default: { deny: { tools: { contextd: ['safe_bash'] } } },
}

interface Setting {
  readonly strict?: boolean
  readonly agent?: string
  readonly servers?: JsonObject
}

async function open({
  strict = false,
  agent,
  servers = { db: { command: '/nonexistent' } },
}: Setting): Promise<Runtime> {
  const home = makeTempHome()
  home.write('config/config.toml', '[http]\nport = 0\n[log]\nlevel = "error"\n')
  home.write('config/servers.json', { mcpServers: servers })
  home.write('config/rules.json', { agents, defaults: { deny_on_missing_agent: strict } })
  const runtime = await composeRuntime({
    env: home.env,
    cwd: home.project,
    ...(agent !== undefined && { agent }),
  })
  onTestFinished(async () => {
    await runtime.close()
    home.remove()
  })
  return runtime
}

const instructionsIn = ({ result }: JsonObject): unknown => {
  expect(isJsonObject(result) && 'capabilities' in result).toBe(true)
  return isJsonObject(result) ? result.instructions : undefined
}
const discover = (name: string): JsonObject => {
  const clientInfo = { name, version: '1' }
  const _meta = { ...modernMeta, 'io.modelcontextprotocol/clientInfo': clientInfo }
  return { jsonrpc: '2.0', id: 'init', method: 'server/discover', params: { _meta } }
}
const initializeAs = (name: string): JsonObject => ({
  ...initialize,
  params: { ...initialize.params, clientInfo: { name, version: '1' } },
})

async function overStdio(setting: Setting, message: JsonObject): Promise<unknown> {
  // The door closes its runtime when it ends, and so does the test.
  const door = openStdioDoor({ ...(await open(setting)), close: async () => {} })
  onTestFinished(() => door.hangUp())
  door.send(message)
  return instructionsIn(await door.answer('init'))
}

test.each<[string, Setting, string, string | undefined]>([
  ['a client that attests: its main thread', {}, 'claude-code', all + ofServers],
  ['another client: the default agent', {}, 'tester', onlyFiles],
  ['the agent that the connection was started for', { agent: 'reader' }, 'tester', onlyReading],
  ['one without a tool', { agent: 'nothing' }, 'tester', undefined],
  ['one that may not call what it finds', { agent: 'finder' }, 'tester', all],
  ['without another server', { servers: {} }, 'claude-code', all],
  ['not identified: any agent of the rules, as in its list', { strict: true }, 'tester', all + ofServers],
])('stdio: %s', async (_, setting, client, expected) => {
  expect(await overStdio(setting, initializeAs(client))).toBe(expected)
  expect(await overStdio(setting, discover(client))).toBe(expected)
})

test.each([
  ['main', all + ofServers],
  ['reader', onlyReading],
  ['nothing', undefined],
])('HTTP: the agent of the token, %s', async (agent, expected) => {
  const runtime = await open({})
  const http = await serveHttp(runtime, { clock: Date.now, graceMs: 50, limits: {} })
  onTestFinished(() => http.close())
  const { secret } = runtime.tokens.create(agent, 'test')
  const { url } = http
  expect(instructionsIn(messageOf(await post(url, secret, initialize)))).toBe(expected)
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' }
  expect(instructionsIn(messageOf(await post(url, secret, discover('tester'), headers)))).toBe(expected)
})

test('names every tool that it could, and no other', () => {
  const tools = ['safe_bash', 'safe_read', 'safe_write', 'safe_edit', 'find_tools', 'execute_tool']
  expect(instructionsFor(new Set(tools))).toBe(all + ofServers)
  expect(instructionsFor(new Set(['safe_bash']))).toContain('Use safe_bash instead of your own shell tools')
  expect(instructionsFor(new Set(['find_tools', 'execute_tool']))).toBe(ofServers.trim())
  for (const missing of tools) {
    expect(instructionsFor(new Set(tools.filter((name) => name !== missing)))).not.toContain(missing)
  }
})
