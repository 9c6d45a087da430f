import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { runCli } from '@contextd/shared/cli/output'
import type { JsonObject } from '@contextd/shared/json/value'
import { fakeIo, type FakeIo } from '@contextd/shared/testing/cli-io'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { sampleSecrets } from '../../../../../test/support/registry.ts'
import { makeTempHome, type TempHome } from '../../../../../test/support/temp-home.ts'
import { composeRuntime, openRecords, type Runtime } from '../../../../compose.ts'
import type { Claims } from '../../../../core/call.ts'
import { resultText } from '../../../../stages/audit/call-record.ts'
import { rulesCommand } from '../rules.ts'

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

interface Asked {
  readonly tool: string
  readonly args?: JsonObject
  readonly agent?: string
  readonly claims?: Claims
}

/** Calls through the real pipeline, in one session; returns the answers as text. */
async function calls(...asked: readonly Asked[]): Promise<string[]> {
  return withRuntimeHere(async (runtime) => {
    const client = { name: 'test', version: '1', door: 'cli' } as const
    const session = runtime.sessions.begin(client)
    const answers: string[] = []
    for (const { tool, args = {}, agent = 'main', claims = { declared: agent } } of asked) {
      const { signal } = new AbortController()
      const call = runtime.newCall({ method: 'tool', tool, arguments: args, session, client, signal, claims })
      answers.push(resultText(await runtime.handle(call)))
    }
    return answers
  })
}

async function withRuntimeHere<T>(work: (runtime: Runtime) => Promise<T>): Promise<T> {
  const runtime = await composeRuntime({ env: home.env, cwd: home.project, log: () => {} })
  try {
    return await work(runtime)
  } finally {
    await runtime.close()
  }
}

interface Suggested extends JsonObject {
  readonly commands?: string[]
  readonly opens?: string[]
  readonly diff?: string[]
  readonly instead?: string
  readonly count: number
}

async function suggest(...argv: string[]): Promise<Suggested[]> {
  const { out, err } = await home.run(rulesCommand, 'suggest', ...argv, '--json')
  expect(err()).toBe('')
  return (JSON.parse(out()) as { refusals: Suggested[] }).refusals
}

/** Runs a printed command as a shell would. */
async function carryOut(command: string): Promise<void> {
  const words = Array.from(command.matchAll(/'([^']*)'|\S+/g), ([whole, inner]) => inner ?? whole)
  expect(words.slice(0, 2)).toEqual(['ctxd', 'rules'])
  const { code, err } = await home.run(rulesCommand, ...words.slice(2), '--yes')
  expect(code(), err()).toBe(0)
}

const rules = (agents: JsonObject): string => home.write('config/rules.json', { agents })
const ownTools = (capabilities: string[], more: JsonObject = {}): JsonObject => ({
  allow: { servers: ['contextd'], capabilities, ...more },
})

/** A file outside the workspace, and one inside. */
function files(): { outside: string; inside: string } {
  const outside = home.write('elsewhere/notes.txt', 'outside\n')
  mkdirSync(join(home.project, 'docs'))
  writeFileSync(join(home.project, 'docs', 'a.md'), 'inside\n')
  return { outside, inside: 'docs/a.md' }
}

describe('a proposed change, carried out as printed, allows the refused call', () => {
  const scenarios: [string, () => Asked & { agents: JsonObject; commands: string[]; opens?: string }][] = [
    [
      'a file outside the workspace',
      () => {
        const { outside } = files()
        return {
          tool: 'safe_read',
          args: { path: outside },
          agents: { main: {} },
          commands: [`ctxd rules grant main fs:read:${outside}`],
          opens: `main gets fs:read:${outside}: all its file tools may read it; commands too, in the sandbox`,
        }
      },
    ],
    [
      'a file of the workspace',
      () => ({
        tool: 'safe_read',
        args: { path: files().inside },
        agents: { main: ownTools(['fs:read:src/**']) },
        commands: ['ctxd rules grant main fs:read:docs/a.md'],
        opens:
          'main gets fs:read:docs/a.md: all its file tools may read it, in the workspace of every project; commands too, in the sandbox',
      }),
    ],
    [
      'a folder, to search it',
      () => {
        files()
        return {
          tool: 'safe_glob',
          args: { pattern: '*', path: 'docs' },
          agents: { main: ownTools(['fs:read:src/**']) },
          commands: ["ctxd rules grant main 'fs:read:docs/**'"],
        }
      },
    ],
    [
      'reading and writing, to edit',
      () => {
        files()
        return {
          tool: 'safe_edit',
          args: { path: 'docs/a.md', edits: [{ old: 'inside', new: 'changed' }] },
          agents: { main: ownTools(['memory:read']) },
          commands: ['ctxd rules grant main fs:read:docs/a.md', 'ctxd rules grant main fs:write:docs/a.md'],
          opens:
            'main may also use contextd.repo_search, contextd.safe_glob, contextd.safe_grep, contextd.safe_read, contextd.safe_write',
        }
      },
    ],
    [
      'a tool that a list leaves out',
      () => {
        files()
        return {
          tool: 'safe_read',
          args: { path: 'docs/a.md' },
          agents: { main: ownTools(['fs:read:**'], { tools: { contextd: ['safe_glob'] } }) },
          commands: ['ctxd rules allow main contextd.safe_read'],
          opens: 'no other tool, for no other agent',
        }
      },
    ],
    [
      'a tool and the capability that it needs',
      () => {
        files()
        return {
          tool: 'safe_read',
          args: { path: 'docs/a.md' },
          agents: { main: { allow: { servers: ['contextd'], tools: { contextd: ['memory_search'] } } } },
          commands: ['ctxd rules allow main contextd.safe_read', 'ctxd rules grant main fs:read:docs/a.md'],
        }
      },
    ],
    [
      'a tool that was denied by name',
      () => {
        files()
        return {
          tool: 'safe_read',
          args: { path: 'docs/a.md' },
          agents: { main: { deny: { tools: { contextd: ['safe_read', 'safe_bash'] } } } },
          commands: ['ctxd rules allow main contextd.safe_read'],
        }
      },
    ],
    [
      'a host, with its port and method',
      () => ({
        tool: 'http_fetch',
        args: { url: 'https://nothing.invalid/a?b' },
        agents: { main: {} },
        commands: ['ctxd rules grant main http:fetch:GET@nothing.invalid:443'],
        opens:
          'main gets http:fetch:GET@nothing.invalid:443: all its tools and commands may reach nothing.invalid on port 443 with GET, any path',
      }),
    ],
    [
      'another method of a host',
      () => ({
        tool: 'http_fetch',
        args: { url: 'http://nothing.invalid:8080/', method: 'POST', body: 'x' },
        agents: { main: ownTools(['http:fetch:GET@nothing.invalid:8080']) },
        commands: ['ctxd rules grant main http:fetch:POST@nothing.invalid:8080'],
      }),
    ],
    [
      'an address of this machine, which a wildcard never covers',
      () => ({
        tool: 'http_fetch',
        args: { url: 'http://127.0.0.1:9/' },
        agents: { main: ownTools(['http:fetch:*:9']) },
        commands: ['ctxd rules grant main http:fetch:GET@127.0.0.1:9'],
      }),
    ],
    [
      'a name that resolves to such an address',
      () => ({
        tool: 'http_fetch',
        args: { url: 'http://localhost:9/' },
        agents: { main: ownTools(['http:fetch:*:9']) },
        commands: ['ctxd rules grant main http:fetch:GET@127.0.0.1:9'],
      }),
    ],
  ]

  test.each(scenarios)('%s', async (_, scenario) => {
    const { agents, commands, opens, ...asked } = scenario()
    const file = rules(agents)
    const [before] = await calls(asked)
    expect(before).toMatch(/DENIED_BY_POLICY|_NOT_GRANTED/)
    const [suggested, ...others] = await suggest()
    expect(others).toEqual([])
    expect(suggested).toMatchObject({ agent: 'main', tool: asked.tool, count: 1, commands })
    if (opens !== undefined) expect(suggested?.opens).toContain(opens)
    for (const command of commands) await carryOut(command)
    const [after] = await calls(asked)
    expect(after).not.toMatch(/DENIED_BY_POLICY|_NOT_GRANTED/)
    // The diff is that of the commands.
    const added = suggested?.diff?.filter((line) => /^\+(?!\+)/.test(line)).map((line) => line.slice(1)) ?? []
    expect(suggested?.diff?.length).toBeGreaterThan(2)
    for (const line of added) expect(readFileSync(file, 'utf8')).toContain(line)
    expect(await suggest()).toMatchObject([{ instead: expect.stringContaining('allow this by now') }])
  })

  test('a command: exactly these words, and no others', async () => {
    rules({ main: ownTools(['fs:read:**', 'shell:exec:git *']) })
    await calls({ tool: 'safe_bash', args: { command: "npm test -- 'a b' && git status" } })
    const [suggested] = await suggest()
    expect(suggested).toMatchObject({
      commands: [`ctxd rules grant main 'shell:exec:npm test -- '\\''a b'\\'''`],
    })
    expect(suggested?.opens).toContain(
      "main gets shell:exec:npm test -- 'a b': this command with exactly these words, in the sandbox",
    )
  })

  test('a tool of another server: only that tool, and the agent sees the server', async () => {
    home.write('config/servers.json', { mcpServers: { db: { command: '/nonexistent' } } })
    rules({ main: {}, plan: {} })
    await calls({ tool: 'execute_tool', args: { server: 'db', tool: 'query', args: {} } })
    const [suggested] = await suggest()
    expect(suggested).toMatchObject({
      server: 'db',
      tool: 'query',
      commands: ['ctxd rules allow main db.query'],
    })
    expect(suggested?.opens).toEqual([
      'no other tool that is known (the tools of db are not); main gets query only',
      'main sees that the server db exists',
    ])
    await carryOut('ctxd rules allow main db.query')
    const [after, other] = await calls(
      { tool: 'execute_tool', args: { server: 'db', tool: 'query', args: {} } },
      { tool: 'execute_tool', args: { server: 'db', tool: 'drop', args: {} } },
    )
    expect([after, other]).toEqual([
      expect.stringContaining('SERVER_UNAVAILABLE'),
      expect.stringContaining('DENIED_BY_POLICY'),
    ])
  })

  test('a secret: the reveal rule that the refusal names', async () => {
    const [secret = ''] = sampleSecrets(1)
    writeFileSync(join(home.project, 'key.txt'), `${secret}\n`)
    rules({ main: ownTools(['fs:read:**', 'http:fetch:nothing.invalid']) })
    const [read = ''] = await calls({ tool: 'safe_read', args: { path: 'key.txt' } })
    const [token = ''] = /\[SECRET_\w+\]/.exec(read) ?? []
    await calls(
      { tool: 'safe_read', args: { path: 'key.txt' } },
      {
        tool: 'http_fetch',
        args: { url: 'https://nothing.invalid/', method: 'POST', headers: { authorization: token } },
      },
    )
    const [suggested] = await suggest()
    expect(suggested).toMatchObject({
      error: 'SECRET_TOKEN_IN_ARGUMENT',
      commands: ['ctxd rules reveal main http_fetch --argument headers --host nothing.invalid'],
    })
    expect(suggested?.opens).toContain('main gets reveal http_fetch argument headers to nothing.invalid')
  })
})

describe('explains instead of proposing', () => {
  const refused = async (agents: JsonObject, ...asked: Asked[]): Promise<Suggested> => {
    rules(agents)
    await calls(...asked)
    const found = await suggest()
    expect(found).toHaveLength(1)
    expect(found[0]).not.toHaveProperty('commands')
    return found[0]!
  }

  test('an unknown agent by the name that it gave itself', async () => {
    rules({ main: {} })
    await calls(
      { tool: 'read_more', args: { agent_id: 'reviewer', ref: 'ref_x' }, claims: {} },
      { tool: 'read_more', args: { ref: 'ref_x' }, agent: 'nobody' },
    )
    const found = await suggest()
    expect(found.map(({ agent, claimed }) => [agent, claimed])).toEqual([
      ['', undefined],
      ['', 'reviewer'],
    ])
    const { out } = await home.run(rulesCommand, 'suggest')
    expect(out()).toContain('(calls itself reviewer) contextd.read_more\n')
    expect(out()).toContain('(no agent) contextd.read_more\n')
  })

  test.each<[string, JsonObject, Asked, string]>([
    [
      'an unknown agent',
      { main: {} },
      { tool: 'read_more', agent: 'nobody' },
      'named an agent that the rules do not have',
    ],
    [
      'an identity level',
      { main: { require: 'attested' } },
      { tool: 'read_more' },
      "run the agent in a client with contextd's hooks",
    ],
    [
      'a wildcard deny, with its justification',
      { main: { deny: { tools: { contextd: ['safe_*'] } }, justification: 'look, do not touch' } },
      { tool: 'safe_bash', args: { command: 'ls' } },
      'You denied this and more: agents.main.deny.tools.contextd[0] has "safe_*". Its justification: "look, do not touch".',
    ],
    [
      'a denied kind of capability',
      { main: { deny: { capabilities: ['http:fetch'] }, ...ownTools(['http:fetch']) } },
      { tool: 'http_fetch', args: { url: 'https://x.com/' } },
      'You denied this and more: agents.main.deny.capabilities[0] has "http:fetch".',
    ],
    [
      'a denied server that allow does not name',
      { main: { deny: { servers: ['db'] } } },
      { tool: 'execute_tool', args: { server: 'db', tool: 'query', args: {} } },
      'You denied this and more: agents.main.deny.servers[0] has "db".',
    ],
    [
      'a server that does not exist',
      { main: {} },
      { tool: 'execute_tool', args: { server: 'other', tool: 'query', args: {} } },
      'There is no server "other" here',
    ],
    [
      'a wildcard in place of a name',
      { main: {} },
      { tool: 'execute_tool', args: { server: 'db', tool: '*', args: {} } },
      'It asked which tools db has',
    ],
    [
      'the control API',
      { main: {} },
      { tool: 'execute_tool', args: { server: 'control', tool: 'Rules/Set', args: {} } },
      'No agent should',
    ],
    [
      'a command with a wildcard',
      { main: ownTools(['fs:read:**', 'shell:exec:git *']) },
      { tool: 'safe_bash', args: { command: 'rm *.log' } },
      'The command has a "*", which would be a wildcard in a rule.',
    ],
    [
      'a command with a substitution',
      { main: ownTools(['fs:read:**', 'shell:exec:git *']) },
      { tool: 'safe_bash', args: { command: 'echo $(id)' } },
      'No pattern matches a command with substitutions',
    ],
    [
      'a file that does not exist',
      { main: {} },
      { tool: 'safe_read', args: { path: 'missing.txt' } },
      'missing.txt does not exist',
    ],
    [
      'a limit',
      { main: { limits: { calls_per_minute: 1 } } },
      { tool: 'read_more', args: { ref: 'x' } },
      'A limit on calls, not a missing permission',
    ],
  ])('%s', async (name, agents, asked, expected) => {
    home.write('config/servers.json', { mcpServers: { db: { command: '/nonexistent' } } })
    const twice = name === 'a limit' ? [asked, asked] : [asked]
    expect((await refused(agents, ...twice)).instead).toContain(expected)
  })

  test('private places, protected files, and files of contextd', async () => {
    home.write('.ssh/id_ed25519', 'key\n')
    const key = join(home.path, '.ssh', 'id_ed25519')
    const own = home.write('config/config.toml', '')
    rules({ main: ownTools(['fs:read:**', 'fs:write:src/**']) })
    // The home folder of this process is that of the test.
    const { HOME } = process.env
    process.env.HOME = home.path
    try {
      await calls(
        { tool: 'safe_read', args: { path: key } },
        { tool: 'safe_read', args: { path: own } },
        { tool: 'safe_write', args: { path: '.vscode/tasks.json', content: '{}' } },
      )
      const found = await suggest()
      expect(found.map(({ commands }) => commands)).toEqual([undefined, undefined, undefined])
      expect(found.map(({ instead }) => instead)).toEqual([
        expect.stringContaining('.vscode/tasks.json is protected ('),
        expect.stringContaining('belongs to contextd itself'),
        expect.stringContaining('one of the private places of your home folder'),
      ])
    } finally {
      process.env.HOME = HOME
    }
  })

  test('a path that a shell would run, which an agent could choose', async () => {
    rules({ main: ownTools(['fs:write:src/**']) })
    const write = (path: string): Asked => ({ tool: 'safe_write', args: { path, content: '{}' } })
    const names = ['hooks/a;id', 'hooks/$(id)', "hooks/a'b", 'hooks/plain']
    await calls(...names.map((name) => write(`.git/${name}`)))
    const found = await suggest()
    const file = (name: string): string => join(home.project, '.git', name)
    expect(found.map(({ instead }) => instead?.slice(instead.indexOf('ctxd rules grant')))).toEqual([
      `ctxd rules grant main fs:write:${file('hooks/plain')}`,
      `ctxd rules grant main 'fs:write:${file("hooks/a'\\''b")}'`,
      `ctxd rules grant main 'fs:write:${file('hooks/$(id)')}'`,
      `ctxd rules grant main 'fs:write:${file('hooks/a;id')}'`,
    ])
  })

  test('a path with wildcard characters, which an agent could choose', async () => {
    home.write('elsewhere/**', 'x')
    const found = await refused(
      { main: {} },
      { tool: 'safe_read', args: { path: join(home.path, 'elsewhere', '**') } },
    )
    expect(found.instead).toContain('characters that are wildcards')
  })

  test('what the rules of a trusted project refuse', async () => {
    files()
    const file = home.write('project/.contextd/rules.json', { agents: { main: ownTools(['memory:read']) } })
    rules({ main: {} })
    const records = openRecords(home.env)
    records.trust.trust(file, readFileSync(file))
    records.close()
    await calls({ tool: 'safe_read', args: { path: 'docs/a.md' } })
    expect((await suggest())[0]?.instead).toContain(file)
  })
})

test('a deny by name is marked, with its justification, and only that entry goes', async () => {
  const file = rules({
    main: { deny: { tools: { contextd: ['safe_read', 'safe_bash'] } }, justification: 'not yet' },
  })
  files()
  await calls({ tool: 'safe_read', args: { path: 'docs/a.md' } })
  const [suggested] = await suggest()
  expect(suggested).toMatchObject({
    rule: 'agents.main.deny.tools.contextd[0]',
    removes: [{ rule: 'agents.main.deny.tools.contextd[0]', justification: 'not yet' }],
    opens: ['no other tool, for no other agent'],
  })
  const { out } = await home.run(rulesCommand, 'suggest')
  expect(out()).toContain(
    'This removes a deny that you wrote: agents.main.deny.tools.contextd[0]. Its justification: "not yet".',
  )
  await carryOut(suggested!.commands![0]!)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    agents: { main: { deny: { tools: { contextd: ['safe_bash'] } }, justification: 'not yet' } },
  })
})

test('counts identical refusals, filters by agent and time, and says who else gets it', async () => {
  files()
  home.write('config/rules.json', {
    agents: { main: ownTools(['memory:read']), default: ownTools(['memory:read']) },
    defaults: { deny_on_missing_agent: false },
  })
  const read = { tool: 'safe_read', args: { path: 'docs/a.md' } }
  await calls(read, read, { ...read, claims: {} }, { ...read, claims: { attested: { agent: 'stranger' } } })
  expect(await suggest()).toMatchObject([
    { agent: 'default', count: 2 },
    { agent: 'main', count: 2 },
  ])
  expect((await suggest('--agent', 'default'))[0]?.opens?.[0]).toBe(
    'for every agent that the rules do not name: they all are "default"',
  )
  expect(await suggest('--limit', '1')).toHaveLength(1)
  expect((await home.run(rulesCommand, 'suggest', '--limit', '1')).out()).toContain('1 more: --limit 2')
  expect(await suggest('--since', '2999-01-01')).toEqual([])
  expect((await home.run(rulesCommand, 'suggest', '--agent', 'nobody')).out()).toBe(
    'No refusals in this period; --since sets an earlier start.\n',
  )
})

test('includes hosts that the proxy of a command refused, and what a hook foresaw', async () => {
  rules({ main: ownTools(['shell:exec', 'fs:read:**']) })
  await withRuntimeHere(async (runtime) => {
    const client = { name: 'test', version: '1', door: 'cli' } as const
    const session = runtime.sessions.begin(client)
    const { signal } = new AbortController()
    const call = runtime.newCall({
      method: 'tool',
      tool: 'safe_bash',
      arguments: { command: 'true' },
      session,
      client,
      signal,
      claims: { declared: 'main' },
    })
    await runtime.handle(call)
    const refusedRequest = {
      method: 'CONNECT',
      host: 'registry.npmjs.org',
      port: 443,
      outcome: 'not_granted',
      call: call.id,
    }
    runtime.audit.event('http-request', refusedRequest, { session, agent: 'main', project: home.project })
    runtime.audit.event('http-request', { ...refusedRequest, outcome: 'answered' }, { session })
    const foreseen = {
      agent: 'main',
      tool: 'mcp__contextd__safe_write',
      code: 'CAPABILITY_NOT_GRANTED',
      rule: null,
    }
    runtime.audit.event('call-foreseen-refused', foreseen, { project: home.project, agent: 'main' })
  })
  const found = await suggest()
  expect(found).toMatchObject([
    { tool: 'safe_write', instead: expect.stringContaining('does not say which path') },
    {
      tool: 'safe_bash',
      wanted: ['registry.npmjs.org:443'],
      commands: ['ctxd rules grant main http:fetch:registry.npmjs.org:443'],
    },
  ])
  expect(found[1]?.opens).toContain(
    'main gets http:fetch:registry.npmjs.org:443: all its tools and commands may reach registry.npmjs.org on port 443, any path, any method',
  )
})

test('never runs inside an agent, and changes nothing', async () => {
  const file = rules({ main: { deny: { tools: { contextd: ['safe_bash'] } } } })
  const before = readFileSync(file, 'utf8')
  await calls({ tool: 'safe_bash', args: { command: 'ls' } })
  const run = async (env: NodeJS.ProcessEnv): Promise<FakeIo> => {
    const fake = fakeIo({ env: { ...home.env, ...env }, cwd: home.project, answer: 'y' })
    await runCli(rulesCommand(fake.io), fake.io, ['suggest'])
    return fake
  }
  const inside = await run({ CLAUDECODE: '1' })
  expect([inside.code(), inside.out()]).toEqual([22, ''])
  const outside = await run({})
  expect([outside.code(), outside.asked()]).toEqual([0, ''])
  expect(outside.out()).toContain('ctxd rules allow main contextd.safe_bash')
  expect(readFileSync(file, 'utf8')).toBe(before)
})
