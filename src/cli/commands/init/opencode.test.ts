import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { filesIn, makeInitHome, type InitHome } from '../../../../test/support/init-home.ts'

let home: InitHome
beforeEach(() => {
  home = makeInitHome()
})
afterEach(() => home.remove())

const openCode = ['--platform', 'opencode']
const commented = `{
  // the model we agreed on
  "model": "x/y",
  "mcp": {
    "tickets": { "type": "local", "command": ["t"] }, // theirs
  },
}
`

const own = '.opencode/opencode.json'

it('writes the server, the plugin and the guidance', async () => {
  const { err, code } = await home.init(openCode)
  expect(code()).toBe(0)
  expect(err()).toContain('opencode is not on the PATH')
  expect(home.json(own)).toEqual({
    $schema: 'https://opencode.ai/config.json',
    mcp: { contextd: { type: 'local', command: ['contextd', 'mcp', 'serve'], enabled: true } },
    instructions: ['.opencode/contextd.md'],
  })
  expect(home.text('.opencode/plugin/contextd.js')).toContain('\nconst PROGRAM = ["contextd"]\n')
  expect(home.text('.opencode/contextd.md')).toContain('safe_bash')
  for (const name of ['opencode.json', 'AGENTS.md']) expect(existsSync(home.at(name))).toBe(false)
})

it("leaves the team's configuration in the same folder as it is", async () => {
  home.put(own, '{ "model": "x/y" }')
  const before = home.files()
  await home.init(openCode)
  expect(home.text(own)).toBe('{ "model": "x/y" }')
  expect(home.json('.opencode/opencode.jsonc')).toMatchObject({ mcp: { contextd: {} } })
  expect((await home.init(openCode)).out()).toBe('Nothing to do.\n')
  await home.init(['--undo'], { answer: 'y' })
  expect(home.files()).toEqual(before)
})

it('routes model requests through the door, with a key that only the user can read', async () => {
  const { err } = await home.init(openCode)
  expect(err()).toContain('go through contextd')
  expect(home.text('.opencode/plugin/contextd.js')).toContain('\nconst DOOR = true\n')
  const key = join(home.path, 'state', 'keys', 'model-opencode')
  expect(statSync(key).mode & 0o777).toBe(0o600)
  const before = readFileSync(key, 'utf8')
  expect(Object.values(home.files()).join()).not.toContain(before.trim())
  rmSync(key)
  expect((await home.init(openCode)).out()).toBe('Nothing to do.\n')
  expect(readFileSync(key, 'utf8')).toMatch(/^ctxm_\S+\n$/)
})

it.each([
  ['--no-door', [...openCode, '--no-door'], ''],
  ['a daemon that speaks HTTPS', openCode, '[http]\ntls = true\n'],
])('leaves requests unchanged with %s', async (_, argv, config) => {
  mkdirSync(join(home.path, 'config'), { recursive: true })
  writeFileSync(join(home.path, 'config', 'config.toml'), config)
  await home.init(argv)
  expect(home.text('.opencode/plugin/contextd.js')).toContain('\nconst DOOR = false\n')
  expect(existsSync(join(home.path, 'state', 'keys', 'model-opencode'))).toBe(false)
})

it("adds the client's own providers to our configuration, and removes them again", async () => {
  const config = join(home.path, 'config', 'config.toml')
  home.put(
    'opencode.json',
    JSON.stringify({
      provider: {
        corp: { npm: '@ai-sdk/anthropic', options: { baseURL: 'https://llm.corp/v1' } },
        odd: { npm: '@ai-sdk/mistral', options: { baseURL: 'https://odd.corp/v1' } },
      },
    }),
  )
  const before = home.files()
  const preview = await home.init([...openCode, '--dry-run'])
  expect(preview.out()).toContain('+[model.providers.corp]')
  expect(existsSync(config)).toBe(false)
  const { err } = await home.init([...openCode, '--mode', 'strict'])
  expect(err()).toContain('the provider odd are unchanged')
  const providers = '[model.providers.corp]\nurl = "https://llm.corp"\napi = "anthropic"\n'
  expect(readFileSync(config, 'utf8')).toBe(`[client]\nmode = "strict"\n\n${providers}`)
  expect((await home.init([...openCode, '--mode', 'strict'])).out()).toBe('Nothing to do.\n')
  await home.init(['--undo', ...openCode], { answer: 'y' })
  expect(readFileSync(config, 'utf8').trim()).toBe('[client]\nmode = "strict"')
  expect(home.files()).toEqual(before)
})

it('preserves comments, and restores everything', async () => {
  home.put('opencode.jsonc', commented)
  const before = home.files()
  await home.init([...openCode, '--shared'])
  expect(existsSync(home.at('opencode.json'))).toBe(false)
  expect(home.text('opencode.jsonc')).toBe(
    commented.replace(
      ', // theirs\n',
      `, // theirs
    "contextd": {
      "type": "local",
      "command": [
        "contextd",
        "mcp",
        "serve"
      ],
      "enabled": true
    },
`,
    ),
  )
  expect((await home.init([...openCode, '--shared'])).out()).toBe('Nothing to do.\n')
  await home.init(['--undo'], { answer: 'y' })
  expect(home.files()).toEqual(before)
})

it.each<[string, { permission: unknown } | undefined]>([
  ['nothing', undefined],
  ['one word for all', { permission: 'allow' }],
  ['rules that would win', { permission: { bash: { 'git *': 'allow' }, '*': 'allow' } }],
])('denies the built-in tools in strict mode, and leaves the rules of the team: %s', async (_, config) => {
  if (config !== undefined) home.put('opencode.json', JSON.stringify(config, null, 2))
  const before = home.files()
  await home.init([...openCode, '--mode', 'strict'])
  const { permission } = home.json(own) as { permission: Record<string, string> }
  for (const tool of ['bash', 'read', 'edit', 'glob', 'grep']) expect(permission[tool]).toBe('deny')
  expect(home.files()['opencode.json']).toBe(before['opencode.json'])
  await home.init([...openCode, '--mode', 'friendly'], { answer: 'y' })
  expect((home.json(own) as { permission?: object }).permission).toBeUndefined()
  await home.init(['--undo'], { answer: 'y' })
  expect(home.files()).toEqual(before)
})

it('overrides earlier rules of the user in strict mode', async () => {
  const file = join(home.person, '.config/opencode/opencode.json')
  mkdirSync(join(home.person, '.config/opencode'), { recursive: true })
  writeFileSync(file, '{"permission":{"bash":{"git *":"allow"},"*":"allow"}}')
  await home.init([...openCode, '--user', '--mode', 'strict'])
  const { permission } = JSON.parse(readFileSync(file, 'utf8')) as { permission: object }
  // The last matching rule applies.
  expect(Object.entries(permission)[0]).toEqual(['*', 'allow'])
  expect(permission).toMatchObject({ bash: 'deny' })
})

it('adds a declaration to agent files on request', async () => {
  home.put('.opencode/agent/reviewer.md', '---\nmode: subagent\n---\nYou review.\n')
  const before = home.files()
  await home.init(openCode)
  expect(home.text('.opencode/agent/reviewer.md')).not.toContain('agent_id')
  await home.init([...openCode, '--declare-agents'])
  expect(home.text('.opencode/agent/reviewer.md')).toContain(
    'You review.\n\n<!-- contextd: begin -->\nGive `agent_id: "reviewer"`',
  )
  await home.init(['--undo'], { answer: 'y' })
  expect(home.files()).toEqual(before)
})

it('reports that the agents folder is not a folder', async () => {
  home.put('.opencode/agent', 'no folder')
  const { err } = await home.init([...openCode, '--declare-agents'])
  expect(err()).toContain('CONFIG_INVALID')
  expect(err()).toContain('.opencode/agent: cannot be read as a folder (ENOTDIR)')
})

it('undoes one client and keeps the other', async () => {
  await home.init(['--platform', 'claude-code'])
  const { '.claude/settings.local.json': settings } = home.files()
  await home.init(['--platform', 'all'])
  await home.init(['--undo', ...openCode], { answer: 'y' })
  expect(existsSync(home.at(own))).toBe(false)
  expect(home.text('.claude/settings.local.json')).toBe(settings)
})

it("writes to the user's own folder", async () => {
  await home.init([...openCode, '--user'])
  const folder = join(home.person, '.config', 'opencode')
  expect(Object.keys(filesIn(folder))).toEqual(['AGENTS.md', 'opencode.json', 'plugin', 'plugin/contextd.js'])
  await home.init(['--undo', '--user'], { answer: 'y' })
  expect(filesIn(folder)).toEqual({})
})

it('moves servers out of its file, and preserves the surrounding comments', async () => {
  home.put('opencode.jsonc', commented)
  const before = home.files()
  await home.init([...openCode, '--move-servers', '--mode', 'friendly'], { answer: 'y' })
  expect(home.json('.contextd/servers.json')).toEqual({ mcpServers: { tickets: { command: 't' } } })
  const moved = readFileSync(home.at('opencode.jsonc'), 'utf8')
  expect(moved).not.toContain('tickets')
  expect(moved).toContain('// the model we agreed on')
  await home.init(['--undo'], { answer: 'y' })
  expect(home.files()).toEqual(before)
})
