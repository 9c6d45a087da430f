/** The OpenCode plugin with the model door on: destinations of requests, their senders, and what the door handles. */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { pluginFor } from '../src/clients/opencode/init-files.ts'
import { loadOrCreateKey } from '../src/platform/secrets/keys.ts'
import { resolvePaths } from '../src/platform/files/paths.ts'
import { callerHeader, verifySignedCaller } from '../src/stages/identity/signed-caller.ts'

interface Hooks {
  config(config: object): Promise<void>
  'chat.headers'(input: object, output: { headers: Record<string, string> }): Promise<void>
  'tool.execute.before'(input: object, output: object): Promise<void>
  'tool.execute.after'(input: object, output: object): Promise<void>
  'experimental.chat.messages.transform'(input: object, output: object): Promise<void>
  provider: { id: string; models(provider: object): Promise<Record<string, { api: { url: string } }>> }
}
type Plugin = (opencode: object) => Promise<Hooks>

const sessions: Record<string, object> = {
  ses_top: { id: 'ses_top', agent: 'build' },
  ses_scan: { id: 'ses_scan', parentID: 'ses_top', agent: 'scanner' },
}
const client = {
  session: { get: async ({ path }: { path: { id: string } }) => ({ data: sessions[path.id] }) },
}
const key = `ctxm_AAAAAAAAAAA_${'k'.repeat(43)}`

/** A fake contextd: serves a door as `door.json` says, and records requests. */
const stub = `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs')
const [command, name] = process.argv.slice(2)
appendFileSync(__dirname + '/asked', (command === 'door' ? 'door' : name) + '\\n')
if (command === 'door') {
  try {
    process.stdout.write(readFileSync(__dirname + '/door.json', 'utf8'))
  } catch {
    process.stderr.write('the daemon does not start')
    process.exit(1)
  }
} else {
  const { tool_response: said } = JSON.parse(readFileSync(0, 'utf8'))
  const updatedToolOutput = said?.map((text) => text.replace('hush', '[SECRET_1]'))
  if (said) process.stdout.write(JSON.stringify({ hookSpecificOutput: { updatedToolOutput } }))
}
`

let folder: string
let server: Server
let base: string
let plugins: Record<string, Plugin>
let hooks: Hooks

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'contextd-opencode-door-'))
  vi.stubEnv('CONTEXTD_BIN', join(folder, 'contextd.cjs'))
  vi.stubEnv('CONTEXTD_HOME', join(folder, 'home'))
  for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, '')
  writeFileSync(join(folder, 'contextd.cjs'), stub, { mode: 0o755 })
  const { keys } = resolvePaths()
  mkdirSync(keys, { recursive: true, mode: 0o700 })
  writeFileSync(join(keys, 'model-opencode'), `${key}\n`, { mode: 0o600 })
  server = createServer((socket) => socket.destroy())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  base = `${url}/model/${key}`
  const providers = [
    { name: 'anthropic', url: 'https://api.anthropic.com', api: 'anthropic' },
    { name: 'openai', url: 'https://api.openai.com', api: 'openai' },
    { name: 'gemini', url: 'https://generativelanguage.googleapis.com', api: 'gemini' },
    { name: 'corp', url: 'https://llm.corp', api: 'anthropic' },
    { name: 'corp-deep', url: 'https://llm.corp/deep', api: 'anthropic' },
  ]
  writeFileSync(join(folder, 'door.json'), JSON.stringify({ url, providers }))
  await load(true)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await close()
  rmSync(folder, { recursive: true })
})

async function load(door: boolean): Promise<void> {
  const shipped = readFileSync(new URL('../integrations/opencode/contextd.js', import.meta.url), 'utf8')
  const file = join(folder, `plugin-${door}.mjs`)
  writeFileSync(file, pluginFor(shipped, { program: ['contextd'], door }))
  plugins = (await import(file)) as Record<string, Plugin>
  hooks = await plugins.Contextd!({ client, directory: folder })
}

function close(): Promise<void> {
  return new Promise((done) => void server.close(() => done()))
}

function asked(): string[] {
  const file = join(folder, 'asked')
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
}

const behind = (): object => ({ id: 'corp', options: { baseURL: `${base}/corp/v1` } })
const past = { id: 'corp', options: { baseURL: 'https://llm.corp/v1' } }

async function headers(
  provider: object,
  sessionID = 'ses_top',
  agent = 'build',
): Promise<Record<string, string>> {
  const output = { headers: {} }
  const model = { providerID: 'corp', id: 'm', api: { url: '' } }
  await hooks['chat.headers']({ sessionID, agent, model, provider }, output)
  return output.headers
}

async function answered(): Promise<string> {
  const output = { output: 'a hush' }
  await hooks['tool.execute.after']({ tool: 'bash', sessionID: 'ses_top', args: {} }, output)
  return output.output
}

async function history(): Promise<string> {
  const state = { status: 'completed', output: 'a hush' }
  const info = { role: 'user', sessionID: 'ses_top', model: { providerID: 'corp', modelID: 'm' } }
  const messages = [{ info, parts: [{ type: 'tool', tool: 'bash', state }] }]
  await hooks['experimental.chat.messages.transform']({}, { messages })
  return state.output
}

describe('where requests go', () => {
  test.each<[string, string, object, string | undefined]>([
    ['Anthropic', 'anthropic', {}, '/anthropic/v1'],
    ['OpenAI', 'openai', { options: { apiKey: 'x' } }, '/openai/v1'],
    ['Google', 'google', {}, '/gemini/v1beta'],
    ['a provider of the configuration', 'mine', at('https://llm.corp/v1'), '/corp/v1'],
    ['the one with the longest matching address', 'mine', at('https://llm.corp/deep/v1/'), '/corp-deep/v1'],
    [
      'one with its own address for Anthropic',
      'anthropic',
      { options: { baseURL: 'https://llm.corp/v1' } },
      '/corp/v1',
    ],
    ['another host', 'mine', at('https://llm.corp.example/v1'), undefined],
    [
      'another API at the same address',
      'mine',
      { ...at('https://llm.corp/v1'), npm: '@ai-sdk/openai' },
      undefined,
    ],
    [
      'an API that the door does not speak',
      'mine',
      { ...at('https://llm.corp/v1'), npm: 'other' },
      undefined,
    ],
  ])('%s', async (_, id, provider, path) => {
    const config = { provider: { [id]: structuredClone(provider) as { options?: { baseURL?: string } } } }
    await hooks.config(config)
    const address = config.provider[id]?.options?.baseURL
    if (path === undefined) expect(config.provider[id]).toEqual(provider)
    else expect(address).toBe(`${base}${path}`)
  })

  test('models that OpenCode knows itself, without listing an unused provider', async () => {
    const { provider } = await plugins.ContextdGoogle!({ client, directory: folder })
    const models = { a: { api: { url: '', npm: 'n' } }, b: { api: { url: 'https://other' } } }
    expect(provider.id).toBe('google')
    expect(await provider.models({ models })).toEqual({
      a: { api: { url: `${base}/gemini/v1beta`, npm: 'n' } },
      b: { api: { url: 'https://other' } },
    })
    const config = {}
    await hooks.config(config)
    expect(config).toEqual({})
  })

  test('not to a proxy in the environment', async () => {
    vi.stubEnv('NO_PROXY', 'intranet')
    await hooks.config({})
    expect([process.env.NO_PROXY, process.env.no_proxy]).toEqual(['intranet,127.0.0.1', 'intranet,127.0.0.1'])
  })

  test('nowhere else while the door is off', async () => {
    await load(false)
    const config = { provider: { mine: at('https://llm.corp/v1') } }
    await hooks.config(config)
    expect(config).toEqual({ provider: { mine: at('https://llm.corp/v1') } })
    expect((await plugins.ContextdGoogle!({ client, directory: folder })).provider).toBeUndefined()
    expect(await headers(past)).toEqual({})
    expect(asked()).toEqual([])
  })
})

function at(baseURL: string): object {
  return { npm: '@ai-sdk/anthropic', options: { baseURL } }
}

describe('who sends a request', () => {
  test.each([
    ['ses_top', { session: 'ses_top', agent: 'main' }],
    ['ses_scan', { session: 'ses_top', agent: 'scanner', instance: 'ses_scan' }],
  ])('%s', async (sessionID, caller) => {
    const signing = loadOrCreateKey(join(resolvePaths().keys, 'attestation.key'))
    const { [callerHeader]: text } = await headers(behind(), sessionID)
    expect(verifySignedCaller(text, { key: signing, now: Date.now() })).toEqual({ ...caller, folder })
  })

  test('no other requests get the header', async () => {
    expect(await headers(past)).toEqual({})
    expect(await headers({ ...behind(), options: { baseURL: `${base}/corp/v1`, fetch: () => {} } })).toEqual(
      {},
    )
  })
})

describe('what the door handles', () => {
  test('the output and the history of a session behind it, but not what protects files', async () => {
    expect([await answered(), await history()]).toEqual(['a [SECRET_1]', 'a [SECRET_1]'])
    await headers(behind())
    expect([await answered(), await history()]).toEqual(['a hush', 'a hush'])
    const earlier = asked().length
    await hooks['tool.execute.before']({ tool: 'bash', sessionID: 'ses_top' }, { args: { command: 'ls' } })
    expect(asked().slice(earlier).toSorted()).toEqual(['block-builtin', 'protect'])
  })

  test('nothing, once another provider is in use', async () => {
    await headers(behind())
    expect(await history()).toBe('a hush')
    // The history of this request was not scrubbed, so it must not bypass the door.
    await expect(headers(past, 'ses_top', 'compaction')).rejects.toThrow('Nothing was sent')
    await headers(behind())
    expect([await answered(), await history()]).toEqual(['a [SECRET_1]', 'a [SECRET_1]'])
    await expect(headers(past, 'ses_top', 'compaction')).resolves.toEqual({})
  })

  test('nothing, if the configuration names a model of another provider', async () => {
    await hooks.config({ agent: { compaction: { model: 'other/m' } } })
    await headers(behind())
    expect([await answered(), await history()]).toEqual(['a [SECRET_1]', 'a [SECRET_1]'])
  })
})

describe('without the door nothing is sent', () => {
  test('if contextd does not start', async () => {
    rmSync(join(folder, 'door.json'))
    const config = { provider: { anthropic: { options: { baseURL: undefined as string | undefined } } } }
    await hooks.config(config)
    expect(config.provider.anthropic.options.baseURL).toMatch(/^http:\/\/127\.0\.0\.1:9\//)
    await expect(headers(behind())).rejects.toThrow(
      /nothing was sent .*the daemon does not start.*ctxd doctor/,
    )
    await expect(headers(past)).rejects.toThrow('nothing was sent')
  })

  test.each<[string, () => void]>([
    ['is missing', () => rmSync(join(resolvePaths().keys, 'model-opencode'))],
    ['does not contain a key', () => writeFileSync(join(resolvePaths().keys, 'model-opencode'), 'x/../y')],
  ])('where the key %s', async (problem, change) => {
    change()
    await expect(headers(behind())).rejects.toThrow(problem)
  })

  test('a daemon that ended is restarted', async () => {
    await headers(behind())
    await close()
    const before = asked().length
    await headers(behind())
    expect(asked().slice(before)).toEqual(['door'])
    rmSync(join(folder, 'door.json'))
    await expect(headers(behind())).rejects.toThrow('the daemon does not start')
    server.listen(0, '127.0.0.1')
  })
})
