import { join } from 'node:path'

import { beforeEach, describe, expect, test } from 'vitest'

import { servers, settings, usePermissionsHome } from '../../../../test/support/permissions-home.ts'
import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { explainPermission } from '@contextd/permissions'

const home = usePermissionsHome()
const { project, person } = home

describe('explain', () => {
  interface ExplainAnswer {
    readonly tool: string
    readonly decision: string
    readonly decided_by: { file: string | null; line: number | null; rule: string }
    readonly lost: readonly { rule: string }[]
    readonly partial: readonly { rule: string }[]
    readonly hooks: readonly { event: string; runs: string; line: number }[]
    readonly others: readonly ExplainAnswer[]
    readonly broken: readonly { file: string; line: number; message: string }[]
  }
  const explained = async (...argv: string[]): Promise<ExplainAnswer> =>
    JSON.parse((await home.run(['explain', '--json', ...argv])).out()) as ExplainAnswer

  beforeEach(() => {
    home.put(project, '.mcp.json', servers)
    home.put(project, settings, {
      permissions: { allow: ['mcp__probe__look', 'Bash(npm test)'], deny: ['mcp__probe__drop'] },
      hooks: {
        PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: './check.sh --strict' }] }],
      },
    })
    home.put(person, settings, { permissions: { allow: ['mcp__probe'] } })
  })

  test('prints the decision, the deciding rule with its location, and overridden rules', async () => {
    const { out, code } = await home.run(['explain', 'mcp__probe__drop'])
    expect(out()).toMatch(/^deny: mcp__probe__drop\n/)
    expect(out()).toMatch(/^ {2}by deny mcp__probe__drop \(\.claude\/settings\.json:\d+\)$/m)
    expect(out()).toContain(`  overridden allow mcp__probe (${join(person, settings)}:`)
    expect(code()).toBe(0)
  })

  test('prints JSON', async () => {
    expect(await explained('mcp__probe__drop')).toMatchObject({
      tool: 'mcp__probe__drop',
      decision: 'deny',
      decided_by: { file: join(project, settings), line: 8, rule: 'mcp__probe__drop' },
      lost: [{ rule: 'mcp__probe' }],
      others: [],
    })
  })

  test('says that a command is allowed because it is read-only, not by a rule', async () => {
    const rules = async (call: string): Promise<string[]> => {
      const { decided_by: decided, lost } = await explained(call)
      return [decided.rule, ...lost.map(({ rule }) => rule)]
    }
    expect(await rules('Bash(npm test)')).toEqual(['Bash(npm test)'])
    expect(await rules('Bash(npm test && ls)')).toEqual(['Bash(npm test)'])
    expect(await rules('Bash(ls)')).toEqual(['default: commands that only look'])
  })

  test('is available as a function, in the mode of the settings', async () => {
    home.put(person, settings, { permissions: { defaultMode: 'plan' } })
    const reading = { env: { HOME: person }, cwd: project }
    const ask = async (mode?: 'default'): Promise<string> =>
      (await explainPermission({ tool: 'Write', ...(mode && { mode }) }, reading)).decision
    expect(await ask()).toBe('deny')
    expect(await ask('default')).toBe('ask')
  })

  test('finds the tool the user means', async () => {
    expect(await explained('probe:look')).toMatchObject({ tool: 'mcp__probe__look', decision: 'allow' })
    expect((await home.run(['explain', 'probe:look'])).out()).toMatch(
      /^allow: mcp__probe__look\n {2}probe:look: \S/,
    )
  })

  test('explains all tools of a server, and which rules and hooks apply to some of them', async () => {
    const hook = (matcher: string): object => ({ matcher, hooks: [{ type: 'command', command: matcher }] })
    home.put(project, settings, {
      permissions: { allow: ['mcp__probe__*'], deny: ['mcp__probe__drop'] },
      hooks: { PreToolUse: [hook('mcp__probe'), hook('mcp__probe__.*')] },
    })
    for (const asked of ['probe:*', 'mcp__probe__*', 'mcp__probe'])
      expect(await explained(asked)).toMatchObject({
        tool: 'mcp__probe',
        decision: 'allow',
        decided_by: { rule: 'mcp__probe__*' },
        partial: [{ rule: 'mcp__probe__drop' }],
        hooks: [{ runs: 'mcp__probe__.*' }],
      })
  })

  test('explains each of several matching tools', async () => {
    const plugin = join(home.path, 'plugin')
    home.put(plugin, '.claude-plugin/plugin.json', { name: 'extra' })
    home.put(plugin, '.mcp.json', { mcpServers: { probe: { command: 'another' } } })
    const { tool, others } = await explained('probe:look', '--plugin-dir', plugin)
    const names = [tool, ...others.map((one) => one.tool)]
    expect(names.sort()).toEqual(['mcp__plugin_extra_probe__look', 'mcp__probe__look'])
    const { out } = await home.run(['explain', 'probe:look', '--plugin-dir', plugin])
    expect(out().match(/^(?:allow|ask): .*$/gm)).toHaveLength(2)
  })

  test('knows additional folders of the client, with their agents', async () => {
    const folder = join(home.path, 'shared')
    home.put(folder, '.claude/agents/far.md', '---\nname: far\ndescription: d\n---\n')
    expect((await explained(`Read(/${folder}/a.txt)`)).decision).toBe('ask')
    expect(await explained(`Read(/${folder}/a.txt)`, '--add-dir', folder)).toMatchObject({
      decision: 'allow',
      decided_by: {
        rule: 'default: reads inside added folders',
        why: `Files of ${folder}, which was added to the project, are read without asking.`,
      },
    })
    expect((await explained('Read(a.txt)', '--add-dir', folder)).decided_by.rule).toBe(
      'default: reads inside the project',
    )
    expect((await explained('Agent(far)', '--add-dir', folder)).decision).toBe('allow')
    expect((await explained('Agent(far)')).decision).toBe('absent')
  })

  test('says what happens to prompts in non-interactive mode, and which hooks run first', async () => {
    const { out } = await home.run(['explain', 'Bash(make)'])
    expect(out()).toMatch(/^ask: Bash\(make\)\n/)
    expect(out()).toContain('denied when non-interactive (claude -p).')
    expect(out()).toMatch(
      /PreToolUse hook runs first: \.\/check\.sh --strict \(\.claude\/settings\.json:\d+\)/,
    )
    expect((await explained('Bash')).hooks).toMatchObject([
      { event: 'PreToolUse', runs: './check.sh --strict' },
    ])
    expect((await explained('Bash')).partial).toMatchObject([{ rule: 'Bash(npm test)' }])
  })

  test('says that a classifier decides, if it replaces the prompt', async () => {
    const said = async (...argv: string[]): Promise<string> =>
      (await home.run(['explain', 'Bash(make)', ...argv])).out()
    const auto = await said('--mode', 'auto')
    expect(auto).toMatch(
      /^ask: .*\n {2}by classifier \(permission mode\)\n {6}In the mode auto the client asks a classifier /,
    )
    expect(auto).not.toContain('Prompts the user')
    expect(auto).not.toContain('PermissionRequest')
    expect(await said()).toContain('Prompts the user')
    expect(await said()).not.toContain('classifier')
  })

  test('lists files the client cannot use, if any', async () => {
    expect((await explained('Read(.env)')).broken).toEqual([])
    const file = home.put(project, settings, '{"permissions": {"deny": ["Read(./.env)"],}')
    const { out } = await home.run(['explain', 'Read(.env)'])
    expect(out()).toMatch(/^allow: /)
    expect(out()).toMatch(
      /^ {2}broken \.claude\/settings\.json:1\n {6}.*Claude Code ignores the whole file\.$/m,
    )
    expect((await explained('Read(.env)')).broken).toMatchObject([{ file, line: 1 }])
  })

  test('prints a shared reason of consecutive rules once', async () => {
    home.put(person, settings, { permissions: { allow: ['Bash(ls *)', 'Bash(cat *)'] } })
    const { out } = await home.run(['explain', 'Bash'])
    expect(out().match(/for some calls allow/g)).toHaveLength(3)
    expect(out().match(/Allows some calls of it\./g)).toHaveLength(1)
  })

  test('suggests alternatives and locations for unknown names', async () => {
    const { out } = await home.run(['explain', 'mcp__prob__look'])
    expect(out()).toContain('  Did you mean mcp__probe__look?\n  by no such tool\n')
    expect(out()).not.toContain('not installed')
    expect((await home.run(['explain', 'Agent(nobody)'])).out()).toBe(
      'absent: Agent(nobody)\n  by no such agent\n      There is no agent with this name.\n',
    )
    home.put(person, settings, { enabledPlugins: { 'docs@market': true } })
    const unknown = 'the plugin docs is enabled but not installed, so what it provides is unknown.'
    expect((await home.run(['explain', 'mcp__other__look'])).out()).toContain(unknown)
    expect((await home.run(['explain', 'other:look'])).err()).toContain(unknown)
  })

  test('lists the hooks of a skill, and whom they do not apply to', async () => {
    const hooks = 'hooks: { PreToolUse: [{ hooks: [{ type: command, command: ./guard.sh }] }] }'
    home.put(project, '.claude/skills/deploy/SKILL.md', `---\ndescription: d\n${hooks}\n---\n`)
    const { out } = await home.run(['explain', 'Bash(make)'])
    expect(out()).toContain('PreToolUse hook of deploy runs first, once the skill deploy has run: ./guard.sh')
    const run = async (...flags: string[]): Promise<string[]> =>
      (await explained('Bash', ...flags)).hooks.map(({ runs }) => runs)
    expect(await run()).toEqual(['./check.sh --strict', './guard.sh'])
    expect(await run('--agent', 'general-purpose')).toEqual(['./check.sh --strict'])
  })

  test('considers flags, modes and agents', async () => {
    home.put(
      project,
      '.claude/agents/reader.md',
      '---\nname: reader\ndescription: reads\ntools: Read\n---\nRead.\n',
    )
    const decision = async (...argv: string[]): Promise<string> => (await explained(...argv)).decision
    expect(await decision('Bash(make)', '--cli-allow', 'Bash', 'Read')).toBe('allow')
    expect(await decision('mcp__probe__look', '--cli-deny', 'mcp__probe')).toBe('deny')
    expect(await decision('Write(./x)')).toBe('ask')
    expect(await decision('Write(./x)', '--mode', 'acceptEdits')).toBe('allow')
    expect(await decision('Bash(make)', '--agent', 'reader')).toBe('absent')
  })

  test.each([
    [['explain', 'contextt7:query'], 'mcp__<server>__<tool>', 12],
    [['explain', 'nothing:of-the-kind'], 'mcp__<server>__<tool>. Servers here: probe.', 12],
    [['explain', 'Bash', '--agent', 'nobody'], 'NOT_FOUND', 12],
    [['explain', 'Bash', '--agent', 'general-purpos'], 'Did you mean general-purpose?', 12],
    [['explain', 'Bash', '--mode', 'plann'], 'Did you mean plan?', 2],
    [['explain'], "missing required argument 'tool'", 2],
  ])('%j is refused', async (argv, text, exit) => {
    const { err, out, code } = await home.run(argv)
    expect(err()).toContain(text)
    expect([out(), code()]).toEqual(['', exit])
  })

  describe('of OpenCode', () => {
    const opencode = ['--client', 'opencode']
    beforeEach(() => {
      home.put(project, 'opencode.json', {
        permission: { 'db_*': 'deny', db_query: 'allow', bash: 'ask' },
        mcp: { db: { type: 'local', command: ['db'] } },
      })
    })

    test('prints the decision, the deciding rule with its location, and overridden rules', async () => {
      const { out, code } = await home.run(['explain', 'db:query', ...opencode])
      expect(out().split('\n')).toEqual([
        'allow: db_query',
        '  db:query: Tools of the server db are named db_….',
        '  by allow db_query (opencode.json:4)',
        '      Allows calls of it, and is the last matching rule.',
        '  overridden deny db_* (opencode.json:3)',
        '      Denies every call of it, but `db_query` comes after it.',
        '',
      ])
      expect(code()).toBe(0)
    })

    test('prints JSON, and is available as a function', async () => {
      const file = join(project, 'opencode.json')
      expect(await explained('db_drop', ...opencode)).toMatchObject({
        tool: 'db_drop',
        decision: 'deny',
        decided_by: { file, line: 3, rule: 'db_*' },
        hooks: [],
      })
      const reading = { env: { HOME: person }, cwd: project, client: 'opencode' as const }
      expect(await explainPermission({ tool: 'db_drop' }, reading)).toMatchObject({ decision: 'deny' })
    })

    test('says what happens to prompts in non-interactive mode, and names a variable', async () => {
      expect((await home.run(['explain', 'bash(ls)', ...opencode])).out()).toContain('(opencode run)')
      const env = { OPENCODE_PERMISSION: '{"bash": "deny"}' }
      const { out } = await home.run(['explain', 'bash(ls)', ...opencode], { env })
      expect(out()).toContain('by deny bash ($OPENCODE_PERMISSION:1)')
    })

    test.each([
      ['wrong-server', { 'opencode.json': { mcp: { db: { command: 'db', args: [] } } } }],
      ['another spelling', { 'opencode.json': { permissions: { bash: 'deny' } } }],
      ['another word', { 'opencode.json': { permission: { bash: 'forbid' } } }],
      ['a list of tools', { '.opencode/agent/x.md': '---\ndescription: x\ntools: Read\n---\nYou help.\n' }],
    ])('says where the client refuses to start: %s', async (_, files) => {
      expect((await explained('bash(ls)', ...opencode)).broken).toEqual([])
      for (const [name, content] of Object.entries(files)) home.put(project, name, content)
      const { broken } = await explained('bash(ls)', ...opencode)
      expect(broken).toMatchObject([{ message: expect.stringContaining('refuses to start') }])
      const { out } = await home.run(['explain', 'bash(ls)', ...opencode])
      expect(out()).toContain(`  broken ${Object.keys(files)[0]}:`)
    })

    test('considers agents', async () => {
      const decision = async (...argv: string[]): Promise<string> =>
        (await explained(...argv, ...opencode)).decision
      expect(await decision('write(a.txt)')).toBe('allow')
      expect(await decision('write(a.txt)', '--agent', 'plan')).toBe('deny')
    })

    test.each([
      [['explain', 'bahs', ...opencode], 'Did you mean bash?', 12],
      [['explain', 'bash', '--agent', 'explorer', ...opencode], 'Did you mean explore?', 12],
      [['explain', 'bash', '--mode', 'plan', ...opencode], '--mode is for Claude Code only', 2],
      [['explain', 'bash', '--client', 'other'], 'Allowed choices are claude', 2],
    ])('%j is refused', async (argv, text, exit) => {
      const { err, out, code } = await home.run(argv)
      expect(err()).toContain(text)
      expect([out(), code()]).toEqual(['', exit])
    })
  })

  test('shows no credentials in rules', async () => {
    const token = makeSample('ghp_{alnum:36}', seededRandom(7)).secret
    home.put(project, settings, { permissions: { deny: [`Bash(curl -H ${token}:*)`] } })
    for (const argv of [[], ['--json']]) {
      const { out } = await home.run(['explain', 'Bash', ...argv])
      expect(out()).toContain('Bash(curl')
      expect(out()).not.toContain(token)
    }
  })
})
