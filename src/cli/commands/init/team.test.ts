/** Who gets which file: personal, shared and joined set-ups, and those of older versions. */

import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { makeInitHome, type InitHome } from '../../../../test/support/init-home.ts'

let home: InitHome
beforeEach(() => {
  home = makeInitHome()
})
afterEach(() => home.remove())

const claude = ['--platform', 'claude-code']
const all = ['--platform', 'all']
const localSettings = '.claude/settings.local.json'
const personalFiles = [localSettings, '.claude/rules/contextd.md', '.claude/skills/contextd/SKILL.md']
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd: home.project,
  }).toString()
/** Finds the git of this machine. */
const env = (): NodeJS.ProcessEnv => ({ PATH: `${home.programs}:${process.env.PATH ?? ''}` })
const undo = (...args: string[]): ReturnType<typeof home.init> =>
  home.init(['--undo', ...args], { answer: 'y', env: env() })
const servers = (): { projects?: Record<string, { mcpServers: object }> } =>
  JSON.parse(readFileSync(join(home.person, '.claude.json'), 'utf8')) as never

interface Answer {
  changes: { path: string; audience: string; action: string }[]
  notes: string[]
}

async function audiences(argv: readonly string[]): Promise<Record<string, string>> {
  const { out } = await home.init([...argv, '--dry-run', '--json'], { env: env() })
  const { changes } = JSON.parse(out()) as Answer
  return Object.fromEntries(changes.map(({ path, audience }) => [path.slice(home.path.length + 1), audience]))
}

describe('by default', () => {
  it('git has nothing to commit', async () => {
    git('init', '-q')
    const { out, code } = await home.init(all, { env: env() })
    expect(code()).toBe(0)
    expect(git('status', '--porcelain', '-uall')).toBe('')
    for (const file of [...personalFiles, '.opencode/plugin/contextd.js']) {
      expect(existsSync(home.at(file))).toBe(true)
    }
    expect(out()).not.toContain('others get these')
    // The control: without our lines git would commit all of them.
    rmSync(home.at('.git/info/exclude'))
    for (const file of personalFiles) expect(git('status', '--porcelain', '-uall')).toContain(file)
  })

  it('the server belongs to the whole repository, like with `claude mcp add`', async () => {
    execFileSync('git', ['init', '-q'], { cwd: home.path })
    await home.init(claude, { env: env() })
    expect(Object.keys(servers().projects ?? {})).toEqual([home.path])
    await undo()
    expect(existsSync(join(home.person, '.claude.json'))).toBe(false)
  })

  it("follows a link to the user's file of servers, and preserves the rest of a large one", async () => {
    const real = join(home.path, 'real.json')
    const before = JSON.stringify({ history: 'x'.repeat(2_000_000) })
    writeFileSync(real, before)
    symlinkSync(real, join(home.person, '.claude.json'))
    await home.init(claude)
    expect(Object.keys(servers().projects ?? {})).toEqual([home.project])
    expect(lstatSync(join(home.person, '.claude.json')).isSymbolicLink()).toBe(true)
    await undo()
    expect(readFileSync(real, 'utf8')).toBe(before)
  })

  it('says what others get nevertheless, and why', async () => {
    git('init', '-q')
    home.put(localSettings, '{}')
    git('add', '-f', localSettings)
    home.put('.gitignore', '.claude/*\n!.claude/rules/\n!.claude/rules/*\n')
    const { out } = await home.init([...claude, '--dry-run', '--json'], { env: env() })
    const { changes, notes } = JSON.parse(out()) as Answer
    const of = (file: string): unknown => changes.find(({ path }) => path === home.at(file))?.audience
    expect([localSettings, '.claude/rules/contextd.md', '.claude/skills/contextd/SKILL.md'].map(of)).toEqual([
      'committed',
      'committed',
      'personal',
    ])
    expect(notes.join('\n')).toMatch(/settings\.local\.json is for you alone, but git tracks it/)
    expect(notes.join('\n')).toMatch(
      /rules\/contextd\.md is for you alone, but \.gitignore:3 \(!.*\) has git/,
    )
  })

  it('writes to no link in place of the excludes, also of a repository above the project', async () => {
    execFileSync('git', ['init', '-q'], { cwd: home.path })
    const exclude = join(home.path, '.git/info/exclude')
    const victim = join(home.path, 'victim')
    writeFileSync(victim, 'mine\n')
    rmSync(exclude)
    symlinkSync(victim, exclude)
    const { err, code } = await home.init(claude, { env: env() })
    expect([code(), err()]).toEqual([expect.any(Number), expect.stringContaining('is a link')])
    expect(code()).not.toBe(0)
    expect([readFileSync(victim, 'utf8'), existsSync(home.at(localSettings))]).toEqual(['mine\n', false])
    rmSync(exclude)
    expect((await home.init(claude, { env: env() })).code()).toBe(0)
    expect(readFileSync(exclude, 'utf8')).toContain(`/project/${localSettings}\n`)
  })

  it('keeps the lines of another client in the excludes, and removes all of them', async () => {
    git('init', '-q')
    const before = home.text('.git/info/exclude')
    await home.init(['--platform', 'opencode'], { env: env() })
    await home.init(claude, { env: env() })
    expect(home.text('.git/info/exclude')).toContain('/.opencode/plugin/contextd.js\n')
    expect(home.text('.git/info/exclude')).toContain(`/${localSettings}\n`)
    await undo()
    expect(home.text('.git/info/exclude')).toBe(before)
  })
})

describe('--shared', () => {
  it('writes files to commit, and only what is private next to them', async () => {
    git('init', '-q')
    expect(await audiences([...all, '--shared'])).toEqual({
      'project/.mcp.json': 'committed',
      'person/.claude.json': 'user',
      'project/.claude/settings.json': 'committed',
      [`project/${localSettings}`]: 'personal',
      'project/.claude/skills/contextd/SKILL.md': 'committed',
      'project/AGENTS.md': 'committed',
      'project/opencode.json': 'committed',
      'project/.opencode/plugin/contextd.js': 'committed',
      'project/.git/info/exclude': 'personal',
    })
    const { out } = await home.init([...all, '--shared', '--mode', 'strict'], { env: env() })
    expect(out()).toContain(`others get these once you commit them:\n  ${home.at('.mcp.json')}\n`)
    // A bare denial would take the tools from colleagues too.
    const shared = home.json('.claude/settings.json') as { permissions: { deny: string[] } }
    expect(shared.permissions.deny).not.toContain('Bash')
    expect(home.json(localSettings)).toMatchObject({
      permissions: { deny: expect.arrayContaining(['Bash']) },
    })
    expect(home.json('opencode.json')).not.toHaveProperty('permission')
    expect(home.json('.opencode/opencode.json')).toMatchObject({ permission: { bash: 'deny' } })
    const before = home.files()
    expect((await home.init([...all, '--shared'], { env: env() })).out()).toBe('Nothing to do.\n')
    await undo()
    expect(Object.keys(home.files()).filter((name) => !name.startsWith('.git'))).toEqual([])
    expect(Object.keys(before)).toContain('.opencode/plugin/contextd.js')
  })

  it.each([
    [['--shared', '--user'], /--shared is for a project/],
    [['--require'], /--require only changes what --shared writes/],
  ])('%j contradicts itself', async (argv, said) => {
    const { err, code } = await home.init([...claude, ...argv])
    expect([err(), code()]).toEqual([expect.stringMatching(said), 2])
    expect(home.files()).toEqual({})
  })

  it('needs the program by its name', async () => {
    rmSync(join(home.programs, 'contextd'))
    const { err } = await home.init([...claude, '--shared'])
    expect(err()).toMatch(/^USAGE: contextd is not on the PATH/)
    expect(home.files()).toEqual({})
  })

  it('replaces a personal set-up, and undo restores what was there', async () => {
    git('init', '-q')
    home.put('AGENTS.md', '# Mine\n')
    const before = home.files()
    await home.init(all, { env: env() })
    expect(await audiences([...all, '--shared'])).toMatchObject({
      'project/.claude/rules/contextd.md': 'personal',
      'project/.claude/settings.json': 'committed',
    })
    await home.init([...all, '--shared'], { env: env() })
    expect(git('status', '--porcelain', '-uall')).toContain('.claude/skills/contextd/SKILL.md')
    expect(existsSync(home.at('.claude/rules'))).toBe(false)
    await undo()
    expect(home.files()).toEqual(before)
  })
})

describe('in a project that somebody else shared', () => {
  /** Their files without the user's own. */
  async function clone(...argv: string[]): Promise<void> {
    git('init', '-q')
    await home.init([...all, '--shared', ...argv], { env: env() })
    git('add', '-A')
    rmSync(home.at(localSettings))
    rmSync(join(home.person, '.claude.json'))
    rmSync(join(home.path, 'state', 'init'), { recursive: true })
    rmSync(home.at('.git/info/exclude'))
  }

  it('init adds the part of this user, and undo takes only that', async () => {
    await clone()
    const before = home.files()
    expect(await audiences(all)).toEqual({
      'person/.claude.json': 'user',
      [`project/${localSettings}`]: 'personal',
      'project/.git/info/exclude': 'personal',
    })
    const { err } = await home.init(all, { env: env() })
    expect(err()).toContain('this project has shared files of contextd')
    expect(home.json(localSettings)).toMatchObject({
      env: { ANTHROPIC_BASE_URL: expect.stringContaining('/model/') as string },
      hooks: { ConfigChange: [{}] },
    })
    const { err: undone } = await undo()
    expect(undone()).toContain('the files that the team shares stay')
    expect(home.files()).toEqual(before)
  })

  it('the hooks of this user do not depend on what the repository claims to share', async () => {
    home.put(
      '.claude/settings.json',
      '{"hooks":{"Stop":["if command -v contextd >/dev/null contextd hook protect"]}}',
    )
    home.put(
      '.opencode/plugin/contextd.js',
      '// contextd for OpenCode\nconst ABSENT = {"works":"","refuses":""}\n',
    )
    await home.init(all)
    expect(home.text(localSettings)).toContain('"protect"')
    expect(home.text('.opencode/plugin/contextd.js')).toContain('tool.execute.before')
  })

  it('undo removes the shared files on request', async () => {
    await clone('--require')
    await undo('--shared')
    const left = Object.keys(home.files()).filter((name) => !name.startsWith('.git'))
    expect(left).toEqual(['opencode.json'])
    expect(home.json('opencode.json')).toEqual({ $schema: 'https://opencode.ai/config.json' })
  })
})

describe('a project that an older version set up', () => {
  const old = {
    '.mcp.json':
      '{"mcpServers":{"tickets":{"command":"t"},"contextd":{"command":"contextd","args":["mcp","serve"]}}}',
    '.claude/settings.json': JSON.stringify({
      permissions: {
        allow: ['mcp__contextd', 'mcp__contextd__*', 'Skill(contextd)', 'Bash(make:*)'],
        deny: ['Read(//**/subagents/**)', 'Read(//**/tasks/*.output)'],
      },
      hooks: {
        PreToolUse: [
          {
            matcher: 'x',
            hooks: [{ type: 'command', command: 'contextd', args: ['hook', 'protect'], onFailure: 'block' }],
          },
        ],
      },
    }),
    'AGENTS.md': '# Team\n\n<!-- contextd: begin -->\nold\n<!-- contextd: end -->\n',
  }

  it("moves contextd's part to files of this user, and undo brings it back", async () => {
    for (const [name, text] of Object.entries(old)) home.put(name, text)
    const before = home.files()
    const { err } = await home.init(claude)
    expect(err()).toContain('moves to files for you alone')
    expect(home.json('.mcp.json')).toEqual({ mcpServers: { tickets: { command: 't' } } })
    expect(home.json('.claude/settings.json')).toEqual({ permissions: { allow: ['Bash(make:*)'] } })
    expect(home.text('AGENTS.md')).toBe('# Team\n')
    expect(home.text(localSettings)).toContain('"protect"')
    expect((await home.init(claude)).out()).toBe('Nothing to do.\n')
    await undo()
    expect(home.files()).toEqual(before)
  })

  it('leaves no trace of the old hooks in a shared set-up', async () => {
    for (const [name, text] of Object.entries(old)) home.put(name, text)
    await home.init([...claude, '--shared'])
    const { hooks, permissions } = home.json('.claude/settings.json') as {
      hooks: object
      permissions: { deny: string[] }
    }
    expect(JSON.stringify(hooks)).not.toContain('"args"')
    expect(permissions.deny).toContain('Read(//**/tasks/[ac-jln-rt-z]*.output)')
    expect(permissions.deny).not.toContain('Read(//**/tasks/*.output)')
  })

  it('keeps AGENTS.md for another client that still reads it', async () => {
    home.put('AGENTS.md', old['AGENTS.md'])
    home.put('.opencode/plugin/contextd.js', '// contextd for OpenCode\n')
    await home.init(claude)
    expect(home.text('AGENTS.md')).toBe(old['AGENTS.md'])
  })
})

describe('client.mode', () => {
  const config = (): string => join(home.path, 'config', 'config.toml')
  const configText = (): string => (existsSync(config()) ? readFileSync(config(), 'utf8') : '')
  const put = (text: string): void => {
    mkdirSync(dirname(config()), { recursive: true })
    writeFileSync(config(), text)
  }

  it('is taken back by --undo', async () => {
    put('[log]\nlevel = "warn"\n')
    await home.init([...claude, '--mode', 'strict'])
    expect(configText()).toContain('strict')
    await undo()
    expect(configText().trim()).toBe('[log]\nlevel = "warn"')
  })

  it.each([
    ['the user changed it since', () => put('[client]\nmode = "friendly"\n'), 'friendly'],
    ['the user had set it before', () => put('[client]\nmode = "strict"\n'), 'strict'],
  ])('stays if %s', async (_, change, mode) => {
    if (mode === 'strict') change()
    await home.init([...claude, '--mode', 'strict'])
    if (mode !== 'strict') change()
    await undo()
    expect(configText()).toContain(`mode = "${mode}"`)
  })

  it('stays while another set-up needs it, and --undo says so', async () => {
    await home.init([...claude, '--mode', 'strict'])
    await home.init([...claude, '--user'])
    const { err } = await undo()
    expect(err()).toContain('client.mode stays strict')
    expect(configText()).toContain('strict')
  })
})

describe('agents in strict mode', () => {
  const strict = [...claude, '--mode', 'strict']
  const agent = (tools: string): string =>
    `---\nname: a\ndescription: x\ntools: ${tools}\n---\nYou.\nBash, x\n`
  const file = '.claude/agents/a.md'

  it.each([
    ['Read, Bash', 'Read, mcp__contextd__safe_read, Bash, mcp__contextd__safe_bash'],
    ['[Edit, WebFetch]', '[Edit, mcp__contextd__safe_edit, WebFetch, mcp__contextd__http_fetch]'],
    [
      '\n  - Grep\n  - Write',
      '\n  - Grep\n  - mcp__contextd__safe_grep\n  - Write\n  - mcp__contextd__safe_write',
    ],
  ])("get contextd's tools next to %j, and lose them again", async (tools, extended) => {
    home.put(file, agent(tools))
    const { asked } = await home.init(strict, { answer: 'y' })
    expect(asked()).toContain("Add contextd's tools to this agent?")
    expect(home.text(file)).toBe(agent(extended))
    expect((await home.init(strict)).out()).toBe('Nothing to do.\n')
    home.put(file, `${home.text(file)}More.\n`)
    await undo()
    expect(home.text(file)).toBe(`${agent(tools)}More.\n`)
  })

  it.each([
    ['nobody can be asked', agent('Read'), []],
    ['they are quoted', agent('["Read", "Bash"]'), ['--agent-tools']],
  ])('are named, and stay as they are, if %s', async (_, text, argv) => {
    home.put(file, text)
    const { err } = await home.init([...strict, ...argv])
    expect(home.text(file)).toBe(text)
    expect(err()).toContain(`strict mode removes built-in tools that ${home.at(file)} lists`)
  })

  it.each([
    ['friendly mode', claude, agent('Read')],
    ['a list with our tools', strict, agent('Read, mcp__contextd__safe_read')],
    ['other tools', strict, agent('Skill')],
  ])('are not mentioned with %s', async (_, argv, text) => {
    home.put(file, text)
    const { err } = await home.init([...argv, '--agent-tools'])
    expect(home.text(file)).toBe(text)
    expect(err()).not.toContain(file)
  })
})
