import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { filesIn, makeInitHome, type InitHome, type InitOptions } from '../../../../test/support/init-home.ts'

let home: InitHome
beforeEach(() => {
  home = makeInitHome()
})
afterEach(() => home.remove())

const claude = ['--platform', 'claude-code']
const shared = [...claude, '--shared']
const servers = (): string => join(home.person, '.claude.json')

describe('for Claude Code', () => {
  it('writes the server, the settings, the skill and the guidance', async () => {
    const { out, err, code } = await home.init(claude)
    expect([err(), code()]).toEqual([expect.stringContaining('ctxd init --undo'), 0])
    expect(out()).toContain(`+++ ${servers()}\n@@ -0,0 +1,15 @@\n+{\n`)
    expect(JSON.parse(readFileSync(servers(), 'utf8'))).toEqual({
      projects: {
        [home.project]: {
          mcpServers: { contextd: { command: 'contextd', args: ['mcp', 'serve'] } },
        },
      },
    })
    const settings = home.json('.claude/settings.local.json') as {
      permissions: { allow: string[]; deny: string[] }
      hooks: { PreToolUse: { matcher: string; hooks: object[] }[] }
    }
    expect(settings.permissions.allow).toEqual(['mcp__contextd', 'mcp__contextd__*', 'Skill(contextd)'])
    expect(settings.permissions.deny).toContain('Read(//**/subagents/**)')
    expect(settings.permissions.deny).not.toContain('Bash')
    expect(settings.hooks.PreToolUse[0]).toMatchObject({
      matcher: 'mcp__contextd__.*',
      hooks: [{ type: 'mcp_tool', server: 'contextd', tool: 'attest' }],
    })
    expect(JSON.stringify(settings.hooks)).toContain(
      '"command":"contextd","args":["hook","protect","--door"]',
    )
    expect(home.text('.claude/skills/contextd/SKILL.md')).toMatch(
      /^---\nname: contextd\n.*\nallowed-tools: mcp__/,
    )
    expect(home.text('.claude/rules/contextd.md')).toMatch(
      /^<!-- written by contextd init -->\n## contextd\n/,
    )
    for (const name of ['.mcp.json', '.claude/settings.json', 'AGENTS.md', 'CLAUDE.md']) {
      expect(existsSync(home.at(name))).toBe(false)
    }
    expect(statSync(home.at('.claude/rules/contextd.md')).mode & 0o777).toBe(0o666 & ~process.umask())
  })

  it('reports ineffective rules in the files it wrote', async () => {
    const open = { permissions: { deny: ['mcp__db__drop(*)'] } }
    home.put('.claude/settings.local.json', JSON.stringify(open, null, 2))
    expect((await home.init(claude)).err()).toContain('The client drops `mcp__db__drop(*)`')
    home.put('.claude/settings.local.json', JSON.stringify(open).replace('(*)', ''))
    expect((await home.init(claude)).err()).not.toContain('mcp__db__drop')
  })

  it('uses node and the script path if contextd is not on the PATH', async () => {
    rmSync(join(home.programs, 'contextd'))
    const { err } = await home.init(claude)
    expect(err()).toContain('contextd is not on the PATH')
    expect(JSON.parse(readFileSync(servers(), 'utf8'))).toMatchObject({
      projects: {
        [home.project]: {
          mcpServers: {
            contextd: {
              command: process.execPath,
              args: [expect.stringMatching(/\/bin\/contextd\.js$/), 'mcp', 'serve'],
            },
          },
        },
      },
    })
  })

  it('shows tabs unchanged', async () => {
    home.put('.claude/settings.local.json', '{\n\t"model": "x\u200b"\n}\n')
    const { out } = await home.init(claude)
    expect(out()).toContain('\n-\t"model": "x\\u{200b}"\n')
  })

  it('warns if the plugin is enabled too', async () => {
    const said = 'the contextd plugin is enabled too'
    expect((await home.init([...claude, '--dry-run'])).err()).not.toContain(said)
    mkdirSync(join(home.person, '.claude'))
    writeFileSync(join(home.person, '.claude/settings.json'), '{"enabledPlugins":{"contextd@contextd":true}}')
    expect((await home.init([...claude, '--dry-run'])).err()).toContain(said)
  })

  it('adds the section to CLAUDE.md of a team too, unless that imports AGENTS.md', async () => {
    home.put('CLAUDE.md', '# Shop\n')
    await home.init(shared)
    expect(home.text('CLAUDE.md')).toMatch(/^# Shop\n\n<!-- contextd: begin -->\n/)
    await home.init(['--undo'], { answer: 'y' })
    home.put('CLAUDE.md', 'See @AGENTS.md\n')
    await home.init(shared)
    expect(home.text('CLAUDE.md')).toBe('See @AGENTS.md\n')
  })

  it('preserves foreign entries, and replaces those of an older version', async () => {
    const others = { matcher: 'Bash', hooks: [{ type: 'command', command: 'lint.sh' }] }
    const old = { type: 'command', command: 'npx contextd hook scrub --all' }
    home.put(
      '.claude/settings.local.json',
      JSON.stringify({
        model: 'x',
        permissions: { allow: ['Bash(ls:*)', 'mcp__contextd'], ask: ['Read'] },
        hooks: {
          PreToolUse: [others, { matcher: 'Read', hooks: [old, { type: 'command', command: 'mine' }] }],
          Stop: [{ hooks: [old] }],
        },
      }),
    )
    home.put(
      '.mcp.json',
      '{"mcpServers":{"tickets":{"command":"t"},"contextd":{"command":"old","env":{"A":"b"}}}}',
    )
    await home.init(claude)
    expect(home.text('.claude/settings.local.json')).not.toContain('--all')
    expect(home.json('.claude/settings.local.json')).toMatchObject({
      model: 'x',
      permissions: { allow: expect.arrayContaining(['Bash(ls:*)', 'mcp__contextd__*']), ask: ['Read'] },
    })
    const { hooks } = home.json('.claude/settings.local.json') as {
      hooks: { PreToolUse: object[]; Stop?: object }
    }
    expect(hooks.PreToolUse.slice(0, 2)).toEqual([
      others,
      { matcher: 'Read', hooks: [{ type: 'command', command: 'mine' }] },
    ])
    expect(hooks.Stop).toBeUndefined()
    // What an older version wrote for everyone is now the user's own.
    expect(home.text('.mcp.json')).toBe('{"mcpServers":{"tickets":{"command":"t"}}}')
  })
})

describe('in an untrusted repository', () => {
  const steered = {
    NODE_OPTIONS: '--require ./theirs.js',
    CONTEXTD_HOME: '/tmp/theirs',
    path: '/tmp',
    A: 'b',
  }

  it('our server runs no code and uses no files from the repository', async () => {
    home.put(
      '.mcp.json',
      JSON.stringify({ mcpServers: { contextd: { command: 'x', cwd: '/tmp', env: steered, timeout: 9 } } }),
    )
    home.put(
      'opencode.json',
      JSON.stringify({ mcp: { contextd: { type: 'local', cwd: '/tmp', environment: steered } } }),
    )
    await home.init(['--platform', 'all', '--shared'])
    expect(home.json('.mcp.json')).toEqual({
      mcpServers: { contextd: { command: 'contextd', args: ['mcp', 'serve'], env: { A: 'b' }, timeout: 9 } },
    })
    const command = ['contextd', 'mcp', 'serve']
    expect(home.json('opencode.json')).toMatchObject({
      mcp: { contextd: { type: 'local', command, environment: { A: 'b' }, enabled: true } },
    })
    for (const name of ['.mcp.json', 'opencode.json']) expect(home.text(name)).not.toContain('/tmp')
    await home.init(['--undo'], { answer: 'y' })
    expect(home.text('.mcp.json')).toContain('--require ./theirs.js')
  })

  it("preserves the user's settings of an existing entry", async () => {
    writeFileSync(servers(), JSON.stringify({ mcpServers: { contextd: { command: 'x', env: steered } } }))
    await home.init([...claude, '--user'])
    expect(JSON.parse(readFileSync(servers(), 'utf8'))).toMatchObject({
      mcpServers: { contextd: { command: 'contextd', env: steered } },
    })
  })
})

describe('the mode', () => {
  const mode = (): string | undefined => {
    const file = join(home.path, 'config', 'config.toml')
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined
  }

  it('is asked for, stored in the configuration, and not asked for again', async () => {
    const { asked } = await home.init(claude, { answer: 'y' })
    expect(asked()).toMatch(
      /Set up strict mode \(no: friendly\)\? \[y\/N\] [^]*Write these 5 files\? \[y\/N\] $/,
    )
    expect(mode()).toBe('[client]\nmode = "strict"\n')
    expect(home.json('.claude/settings.local.json')).toMatchObject({
      permissions: {
        deny: expect.arrayContaining(['Bash', 'Read', 'Write', 'Edit', 'Glob', 'Grep']) as unknown,
      },
    })
    expect((await home.init(claude, { answer: 'y' })).asked()).toBe('')
  })

  it('is friendly if nobody can be asked, and then needs no configuration', async () => {
    await home.init(claude)
    expect(mode()).toBeUndefined()
  })

  it('is kept once chosen, even if it is the default, and not asked for again', async () => {
    await home.init(claude, { answer: 'n' })
    await home.init([...claude, '--mode', 'friendly'])
    expect(mode()).toBe('[client]\nmode = "friendly"\n')
    expect((await home.init(claude, { answer: 'y' })).out()).toBe('Nothing to do.\n')
  })

  it('in strict mode adds what an older version did not deny, and friendly mode removes that too', async () => {
    const denied = (): string[] => {
      const { permissions } = home.json('.claude/settings.local.json') as { permissions: { deny: string[] } }
      return permissions.deny.filter((rule) => !rule.includes('('))
    }
    await home.init([...claude, '--mode', 'strict'])
    const all = denied()
    const text = readFileSync(join(home.project, '.claude/settings.local.json'), 'utf8')
    const older = text.replace(/,\s*"Glob",\s*"Grep"/, '')
    home.put('.claude/settings.local.json', older)
    expect(denied()).toEqual(all.slice(0, -2))
    await home.init(claude, { answer: 'y' })
    expect(denied()).toEqual(all)
    home.put('.claude/settings.local.json', older)
    await home.init([...claude, '--mode', 'friendly'], { answer: 'y' })
    expect(denied()).toEqual([])
  })

  it('changes back to friendly only with confirmation, and removes all rules of strict mode', async () => {
    home.put('.claude/settings.local.json', '{"permissions":{"deny":["Write"]}}')
    await home.init([...claude, '--mode', 'strict'])
    const strict = home.files()
    const refused = await home.init([...claude, '--mode', 'friendly'])
    expect(refused.err()).toMatch(/^OPERATOR_REQUIRED: /)
    expect([refused.code(), home.files(), mode()]).toEqual([22, strict, '[client]\nmode = "strict"\n'])
    await home.init([...claude, '--mode', 'friendly'], { answer: 'y' })
    const { permissions } = home.json('.claude/settings.local.json') as { permissions: { deny: string[] } }
    expect(permissions.deny.filter((rule) => !rule.includes('('))).toEqual(['Write'])
    expect(mode()).toBe('[client]\nmode = "friendly"\n')
  })
})

describe('writes nothing', () => {
  it('with --dry-run, and shows what it would write', async () => {
    const before = filesIn(home.path)
    const { out, code } = await home.init([...claude, '--dry-run', '--mode', 'strict'], {
      env: { CLAUDECODE: '1' },
    })
    expect(out()).toContain('+        "contextd": {')
    expect(out()).toMatch(/\nNothing was written\.\n$/)
    expect([code(), filesIn(home.path)]).toEqual([0, before])
    const { changes } = JSON.parse((await home.init([...claude, '--dry-run', '--json'])).out()) as {
      changes: { path: string; action: string; audience: string }[]
    }
    expect(
      changes.map(
        ({ path: file, action, audience }) => `${action} ${file.slice(home.path.length + 1)} ${audience}`,
      ),
    ).toEqual([
      'create person/.claude.json user',
      'create project/.claude/settings.local.json personal',
      'create project/.claude/rules/contextd.md personal',
      'create project/.claude/skills/contextd/SKILL.md personal',
    ])
  })

  it('hides foreign credentials', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
    home.put(
      '.mcp.json',
      `{\n  "mcpServers": {\n    "a": { "command": "x", "env": { "TOKEN": "${secret}" } }\n  }\n}\n`,
    )
    const { out } = await home.init([...shared, '--dry-run'])
    expect(out()).toContain('"a": { "command": "x"')
    expect(out()).not.toContain(secret)
  })

  it.each<[string, string[], InitOptions, RegExp, number]>([
    ['in the shell of an agent', claude, { answer: 'y', env: { CLAUDECODE: '1' } }, /^OPERATOR_REQUIRED/, 22],
    ['the user refuses', claude, { answer: 'n' }, /^APPROVAL_REQUIRED.*\nNothing was changed/, 22],
    ['for a client that it does not know', ['--platform', 'vim'], {}, /^USAGE/, 2],
    [
      'where no client is installed',
      [],
      { env: { PATH: '' } },
      /^USAGE: no supported client .*\nChoose one/,
      2,
    ],
  ])('%s', async (_, argv, options, said, exit) => {
    const before = home.files()
    const { err, code } = await home.init(argv, options)
    expect(err()).toMatch(said)
    expect([code(), home.files()]).toEqual([exit, before])
  })

  it.each<[string, () => void, RegExp]>([
    [
      'settings that are no JSON',
      () => home.put('.claude/settings.local.json', '{ "a": '),
      /settings\.local\.json:1:8: expected/,
    ],
    [
      'settings with comments, which the client ignores as a whole',
      () => home.put('.claude/settings.local.json', '{\n  // mine\n  "a": 1\n}'),
      /settings\.local\.json:2:3: .* The client requires plain JSON here/,
    ],
    [
      'a key of another shape',
      () => home.put('.claude/settings.local.json', '{\n  "permissions": { "deny": "Bash" }\n}'),
      /settings\.local\.json:2:28: permissions\.deny must be a list/,
    ],
    [
      'a file that is not UTF-8',
      () => writeFileSync(home.at('AGENTS.md'), Buffer.from([0xff])),
      /is not UTF-8/,
    ],
    ['a section that does not end', () => home.put('AGENTS.md', '<!-- contextd: begin -->'), /not one pair/],
    [
      'a file that is read-only',
      () => (
        home.put('.claude/settings.local.json', ''),
        chmodSync(home.at('.claude/settings.local.json'), 0o444)
      ),
      /read-only/,
    ],
    ['a file in the place of a folder', () => home.put('.claude', ''), /\.claude: is not a folder/],
  ])('if it finds %s', async (_, prepare, said) => {
    prepare()
    const before = home.files()
    const { err, code } = await home.init(claude)
    expect(err()).toMatch(/^CONFIG_INVALID: /)
    expect(err()).toMatch(said)
    expect(err()).toContain('Nothing was written.')
    expect([code(), home.files()]).toEqual([78, before])
  })

  it.each(['.mcp.json', '.claude', 'AGENTS.md'])('through a link in the project: %s', async (name) => {
    const elsewhere = join(home.path, 'elsewhere')
    if (name === '.claude') mkdirSync(elsewhere)
    else writeFileSync(elsewhere, '')
    symlinkSync(elsewhere, home.at(name))
    const { err } = await home.init(shared)
    expect(err()).toMatch(/^CONFIG_INVALID: .*: is a link, and links are not written to\n/)
    expect(readdirSync(home.project)).toEqual([name])
    expect(name === '.claude' ? readdirSync(elsewhere) : readFileSync(elsewhere, 'utf8')).toHaveLength(0)
    // Without the link it is written.
    rmSync(home.at(name))
    expect((await home.init(shared)).code()).toBe(0)
  })
})

describe('for all projects', () => {
  it("writes to the user's own folders, through their links, and restores them", async () => {
    const real = join(home.path, 'settings.json')
    writeFileSync(real, '{ "model": "x" }\n')
    mkdirSync(join(home.person, '.claude'), { recursive: true })
    symlinkSync(real, join(home.person, '.claude', 'settings.json'))
    writeFileSync(join(home.person, '.claude.json'), '{"numStartups":3,"mcpServers":{},"projects":{}}')
    const before = filesIn(home.person)
    await home.init([...claude, '--user'])
    expect(JSON.parse(readFileSync(join(home.person, '.claude.json'), 'utf8'))).toEqual({
      numStartups: 3,
      mcpServers: { contextd: { command: 'contextd', args: ['mcp', 'serve'] } },
      projects: {},
    })
    expect(readFileSync(real, 'utf8')).toContain('mcp__contextd__*')
    expect(lstatSync(join(home.person, '.claude/settings.json')).isSymbolicLink()).toBe(true)
    expect(readdirSync(home.project)).toEqual([])
    await home.init(['--undo', '--user'], { answer: 'y' })
    expect(filesIn(home.person)).toEqual(before)
    expect(readFileSync(real, 'utf8')).toBe('{ "model": "x" }\n')
  })
})
