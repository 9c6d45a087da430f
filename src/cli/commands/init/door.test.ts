import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { makeInitHome, type InitHome, type InitOptions } from '../../../../test/support/init-home.ts'
import { readDoorUrl } from '../../../clients/model-door/door-url.ts'
import { resolvePaths } from '../../../platform/files/paths.ts'

let home: InitHome
beforeEach(() => {
  home = makeInitHome()
})
afterEach(() => home.remove())

const claude = ['--platform', 'claude-code']
const gateway = 'https://gateway.example/anthropic'
const local = '.claude/settings.local.json'
const config = (): string => join(home.path, 'config', 'config.toml')
const configText = (): string | undefined =>
  existsSync(config()) ? readFileSync(config(), 'utf8') : undefined
const baseUrl = (file: string): unknown =>
  (JSON.parse(readFileSync(file, 'utf8')) as { env?: { ANTHROPIC_BASE_URL?: string } }).env
    ?.ANTHROPIC_BASE_URL
const undo = (): ReturnType<typeof home.init> => home.init(['--undo'], { answer: 'y' })

async function init(argv: readonly string[], options: InitOptions = {}): Promise<string> {
  const { err, code } = await home.init([...claude, ...argv], options)
  expect([err(), code()]).toEqual([err(), 0])
  return err()
}

describe('in a project', () => {
  it('writes the base URL with a key to the unshared settings, readable by this user only', async () => {
    await init([])
    const url = baseUrl(home.at(local)) as string
    expect(readDoorUrl(url)).toMatchObject({ port: 7391, provider: 'anthropic' })
    expect(statSync(home.at(local)).mode & 0o777).toBe(0o600)
    expect(existsSync(home.at('.claude/settings.json'))).toBe(false)
    const keyFile = join(resolvePaths({ CONTEXTD_HOME: home.path }).keys, 'model-claude-code')
    expect(readFileSync(keyFile, 'utf8').trim()).toBe(readDoorUrl(url)?.key)
    expect(home.text('.claude/settings.local.json')).not.toContain('"scrub"')
    expect(configText()).toBeUndefined()
  })

  it('excludes that file from git', async () => {
    mkdirSync(home.at('.git/info'), { recursive: true })
    writeFileSync(home.at('.git/info/exclude'), '# mine\n*.log')
    await init([])
    expect(home.text('.git/info/exclude')).toMatch(
      /^# mine\n\*\.log\n# Written by ctxd init .*\n\/\.claude\/settings\.local\.json\n/,
    )
    await undo()
    expect(home.text('.git/info/exclude')).toBe('# mine\n*.log')
  })

  it('changes nothing the second time', async () => {
    await init([])
    const before = home.files()
    const { out } = await home.init(claude)
    expect(out()).toContain('Nothing to do.')
    expect(home.files()).toEqual(before)
  })

  it('leaves nothing after --undo, even if the file was changed since', async () => {
    await init([])
    await undo()
    expect(home.files()).toEqual({})
    home.put(local, '{"model":"x"}')
    await init([])
    const { env } = home.json(local) as { env: object }
    home.put(local, JSON.stringify({ model: 'y', env }))
    await undo()
    expect(home.json(local)).toEqual({ model: 'y' })
  })

  it('shows no key, and creates none in a dry run', async () => {
    const { out } = await home.init([...claude, '--dry-run', '--json'])
    expect(out()).toContain('/model/<key>/anthropic')
    expect(existsSync(resolvePaths({ CONTEXTD_HOME: home.path }).keys)).toBe(false)
    const { out: shown } = await home.init(claude)
    expect(shown()).toContain('/model/<key>/anthropic')
    expect(shown()).not.toContain(readDoorUrl(baseUrl(home.at(local)) as string)?.key)
  })
})

describe('an existing base URL', () => {
  const variable = { ANTHROPIC_BASE_URL: `${gateway}/` }

  it("from the environment becomes the door's upstream, and is restored", async () => {
    expect(await init([], { env: variable })).toContain(`requests are forwarded to ${gateway}`)
    expect(configText()).toBe(`[model]\nanthropic = "${gateway}"\n`)
    expect((await home.init(claude, { env: variable })).out()).toContain('Nothing to do.')
    await undo()
    expect(configText()).toBeUndefined()
  })

  it('is restored, except for later changes by the user', async () => {
    await init([], { env: variable })
    writeFileSync(config(), `# mine\n[model]\nanthropic = "${gateway}"\n[log]\nlevel = "warn"\n`)
    await undo()
    expect(configText()).toBe('# mine\n[model]\n[log]\nlevel = "warn"\n')
  })

  it('of the user is replaced in their settings, and restored', async () => {
    const settings = join(home.person, '.claude/settings.json')
    mkdirSync(join(home.person, '.claude'))
    writeFileSync(settings, JSON.stringify({ env: variable }), { mode: 0o644 })
    await init(['--user'])
    expect(readDoorUrl(baseUrl(settings) as string)).toBeDefined()
    expect(statSync(settings).mode & 0o777).toBe(0o600)
    expect(configText()).toContain(gateway)
    await home.init(['--user', '--undo'], { answer: 'y' })
    expect(baseUrl(settings)).toBe(variable.ANTHROPIC_BASE_URL)
    expect(configText()).toBeUndefined()
  })

  it('of a project requires confirmation, because it would receive the requests of all projects', async () => {
    home.put('.claude/settings.json', JSON.stringify({ env: variable }))
    const { code, err } = await home.init(claude)
    expect([code(), err()]).toEqual([expect.any(Number), expect.stringContaining('terminal')])
    expect(code()).not.toBe(0)
    expect(configText()).toBeUndefined()
    await home.init([...claude, '--mode', 'friendly'], { answer: 'y' })
    expect(configText()).toContain(gateway)
  })

  it('remains the upstream while another project uses it', async () => {
    await init([], { env: variable })
    const other = join(home.path, 'other')
    mkdirSync(other)
    await home.init([...claude, '--user'], { env: variable })
    const kept = /config\.toml keeps the addresses behind the model door/
    expect((await undo()).err()).toMatch(kept)
    expect(configText()).toContain(gateway)
    const { err } = await home.init(['--user', '--undo'], { answer: 'y' })
    expect(err()).not.toMatch(kept)
  })

  it('is refused if requests to it could be read on the network', async () => {
    const { code, err } = await home.init(claude, { env: { ANTHROPIC_BASE_URL: 'http://gateway.example' } })
    expect([code() === 0, err()]).toEqual([false, expect.stringContaining('model.anthropic')])
    expect(err()).toMatch(/send requests to ANTHROPIC_BASE_URL: .*\n.*--no-door/)
    expect(home.files()).toEqual({})
  })
})

describe('without the door', () => {
  const hasScrub = (): boolean => home.text('.claude/settings.local.json').includes('"scrub"')

  it('hooks scrub with --no-door, even if the door was on', async () => {
    await init([])
    expect(hasScrub()).toBe(false)
    await init(['--no-door'])
    expect(hasScrub()).toBe(true)
    expect(baseUrl(home.at(local))).toBeUndefined()
  })

  it.each(['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX'])('hooks scrub with %s', async (name) => {
    expect(await init([], { env: { [name]: '1' } })).toContain(name)
    expect(hasScrub()).toBe(true)
    expect(baseUrl(home.at(local))).toBeUndefined()
  })

  it('hooks scrub if the daemon has no fixed port', async () => {
    mkdirSync(join(home.path, 'config'), { recursive: true })
    writeFileSync(config(), '[http]\nport = 0\n')
    expect(await init([])).toContain('http.port is 0')
    expect(hasScrub()).toBe(true)
  })
})

it('with --door only the base URL is set, for the plugin', async () => {
  await init(['--door'])
  expect(Object.keys(home.files())).toEqual(['.claude', local])
})

it.each(['NO_PROXY', 'no_proxy'])('a proxy does not receive requests to this machine (%s)', async (name) => {
  const env = {
    HTTPS_PROXY: 'http://proxy.example:8080',
    NO_PROXY: 'other.example',
    [name]: 'intern.example',
  }
  await init([], { env })
  expect(home.json(local)).toMatchObject({ env: { [name]: 'intern.example,127.0.0.1' } })
  expect((await home.init(claude, { env })).out()).toContain('Nothing to do.')
})
