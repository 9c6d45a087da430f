import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

import { describe, expect, test } from 'vitest'

import {
  dropped,
  servers,
  settings,
  usePermissionsHome,
  type LintAnswer,
} from '../../../../test/support/permissions-home.ts'
import { sarifProblems } from '@contextd/shared/testing/sarif-shape'
import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'

const home = usePermissionsHome()
const { project, person } = home

describe('lint', () => {
  test('prints problem, location, fix and documentation', async () => {
    home.put(project, '.mcp.json', servers)
    home.put(project, settings, dropped)
    const { out, code } = await home.run(['lint'])
    expect(out()).toMatch(
      /^\.claude\/settings\.json:2:29: error mcp-rule-parentheses: .+\n {4}fix: .+\n1 error in 1 file; --fix corrects 1\nsee: ctxd permissions rules mcp-rule-parentheses\n$/,
    )
    expect(code()).toBe(1)
  })

  test('prints one line per finding, whatever a rule contains', async () => {
    home.put(project, '.mcp.json', servers)
    home.put(project, settings, {
      permissions: { deny: ['mcp__probe\n::error::x\u001b[31m(*)', 'mcp__probe(*)'] },
    })
    const { out } = await home.run(['lint'])
    expect(out()).toContain('fix: Write `mcp__probe\\u{a}::error::x\\u{1b}[31m`.\n')
    expect(out()).toContain('fix: Write `mcp__probe`.\n')
    expect(out()).not.toMatch(/^\s*::/m)
  })

  test('prints JSON, sorted by location', async () => {
    home.put(project, '.mcp.json', servers)
    home.put(project, settings, dropped)
    home.put(person, settings, dropped)
    const { findings } = await home.lint()
    const errors = findings.filter(({ severity }) => severity === 'error')
    expect(errors).toMatchObject([
      { rule: 'mcp-rule-parentheses', file: join(person, settings), line: 2, column: 29 },
      { rule: 'mcp-rule-parentheses', file: join(project, settings), line: 2, column: 29 },
    ])
    expect(Object.keys(errors[0] ?? {})).toEqual(
      expect.arrayContaining(['rule', 'severity', 'file', 'line', 'column', 'message', 'fix', 'docs']),
    )
  })

  test('for another folder, prints absolute paths of files outside the current one', async () => {
    home.put(project, settings, dropped)
    const { out } = await home.run(['lint', project], { cwd: person })
    expect(out()).toContain(`${join(project, settings)}:2:29: error`)
    expect((await home.run(['lint', 'project'], { cwd: dirname(project) })).out()).toContain(
      `project/${settings}:2:29: error`,
    )
  })

  test('prints SARIF', async () => {
    home.put(project, '.mcp.json', servers)
    home.put(project, settings, dropped)
    home.put(person, settings, dropped)
    const { out, code } = await home.run(['lint', '--format', 'sarif'])
    const report = JSON.parse(out()) as { runs: { results: object[] }[] }
    expect(sarifProblems(report)).toEqual([])
    expect(code()).toBe(1)
    expect(report.runs[0]?.results).toContainEqual(
      expect.objectContaining({
        ruleId: 'mcp-rule-parentheses',
        level: 'error',
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: settings, uriBaseId: '%SRCROOT%' },
              region: { startLine: 2, startColumn: 29 },
            },
          },
        ],
      }),
    )
  })

  test('writes to a file, with counts on stderr', async () => {
    home.put(project, settings, dropped)
    const { out, err, code } = await home.run(['lint', '--format', 'sarif', '--output', 'report.sarif'])
    expect([out(), code()]).toEqual(['', 1])
    expect(err()).toMatch(/^1 error/)
    expect(sarifProblems(JSON.parse(readFileSync(join(project, 'report.sarif'), 'utf8')))).toEqual([])
  })

  test('SARIF paths start at the repository root, or at the project without one', async () => {
    const uris = async (): Promise<string[]> => {
      const text = (await home.run(['lint', '--format', 'sarif'])).out()
      return Array.from(text.matchAll(/"uri": "([^"]+settings\.json)"/g), ([, uri]) => uri!)
    }
    home.put(project, settings, dropped)
    expect(await uris()).toEqual([settings])
    mkdirSync(join(dirname(project), '.git'))
    expect(await uris()).toEqual([`${basename(project)}/${settings}`])
  })

  test('reports that there are no problems', async () => {
    const said = async (): Promise<unknown> => {
      const { out, code } = await home.run(['lint'])
      return [out(), code()]
    }
    expect(await said()).toEqual(['Nothing to check: no permission files here.\n', 0])
    home.put(project, '.mcp.json', servers)
    expect(await said()).toEqual(['No problems in 1 file\n', 0])
    home.put(project, '.claude/skills/calm/SKILL.md', '---\ndescription: Calm\n---\n')
    expect(await said()).toEqual(['No problems in 2 files\n', 0])
    expect(await home.lint()).toEqual({ findings: [], left_out: 0, files: 2 })
    expect(sarifProblems(JSON.parse((await home.run(['lint', '--format', 'sarif'])).out()))).toEqual([])
  })

  test('does not fail with warnings only', async () => {
    home.put(project, '.mcp.json', servers)
    home.put(project, settings, { permissions: { allow: ['mcp__*'] } })
    const { out, code } = await home.run(['lint'])
    expect(out()).toContain('warning mcp-rule-server-wildcard')
    expect(code()).toBe(0)
  })

  /** An error and a warning in the project, the same error in the settings of the user. */
  const putThree = (): void => {
    home.put(project, '.mcp.json', servers)
    home.put(project, settings, { permissions: { allow: ['mcp__*'], deny: ['mcp__probe(*)'] } })
    home.put(person, settings, dropped)
  }

  test.each<[string[], number, number]>([
    [[], 3, 1],
    [['--severity', 'note'], 3, 1],
    [['--severity', 'error'], 2, 1],
    [['--ignore', 'mcp-rule-parentheses'], 1, 0],
    [['--ignore', `mcp-rule-parentheses:${settings}`], 2, 1],
    [['--ignore', 'mcp-rule-parentheses', 'mcp-rule-server-wildcard'], 0, 0],
    [['--ignore', 'mcp-rule-parentheses', '--fail-on', 'warning'], 1, 1],
    [['--fail-on', 'never'], 3, 0],
  ])('%j: %i findings, exit code %i', async (argv, count, exit) => {
    putThree()
    const { out, code } = await home.run(['lint', '--json', ...argv])
    expect((JSON.parse(out()) as { findings: unknown[] }).findings).toHaveLength(count)
    expect(code()).toBe(exit)
  })

  test('prints how many findings were ignored, and fixes none of them', async () => {
    putThree()
    const ignored = ['--ignore', 'mcp-rule-parentheses', 'mcp-rule-server-wildcard']
    expect((await home.run(['lint', ...ignored])).out()).toBe('No problems in 3 files; 3 left out\n')
    expect(await home.lint(...ignored)).toEqual({ findings: [], left_out: 3, files: 3 })
    expect((await home.run(['lint', '--fix', '--dry-run', ...ignored])).out()).not.toContain('+++')
    expect((await home.run(['lint', '--fix', '--dry-run'])).out()).toContain('+++')
  })

  test('does not call findings in plugins fixable', async () => {
    const agent = '---\nname: a\ndescription: a\nallowed-tools: Read\n---\nRead.\n'
    const plugin = join(home.path, 'plugin')
    home.put(plugin, '.claude-plugin/plugin.json', { name: 'extra' })
    home.put(plugin, 'agents/a.md', agent)
    home.put(project, '.claude/agents/a.md', agent)
    const { findings } = await home.lint('--plugin-dir', plugin)
    const spelt = findings.filter(({ rule }) => rule === 'agent-key-spelling')
    expect(spelt.map(({ file, fixable }) => [file.startsWith(plugin), fixable])).toEqual([
      [true, false],
      [false, true],
    ])
  })

  test('refuses to ignore an unknown rule', async () => {
    putThree()
    const { err, code } = await home.run(['lint', '--ignore', 'mcp-rule-parenthesis'])
    expect(err()).toContain('Did you mean mcp-rule-parentheses?')
    expect(code()).toBe(12)
  })

  test('checks only the files of one client', async () => {
    home.put(project, settings, dropped)
    home.put(project, 'opencode.json', { mcpServers: { a: { command: 'a' } } })
    const clientsOf = async (...argv: string[]): Promise<string[]> => {
      const { findings } = await home.lint(...argv)
      return [...new Set(findings.map(({ file }) => file.slice(project.length + 1)))]
    }
    expect(await clientsOf()).toEqual([settings, 'opencode.json'])
    expect(await clientsOf('--client', 'claude-code')).toEqual([settings])
    expect(await clientsOf('--client', 'opencode')).toEqual(['opencode.json'])
  })

  test('shows no credentials in rules, and no control characters', async () => {
    const token = makeSample('ghp_{alnum:36}', seededRandom(7)).secret
    home.put(project, settings, { permissions: { deny: [`mcp__probe(${token})`, 'mcp__probe(\u001B[2J)'] } })
    for (const format of ['text', 'json', 'sarif']) {
      const { out } = await home.run(['lint', '--format', format])
      expect(out()).toContain('mcp-rule-parentheses')
      expect(out()).not.toContain(token)
      expect(out()).not.toContain('\u001B')
    }
  })

  test.each([
    [['lint', '--dry-run'], 'USAGE', 2],
    [['lint', '--fix', '--format', 'sarif'], 'USAGE', 2],
    [['lint', '--json', '--format', 'sarif'], 'USAGE', 2],
    [['lint', 'nowhere'], 'NOT_FOUND', 12],
    [['lint', 'file'], 'NOT_FOUND', 12],
    [['lint', '--client', 'opncode'], 'Did you mean opencode', 2],
    [['rules', 'mcp-rule-parenthesis'], 'Did you mean mcp-rule-parentheses', 12],
  ])('%j is refused', async (argv, text, exit) => {
    home.put(project, 'file', '')
    const { err, code } = await home.run(argv)
    expect(err()).toContain(text)
    expect(code()).toBe(exit)
  })
})

describe('unusual contents', () => {
  const odd: [string, string | Buffer][] = [
    ['nothing', ''],
    ['half of it', '{"permissions": {"deny": ["Bash'],
    ['a list', '[1, 2]'],
    ['a word', 'null'],
    ['comments', '// why\n{"permissions": {"deny": ["Bash(rm:*)"]}} /* so */'],
    ['a key twice', '{"permissions": {"deny": ["A"], "deny": ["B"]}, "permissions": 1}'],
    ['wrong shapes', '{"permissions": [], "hooks": 3, "enabledPlugins": "x", "mcpServers": [null]}'],
    [
      'wrong rules',
      '{"permissions": {"allow": [1, null, {}, "", "(", ")("], "deny": "Bash", "ask": {"a": 1}}}',
    ],
    ['a byte order mark', '\uFEFF{"permissions": {"deny": ["mcp__a(*)"]}}'],
    ['no text', Buffer.from([0xff, 0xfe, 0x00, 0x01])],
    ['depth', '['.repeat(100_000)],
    ['something huge', `{"a": "${'x'.repeat(2_000_000)}"}`],
    ['frontmatter that is none', '---\ntools: [a, b\n: : :\n\t- x\n'],
    ['keys of objects', '{"__proto__": {"a": 1}, "constructor": 1, "permissions": {"__proto__": []}}'],
  ]
  const places = [
    settings,
    '.claude/settings.local.json',
    '.mcp.json',
    '.claude/agents/a.md',
    'opencode.json',
    'opencode.jsonc',
    '.opencode/agent/a.md',
    'CLAUDE.md',
  ]

  test.each(odd)('%s does not crash', async (_, content) => {
    for (const folder of [project, person]) {
      for (const place of [...places, '.claude.json', '.claude/plugins/installed_plugins.json']) {
        home.put(folder, place, content)
      }
    }
    const { err, out, code } = await home.run(['lint', '--json'])
    expect(err()).toBe('')
    expect(code()).toBeLessThan(2)
    expect(JSON.parse(out())).toHaveProperty('findings')
    expect((await home.run(['lint', '--fix', '--dry-run'])).err()).toBe('')
  })

  test('folders, dangling links and cycles in place of files do not crash, and are reported', async () => {
    mkdirSync(join(project, settings), { recursive: true })
    mkdirSync(join(project, '.mcp.json'))
    symlinkSync('nothing', join(project, '.claude/settings.local.json'))
    symlinkSync('agents', join(project, '.claude/agents'))
    symlinkSync('opencode.json', join(project, 'opencode.json'))
    const { err, out } = await home.run(['lint', '--json'])
    expect(err()).toBe('')
    const files = (JSON.parse(out()) as LintAnswer).findings.map(({ file }) => file.slice(project.length + 1))
    expect(files).toEqual(expect.arrayContaining([settings, '.mcp.json', '.claude/settings.local.json']))
  })

  test('checks a thousand agents', async () => {
    home.put(project, '.mcp.json', servers)
    for (let index = 0; index < 1_000; index++) {
      home.put(
        project,
        `.claude/agents/a${index}.md`,
        `---\nname: a${index}\ndescription: d\ntools: Read, Nonsense\n---\nDo.\n`,
      )
    }
    const { findings } = await home.lint()
    const agents = findings.filter(({ file }) => file.includes('/agents/'))
    expect(new Set(agents.map(({ file }) => file)).size).toBe(1_000)
  })
})

describe('rules', () => {
  test('lists rules, and shows one', async () => {
    const { out } = await home.run(['rules'])
    expect(out()).toMatch(/^mcp-rule-parentheses +claude-code +error +\S/m)
    const { rules } = JSON.parse((await home.run(['rules', '--json'])).out()) as { rules: { id: string }[] }
    expect(rules.length).toBeGreaterThan(20)
    const one = (await home.run(['rules', 'mcp-rule-parentheses'])).out()
    expect(one).toMatch(/docs\/reference\/permissions\/mcp-rule-parentheses\.md$/m)
    expect(JSON.parse((await home.run(['rules', 'mcp-rule-parentheses', '--json'])).out())).toMatchObject({
      id: 'mcp-rule-parentheses',
      severity: 'error',
    })
  })
})
