import { linkSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { makeClaudeFolders, type ClaudeFolders } from '../../../test/claude-folders.ts'
import type { AgentFile, Entry } from '../setup/setup.ts'

let folders: ClaudeFolders

beforeEach(() => {
  folders = makeClaudeFolders()
})
afterEach(() => folders.remove())

const file = 'project/.claude/agents/scan.md'
const agent = (more = '', name = 'scan'): string => `---\nname: ${name}\ndescription: d\n${more}\n---\nbody`

function only(text: string): AgentFile {
  folders.write({ [file]: text })
  const [loaded, ...others] = folders.read().agents
  if (loaded === undefined || others.length > 0) throw new Error('one agent expected')
  return loaded
}

function named(): string[] {
  return folders.read().agents.map((one) => `${one.source} ${one.name} ${folders.short(one.file)}`)
}

describe('agents', () => {
  it('are found in all locations, in order of precedence', () => {
    folders.write({
      'home/.claude/agents/u.md': agent(),
      '.claude/agents/far.md': agent(),
      [file]: agent(),
      'project/.claude/agents/deep/er/x.md': agent('', 'x'),
      'managed/.claude/agents/m.md': agent(),
    })
    expect(named()).toEqual([
      'managed scan managed/.claude/agents/m.md',
      'project scan project/.claude/agents/scan.md',
      'project x project/.claude/agents/deep/er/x.md',
      'project scan .claude/agents/far.md',
      'user scan home/.claude/agents/u.md',
    ])
  })

  it('of added folders come after those of the project, the last folder first', () => {
    const added = ['one', 'two'].map((name) => join(folders.path, name))
    folders.write({
      [file]: agent(),
      'home/.claude/agents/u.md': agent(),
      'one/.claude/agents/a.md': agent(),
      'two/.claude/agents/a.md': agent(),
    })
    const { agents } = folders.read({ addedFolders: added })
    expect(agents.map((one) => `${one.source} ${folders.short(one.file)}`)).toEqual([
      'project project/.claude/agents/scan.md',
      'project two/.claude/agents/a.md',
      'project one/.claude/agents/a.md',
      'user home/.claude/agents/u.md',
    ])
    expect(folders.read().agents).toHaveLength(2)
  })

  it('of parent folders are read up to the repository', () => {
    folders.write({ '.claude/agents/far.md': agent(), [file]: agent() })
    mkdirSync(join(folders.places.project, '.git'))
    expect(named()).toEqual(['project scan project/.claude/agents/scan.md'])
  })

  it('are read through links, and one file is one agent', () => {
    folders.write({ 'home/.claude/agents/u.md': agent('', 'u'), 'shared/s.md': agent('', 's') })
    mkdirSync(join(folders.path, 'project/.claude/agents'), { recursive: true })
    symlinkSync(join(folders.path, 'shared'), join(folders.path, 'project/.claude/agents/shared'))
    linkSync(
      join(folders.path, 'home/.claude/agents/u.md'),
      join(folders.path, 'project/.claude/agents/u.md'),
    )
    expect(named()).toEqual([
      'project s project/.claude/agents/shared/s.md',
      'user u home/.claude/agents/u.md',
    ])
  })

  it.each([
    ['tools: Read, Bash(git a, b) Edit', ['Read', 'Bash(git a, b)', 'Edit']],
    ['tools: "Read,Bash"', ['Read', 'Bash']],
    ['tools:\n  - Read\n  - "Bash, Edit"\n  - 5', ['Read', 'Bash', 'Edit']],
    ['tools: [Read, mcp__a__b]', ['Read', 'mcp__a__b']],
    ['tools: >-\n  Read,\n  Read, Bash', ['Read', 'Read', 'Bash']],
    ['tools: "*"', ['*']],
    ['tools:', []],
    ['tools: []', []],
    ['tools: 5', []],
    ['color: red', undefined],
  ])('have the listed tools, each with its position: %j', (yaml, expected) => {
    const { tools, text } = only(agent(yaml))
    expect(tools?.map((entry) => entry.text)).toEqual(expected)
    const lines = text.split('\n')
    for (const { text: tool, line, column, start, end } of tools ?? []) {
      expect(text.slice(start, end)).toBe(tool)
      expect(lines[line - 1]?.slice(column - 1)).toMatch(new RegExp(`^${tool.replaceAll(/\W/g, '\\$&')}`))
    }
    const starts = tools?.map(({ start }) => start) ?? []
    expect(new Set(starts).size).toBe(starts.length)
  })

  it('have the position of the whole value if it contains escapes', () => {
    const { tools, text } = only(agent('tools: "Re\\x61d, Bash"'))
    expect(tools?.map(({ start, end }) => text.slice(start, end))).toEqual(['"Re\\x61d, Bash"', 'Bash'])
  })

  it('keep the rest of their frontmatter', () => {
    const loaded = only(
      agent(
        'permissionMode: plan\ndisallowedTools: Bash\nmcpServers:\n  - ctx\n  - own: { command: a }\ncolor: red',
      ),
    )
    const cut = (entry: Entry | undefined): string =>
      `${entry?.text} ${entry?.line}:${entry?.column} ${loaded.text.slice(entry?.start, entry?.end)}`
    expect(cut(loaded.permissionMode)).toBe('plan 4:17 plan')
    expect(loaded.disallowedTools?.map(cut)).toEqual(['Bash 5:18 Bash'])
    expect(loaded.mcpServers?.map(cut)).toEqual(['ctx 7:5 ctx', 'own 8:5 own'])
    expect(cut(loaded.keys.get('color'))).toBe('red 9:1 red')
    expect(loaded.keys.get('mcpServers')).toMatchObject({
      text: '["ctx",{"own":{"command":"a"}}]',
      line: 6,
      column: 1,
    })
    expect(loaded.frontmatter).toMatchObject({ name: 'scan', color: 'red' })
    expect(loaded.text.slice(loaded.body)).toBe('body')
  })

  it.each([
    ['\uFEFF', agent()],
    ['CRLF', agent().replaceAll('\n', '\r\n')],
    ['no YAML that can be mended', agent('color: a: b')],
  ])('are agents with %s', (_what, text) => {
    expect(only(text).name).toBe('scan')
    expect(folders.read().problems).toEqual([])
  })

  it.each([
    ['no frontmatter', 'just text', ['unread 1:1']],
    ['a frontmatter without an end', '---\nname: scan\ndescription: d\n', ['malformed 1:1']],
    ['no YAML', '---\nname: scan\ndescription: "open\n---\n', ['malformed 4:1']],
    ['no name', '---\ndescription: d\n---\n', ['wrong-shape 1:1']],
    ['a number as its name', '---\nname: 5\ndescription: d\n---\n', ['wrong-shape 2:1']],
    ['no description', '---\nname: scan\n---\n', ['wrong-shape 2:1']],
    ['a colon in its name', agent('', 'a:b'), ['wrong-shape 2:1']],
    [
      'a guard that cannot be loaded',
      agent('hooks:\n  PreToolUse:\n    - hooks:\n        - type: command'),
      ['wrong-shape 7:11'],
    ],
  ])('are not loaded with %s', (_what, text, problems) => {
    folders.write({ [file]: text })
    const setup = folders.read()
    expect(setup.agents).toEqual([])
    expect(setup.problems.map(({ kind, line, column }) => `${kind} ${line}:${column}`)).toEqual(problems)
  })

  it('report overridden keys', () => {
    expect(only(agent('tools: Read\ntools: Bash')).tools).toMatchObject([{ text: 'Bash' }])
    expect(folders.read().problems).toMatchObject([{ kind: 'duplicate-key', line: 4, column: 1 }])
  })

  it('are reported if they cannot be read', () => {
    folders.write({ 'project/.claude/agents/a.md': `---\nname: a\n---\n${'x'.repeat(1_100_000)}` })
    symlinkSync('nowhere', join(folders.path, 'project/.claude/agents/b.md'))
    const kinds = folders.read().problems.map((one) => `${one.kind} ${folders.short(one.file)}`)
    expect(kinds).toEqual([
      'unreadable project/.claude/agents/a.md',
      'unreadable project/.claude/agents/b.md',
    ])
  })
})
