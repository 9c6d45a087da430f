import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { fakeIo, type FakeIo } from '@contextd/shared/testing/cli-io'
import { sampleSecrets } from '../../../../test/support/registry.ts'
import { makeTempHome, type TempHome } from '../../../../test/support/temp-home.ts'
import { openRecords } from '../../../compose.ts'
import { runCli } from '@contextd/shared/cli/output'
import { rulesCommand } from '../rules/rules.ts'
import { upstreamCommand } from './upstream.ts'

const [secret = ''] = sampleSecrets(1)

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

interface Setting {
  readonly answer?: string
  readonly env?: NodeJS.ProcessEnv
}

async function run(argv: string[], { answer, env }: Setting = {}): Promise<FakeIo> {
  const fake = fakeIo({
    env: { ...home.env, HOME: join(home.path, 'me'), ...env },
    cwd: home.project,
    answer,
  })
  await runCli(upstreamCommand(fake.io), fake.io, argv)
  return fake
}
const yes = (...argv: string[]): Promise<FakeIo> => run(argv, { answer: 'y' })

const userFile = (): string => join(home.path, 'config', 'servers.json')
const projectFile = (): string => join(home.project, '.contextd', 'servers.json')
const stored = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

function withStore<T>(work: (records: ReturnType<typeof openRecords>) => T): T {
  const records = openRecords(home.env)
  try {
    return work(records)
  } finally {
    records.close()
  }
}
const trust = (file: string): void => withStore((records) => records.trust.trust(file, readFileSync(file)))
const events = (): unknown[] =>
  withStore(({ audit }) =>
    audit.query({ kind: 'event' }).map(({ event, details }) => Object.assign({ event }, details)),
  )

const servers = (...names: string[]): object => ({
  mcpServers: Object.fromEntries(names.map((name) => [name, { command: 'x' }])),
})

describe('list', () => {
  test('may be empty', async () => {
    expect((await run(['list'])).out()).toMatch(/^No servers\./)
    expect(JSON.parse((await run(['list', '--json'])).out())).toEqual({
      servers: [],
      files: [],
      warnings: [],
      problems: [],
    })
  })

  test('shows origin and missing parts of every server, and no values', async () => {
    home.write('config/servers.json', {
      mcpServers: {
        good: { command: 'x', args: ['${SET}'], env: { TOKEN: '${secret:kept}' } },
        off: { url: 'https://a.example/sse', type: 'sse', disabled: true },
        lacking: { url: 'https://a.example', headers: { A: '${NOT_SET} ${secret:none}' } },
        odd: { command: 'x', arg: [] },
      },
    })
    home.write('config/.mcp.json', servers('good'))
    home.write('project/.contextd/servers.json', servers('stranger'))
    home.write('project/.mcp.json', servers('good', 'here'))
    trust(join(home.project, '.mcp.json'))
    withStore(({ secrets }) => secrets.set('kept', 'correct-Horse7-battery9'))
    const { out, err, code } = await run(['list'], { env: { SET: 'hidden-value' } })
    expect(code()).toBe(0)
    expect(
      out()
        .replaceAll(home.path, '')
        .split('\n')
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      ['SERVER', 'TRANSPORT', 'STATE', 'FROM'],
      ['good', 'stdio', 'ok', '/config/servers.json:3'],
      ['off', 'sse', 'disabled', '/config/servers.json:12'],
      [
        'lacking',
        'http',
        'the variable NOT_SET is not set; the secret none is not set (ctxd secret set none)',
        '/config/servers.json:17',
      ],
      ['odd', 'stdio', 'ok', '/config/servers.json:23'],
      ['good', 'stdio', 'passed over', '/config/.mcp.json:3'],
      ['good', 'stdio', 'passed over', '/project/.mcp.json:3'],
      ['here', 'stdio', 'ok', '/project/.mcp.json:6'],
      ['stranger', 'stdio', 'not trusted', '/project/.contextd/servers.json:3'],
      [''],
    ])
    expect(err()).toContain('did you mean "args"?')
    expect(err()).toContain(`${projectFile()} is ignored until you review it`)
    const json = (await run(['list', '--json'], { env: { SET: 'hidden-value' } })).out()
    expect(JSON.parse(json)).toMatchObject({
      servers: [
        { name: 'good', transport: 'stdio', state: 'ok', role: 'user', line: 3 },
        ...Array.from({ length: 7 }, () => ({})),
      ],
      files: [{ state: 'ok' }, { state: 'ok' }, { state: 'not trusted' }, { state: 'ok' }],
    })
    expect(json + out()).not.toContain('hidden-value')
  })

  test('an invalid file does not hide others', async () => {
    home.write('config/servers.json', '{"mcpServers": {"a": {}}}')
    home.write('config/.mcp.json', servers('b'))
    const { out, err, code } = await run(['list'])
    expect([code(), out()]).toEqual([78, expect.stringMatching(/\nb +stdio +ok/)])
    expect(err()).toContain(`${userFile()}:1:22: mcpServers.a: expected "command" or "url"`)
  })
})

describe('add', () => {
  test('writes a command after confirming exactly that', async () => {
    const { out, asked, code } = await yes(
      'add',
      'git',
      '--description',
      'Issues',
      '--env',
      'A=b=c',
      '--env',
      'TOKEN=${secret:git}',
      '--cwd',
      'sub',
      '--sandbox',
      'fs:read:src/**',
      '--sandbox',
      'http:fetch:a.example',
      '--stateless',
      '--transparent',
      '--',
      'npx',
      '-y',
      '--json',
      'git-mcp',
    )
    const entry = {
      description: 'Issues',
      command: 'npx',
      args: ['-y', '--json', 'git-mcp'],
      env: { A: 'b=c', TOKEN: '${secret:git}' },
      cwd: join(home.project, 'sub'),
      sandbox: { capabilities: ['fs:read:src/**', 'http:fetch:a.example'] },
      stateless: true,
      transparent: true,
    }
    expect(code()).toBe(0)
    expect(stored(userFile())).toEqual({ mcpServers: { git: entry } })
    expect(statSync(userFile()).mode & 0o777).toBe(0o600)
    const [first, ...shown] = asked().split('\n')
    expect(first).toBe(`In ${userFile()}:`)
    expect(JSON.parse(`{${shown.slice(0, -1).join('')}}`)).toEqual({ git: entry })
    expect(shown.at(-1)).toBe('Add the server git? [y/N] ')
    expect(out()).toBe(`Added: git, in ${userFile()}\n`)
    expect(events()).toEqual([{ event: 'upstream-added', server: 'git', file: userFile() }])
  })

  test('writes a URL, and keeps existing entries', async () => {
    const before = '{ "mcpServers": {"a":{"command":"x"}},  "other": 1 }'
    home.write('config/servers.json', before)
    await yes(
      'add',
      'web',
      '--url',
      'https://a.example/sse',
      '--transport',
      'sse',
      '--header',
      'X-Key:  k: v ',
    )
    const added = '"web": {"url":"https://a.example/sse","type":"sse","headers":{"X-Key":"k: v"}}'
    expect(readFileSync(userFile(), 'utf8')).toBe(before.replace('"x"}}', `"x"}, ${added}}`))
  })

  test('uses the file that GATEWAY_MCP_CONFIG names', async () => {
    await run(['add', 'a', '--', 'x'], { answer: 'y', env: { GATEWAY_MCP_CONFIG: 'mine.json' } })
    expect(stored(join(home.path, 'config', 'mine.json'))).toEqual({ mcpServers: { a: { command: 'x' } } })
    expect(existsSync(userFile())).toBe(false)
  })

  test('shows no credential, and explains how to store it', async () => {
    const { asked, err, out } = await yes(
      'add',
      'git',
      '--env',
      `GITHUB_TOKEN=${secret}`,
      '--json',
      '--',
      'x',
      secret,
    )
    expect(asked() + err() + out()).not.toContain(secret)
    expect(JSON.parse(out())).toMatchObject({
      added: 'git',
      secrets: [
        { server: 'git', where: 'args[0]', secret: 'git-argument' },
        { server: 'git', where: 'env.GITHUB_TOKEN', secret: 'git-GITHUB_TOKEN' },
      ],
    })
    expect(readFileSync(userFile(), 'utf8')).toContain(secret)
    const again = await yes(
      'add',
      'other',
      '--url',
      'https://a.example',
      '--header',
      'Authorization: Bearer own-kind-of-key',
    )
    expect(again.err()).toContain('ctxd secret set other-Authorization')
    expect(again.err()).toContain('${secret:other-Authorization}')
    expect(again.asked() + again.err()).not.toContain('own-kind')
  })

  test('in a project: trusted as written, unless the user has not seen the rest', async () => {
    const isTrusted = (): boolean =>
      withStore((records) => records.trust.isTrusted(projectFile(), readFileSync(projectFile())))
    const first = await yes('add', 'a', '--project', '--cwd', 'sub', '--', 'x')
    expect(stored(projectFile())).toEqual({ mcpServers: { a: { command: 'x', cwd: 'sub' } } })
    expect([isTrusted(), first.err().includes('ctxd trust')]).toEqual([true, false])
    expect(events()).toMatchObject([
      { event: 'trust-given', path: projectFile() },
      { event: 'upstream-added' },
    ])
    await yes('add', 'b', '--project', '--', 'x')
    expect(isTrusted()).toBe(true)
    home.write('project/.contextd/servers.json', servers('planted'))
    const { err } = await yes('add', 'c', '--project', '--', 'x')
    expect([isTrusted(), err()]).toEqual([
      false,
      expect.stringContaining('until you review it and run `ctxd trust`'),
    ])
  })

  test.each(['file', 'folder'])('a project cannot redirect it with a link (%s)', async (kind) => {
    const elsewhere = home.write('elsewhere/servers.json', servers('a'))
    const before = readFileSync(elsewhere, 'utf8')
    if (kind === 'folder') symlinkSync(dirname(elsewhere), join(home.project, '.contextd'))
    else {
      mkdirSync(dirname(projectFile()))
      symlinkSync(elsewhere, projectFile())
    }
    const { code, err } = await yes('add', 'evil', '--project', '--', 'x')
    expect([code(), err()]).toEqual([78, expect.stringContaining('is a link')])
    expect(readFileSync(elsewhere, 'utf8')).toBe(before)
    // The user's own file may be a link, and is written through it.
    mkdirSync(join(home.path, 'config'))
    symlinkSync(elsewhere, userFile())
    await yes('add', 'mine', '--', 'x')
    expect(readFileSync(elsewhere, 'utf8')).toContain('mine')
  })

  test('does not overwrite changes made during the prompt', async () => {
    home.write('config/servers.json', servers('a'))
    const fake = fakeIo({ env: home.env, cwd: home.project, answer: 'y' })
    const terminal = fake.io.openTerminal?.()
    const io = {
      ...fake.io,
      openTerminal: () =>
        terminal && {
          ...terminal,
          readLine: async () => {
            writeFileSync(userFile(), JSON.stringify(servers('a', 'b')))
            return 'y'
          },
        },
    }
    await runCli(upstreamCommand(io), io, ['add', 'c', '--', 'x'])
    expect(fake.err()).toContain('changed in the meantime')
    expect(stored(userFile())).toEqual(servers('a', 'b'))
  })

  test.each<[string, number, string[], Setting]>([
    ['the user refuses', 22, ['add', 'a', '--', 'x'], { answer: 'n' }],
    ['there is no terminal', 22, ['add', 'a', '--', 'x'], {}],
    ['an agent runs it', 22, ['add', 'a', '--', 'x'], { answer: 'y', env: { CLAUDECODE: '1' } }],
    ['neither command nor address is given', 2, ['add', 'a'], { answer: 'y' }],
    ['both are', 2, ['add', 'a', '--url', 'https://a.example', '--', 'x'], { answer: 'y' }],
    ['an option says nothing about it', 2, ['add', 'a', '--header', 'A: b', '--', 'x'], { answer: 'y' }],
    ['another one neither', 2, ['add', 'a', '--url', 'https://a.example', '--env', 'A=b'], { answer: 'y' }],
    ['a variable has no name', 2, ['add', 'a', '--env', '=b', '--', 'x'], { answer: 'y' }],
    ['the name cannot be', 2, ['add', 'a__b', '--', 'x'], { answer: 'y' }],
    ['the name is ours', 2, ['add', 'contextd', '--', 'x'], { answer: 'y' }],
    ['the address cannot be', 2, ['add', 'a', '--url', 'a.example'], { answer: 'y' }],
    ['the capability cannot be', 2, ['add', 'a', '--sandbox', 'fs:red', '--', 'x'], { answer: 'y' }],
  ])('writes nothing: %s', async (_, exit, argv, setting) => {
    const { code, out } = await run(argv, setting)
    expect([code(), out(), existsSync(userFile())]).toEqual([exit, '', false])
    expect(events()).toEqual([])
  })

  test('writes nothing if the name exists', async () => {
    home.write('config/servers.json', servers('a'))
    const { code, err } = await yes('add', 'a', '--', 'y')
    expect([code(), err()]).toEqual([2, expect.stringContaining('a server named a already exists')])
    expect(stored(userFile())).toEqual(servers('a'))
  })
})

describe('access to the server after add', () => {
  const explain = async (agent: string, server: string, tool: string): Promise<unknown> => {
    const argv = ['explain', '--agent', agent, '--server', server, '--tool', tool, '--json']
    return (JSON.parse((await home.run(rulesCommand, ...argv)).out()) as { decision: string }).decision
  }

  test('without rules: prints the file to write, which grants access without removing any', async () => {
    const { err } = await yes('add', 'git', '--', 'x')
    const [, file = '', text = ''] = /add to (\S+): (\{.*\})\n/.exec(err()) ?? []
    expect(file).toBe(join(home.path, 'config', 'rules.json'))
    writeFileSync(file, text)
    for (const agent of ['main', 'default']) {
      expect(await explain(agent, 'git', 'any')).toBe('allow')
      expect(await explain(agent, 'contextd', 'safe_bash')).toBe('allow')
      expect(await explain(agent, 'other', 'any')).toBe('deny')
    }
  })

  test('with rules: prints who has access, or the line to add', async () => {
    const rules = home.write('config/rules.json', {
      agents: {
        'team.web': { allow: { servers: ['git'], tools: { git: ['read_*'] } } },
        main: { allow: { servers: ['contextd'] } },
        shut: { allow: { servers: ['*'] }, deny: { servers: ['git', 'db'] } },
      },
    })
    expect((await yes('add', 'git', '--', 'x')).out()).toContain('Agents that may use git: team.web.\n')
    const { err } = await yes('add', 'db', '--', 'x')
    expect(err()).toBe(`note: no agent can use it yet: add "db" to agents.main.allow.servers in ${rules}\n`)
  })

  test('with rules that do not load', async () => {
    home.write('config/rules.json', '{')
    const { err, code } = await yes('add', 'git', '--', 'x')
    expect([code(), err()]).toEqual([0, expect.stringContaining('the rules do not load: ')])
    expect(stored(userFile())).toEqual(servers('git'))
  })
})

describe('remove', () => {
  test("removes it from the user's file that names it", async () => {
    home.write('config/servers.json', servers('a', 'b'))
    const other = home.write('config/.mcp.json', servers('c'))
    const { asked, out } = await yes('remove', 'b')
    expect(asked()).toBe(`Remove the server b from ${userFile()}? [y/N] `)
    expect(out()).toBe(`Removed: b, from ${userFile()}\n`)
    expect(stored(userFile())).toEqual(servers('a'))
    expect(JSON.parse((await yes('remove', 'c', '--json')).out())).toEqual({
      removed: 'c',
      file: other,
      counts: true,
    })
    expect(stored(other)).toEqual(servers())
    expect(events()).toMatchObject([
      { event: 'upstream-removed', server: 'c', file: other },
      { event: 'upstream-removed', server: 'b' },
    ])
  })

  test('in a project, removes only what is in our own file', async () => {
    home.write('project/.contextd/servers.json', servers('a', 'b'))
    home.write('project/.mcp.json', servers('c'))
    trust(projectFile())
    expect((await yes('remove', 'a', '--project')).code()).toBe(0)
    expect(stored(projectFile())).toEqual(servers('b'))
    expect((await yes('remove', 'c', '--project')).code()).toBe(12)
  })

  test.each<[string, number, string, Setting]>([
    ['there is none', 12, 'c', { answer: 'y' }],
    ['the user refuses', 22, 'a', { answer: 'n' }],
    ['there is no terminal', 22, 'a', {}],
    ['an agent runs it', 22, 'a', { answer: 'y', env: { AI_AGENT: 'x' } }],
  ])('changes nothing: %s', async (_, exit, name, setting) => {
    home.write('config/servers.json', servers('a'))
    expect((await run(['remove', name], setting)).code()).toBe(exit)
    expect(stored(userFile())).toEqual(servers('a'))
    expect(events()).toEqual([])
  })
})

describe('import', () => {
  beforeEach(() => {
    home.write('me/.claude.json', {
      mcpServers: {
        contextd: { command: 'contextd' },
        git: { command: 'git-mcp', env: { GITHUB_TOKEN: secret } },
      },
    })
    home.write(
      'me/.cursor/mcp.json',
      '{"mcpServers": {"web": {"url": "https://a.example", "timeout": 1,},},}',
    )
    home.write('project/.vscode/mcp.json', '{"servers": {"local": {"command": "${workspaceFolder}/run"}}}')
  })

  test("imports the servers of the user's clients, after confirming all of them", async () => {
    home.write('config/servers.json', servers('old'))
    const { out, err, asked } = await yes('import')
    expect(out()).toBe(`Added: git, web, in ${userFile()}\n`)
    expect(stored(userFile())).toEqual({
      mcpServers: {
        old: { command: 'x' },
        git: { command: 'git-mcp', env: { GITHUB_TOKEN: secret } },
        web: { url: 'https://a.example' },
      },
    })
    expect(asked()).toContain(`from ${join(home.path, 'me', '.cursor', 'mcp.json')}`)
    expect(asked()).toMatch(/Add 2 servers\? \[y\/N\] $/)
    expect(err()).toContain('skipped contextd in ')
    expect(err()).toContain('it is contextd itself')
    expect(err()).toContain('web: timeout is not imported')
    expect(err()).toContain(
      'git: env.GITHUB_TOKEN contains a plain-text credential. Run `ctxd secret set git-GITHUB_TOKEN`',
    )
    expect(err()).toContain('"servers":["git","web"]')
    expect(asked() + err() + out()).not.toContain(secret)
    expect(events()).toEqual([{ event: 'upstream-imported', servers: ['git', 'web'], file: userFile() }])
    const again = await yes('import')
    expect([again.out(), again.asked()]).toEqual(['Nothing to import.\n', ''])
    expect(again.err()).toContain('a server with this name already exists')
  })

  test('can be limited to some, or to one client', async () => {
    expect((await yes('import', '--from', 'cursor')).out()).toMatch(/^Added: web,/)
    const { out } = await yes('import', 'git', '--json')
    expect(JSON.parse(out())).toMatchObject({ added: [{ name: 'git', client: 'claude-code' }], counts: true })
    expect((await yes('import', 'nothing')).code()).toBe(12)
    expect((await yes('import', '--from', 'emacs')).code()).toBe(2)
  })

  test("imports a project's servers into its own file, only on request", async () => {
    await yes('import', '--project')
    expect(stored(projectFile())).toEqual({ mcpServers: { local: { command: '${CONTEXTD_PROJECT}/run' } } })
    expect(existsSync(userFile())).toBe(false)
  })

  test.each<[string, Setting]>([
    ['the user refuses', { answer: 'n' }],
    ['there is no terminal', {}],
    ['an agent runs it', { answer: 'y', env: { CLAUDECODE: '1' } }],
  ])('writes nothing: %s', async (_, setting) => {
    const { code, err } = await run(['import'], setting)
    expect([code(), existsSync(userFile())]).toEqual([22, false])
    expect(err()).not.toContain(secret)
  })
})
