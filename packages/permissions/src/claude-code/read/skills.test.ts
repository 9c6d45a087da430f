import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { makeClaudeFolders, type ClaudeFolders } from '../../../test/claude-folders.ts'

let folders: ClaudeFolders

beforeEach(() => {
  folders = makeClaudeFolders()
})
afterEach(() => folders.remove())

const head = (...lines: string[]): string => ['---', ...lines, '---', 'Text.', ''].join('\n')
const read = (...pluginFolders: string[]) =>
  folders.read({ pluginFolders: pluginFolders.map((folder) => join(folders.path, folder)) })
const named = (...pluginFolders: string[]): string[] =>
  read(...pluginFolders).skills.map(({ source, name, aliases }) => [source, name, ...aliases].join(' '))

it('are found in all locations, in order of precedence', () => {
  folders.write({
    'project/.claude/commands/a/b.md': head('name: c'),
    'project/.claude/commands/whole/SKILL.md': '',
    'project/.claude/commands/whole/beside.md': '',
    'project/.claude/skills/s/SKILL.md': head('name: t'),
    'project/.claude/skills/deep/er/SKILL.md': '',
    'project/.claude/skills/lower/skill.md': '',
    '.claude/skills/far/SKILL.md': head('name: 5'),
    'home/.claude/skills/s/SKILL.md': '',
    'home/.claude/commands/u.md': '',
    'managed/.claude/skills/m/SKILL.md': '',
  })
  expect(named()).toEqual([
    'managed m',
    'user s',
    'project s t',
    'project far 5',
    'user u',
    'project a:b',
    'project whole',
  ])
})

it('of added folders come last, in the order of the folders', () => {
  folders.write({
    'project/.claude/skills/s/SKILL.md': '',
    'extra/.claude/skills/s/SKILL.md': '',
    'extra/.claude/commands/c.md': '',
    'other/.claude/skills/s/SKILL.md': '',
    'home/.claude/skills/s/SKILL.md': '',
  })
  const addedFolders = ['extra', 'other'].map((folder) => join(folders.path, folder))
  const { skills } = folders.read({ addedFolders })
  expect(skills.map(({ file }) => folders.short(file))).toEqual([
    'home/.claude/skills/s/SKILL.md',
    'project/.claude/skills/s/SKILL.md',
    'extra/.claude/skills/s/SKILL.md',
    'other/.claude/skills/s/SKILL.md',
    'extra/.claude/commands/c.md',
  ])
})

it('of plugins are prefixed with its name, and commands come first', () => {
  folders.write({
    'a/.claude-plugin/plugin.json': { name: 'alpha' },
    'a/skills/odd.x y/SKILL.md': head('name: front'),
    'a/commands/sub/c.md': head('name: called'),
    'a/SKILL.md': '',
    'b/.claude-plugin/plugin.json': {
      name: 'beta',
      skills: ['./one', './more', './../a'],
      commands: './c.md',
    },
    'b/one/SKILL.md': head('name: one front'),
    'b/more/two/SKILL.md': '',
    'b/skills/s/SKILL.md': '',
    'b/commands/not.md': '',
    'b/c.md': '',
    'c/.claude-plugin/plugin.json': { name: 'gamma', commands: { key: { source: './x.md' } } },
    'c/SKILL.md': '',
    'c/x.md': '',
  })
  expect(named('a', 'b', 'c')).toEqual([
    'plugin alpha:sub:c alpha:sub:called called',
    'plugin beta:c',
    'plugin gamma:key',
    'plugin alpha:odd-x-y alpha:front front',
    'plugin beta:s',
    'plugin beta:one-front beta:one front one front',
    'plugin beta:two',
    'plugin gamma:c',
  ])
})

it('are read through links, and one file is one skill', () => {
  folders.write({ 'shared/s/SKILL.md': '' })
  mkdirSync(join(folders.path, 'project/.claude/skills'), { recursive: true })
  for (const name of ['a', 'b'])
    symlinkSync(join(folders.path, 'shared/s'), join(folders.path, 'project/.claude/skills', name))
  expect(named()).toEqual(['project a'])
})

it('are reported if they cannot be read', () => {
  folders.write({ 'project/.claude/skills/good/SKILL.md': '', 'project/.claude/skills/none/notes.md': '' })
  const skill = (name: string): string => join(folders.path, 'project/.claude/skills', name)
  for (const name of ['circle', 'lost']) mkdirSync(skill(name))
  symlinkSync('SKILL.md', skill('circle/SKILL.md'))
  symlinkSync('nowhere', skill('lost/SKILL.md'))
  symlinkSync('itself', skill('itself'))
  const { skills, problems } = read()
  expect(skills.map(({ file }) => folders.short(file))).toEqual(['project/.claude/skills/good/SKILL.md'])
  expect(problems.map((one) => `${one.kind} ${folders.short(one.file)}`)).toEqual([
    'unreadable project/.claude/skills/circle/SKILL.md',
    'unreadable project/.claude/skills/lost/SKILL.md',
  ])
})

it('have their tool lists, each entry with its position', () => {
  folders.write({
    'project/.claude/skills/s/SKILL.md': head(
      'allowed-tools: Bash(git a, b) Read',
      'disallowedTools: Edit',
      'disallowed-tools: [Write]',
    ),
  })
  const [skill] = read().skills
  const cut = [...(skill?.allowedTools ?? []), ...(skill?.disallowedTools ?? [])].map(
    ({ text, line, column }) => `${text} ${line}:${column}`,
  )
  expect(cut).toEqual(['Bash(git a, b) 2:16', 'Read 2:31', 'Write 4:20'])
})

it.each([
  ['hooks: { Stop: [{ hooks: [{ type: command, command: x }] }] }', true, 0],
  ['hooks: { Foo: [{ hooks: [] }] }', false, 0],
  ['hooks: {}', false, 0],
  ['hooks: { PreToolUse: [{ hooks: [{ type: command }] }] }', false, 1],
])('have hooks: %s', (line, hasHooks, problems) => {
  folders.write({ 'project/.claude/skills/s/SKILL.md': head(line) })
  const setup = read()
  expect(setup.skills).toMatchObject([{ hasHooks }])
  expect(setup.problems).toHaveLength(problems)
})

it('are loaded without readable frontmatter', () => {
  folders.write({ 'project/.claude/skills/s/SKILL.md': '---\nname: "open\n---\n' })
  const setup = read()
  expect(setup.skills).toMatchObject([{ name: 's', aliases: [], frontmatter: {} }])
  expect(setup.problems).toMatchObject([{ kind: 'malformed' }])
})

it('are read from a plugin manifest, with the tools it lists', () => {
  folders.write({
    'kit/.claude-plugin/plugin.json': {
      name: 'kit',
      commands: {
        inline: { content: head('name: other', 'allowed-tools: Read', 'disallowed-tools: Write') },
        listed: { content: 'Text.', allowedTools: ['Bash, Edit'] },
        emptied: { source: './file.md', allowedTools: [] },
        again: { source: './file.md' },
        folder: { source: './folder' },
        alone: { source: './whole' },
      },
    },
    'kit/commands/standard.md': '',
    'kit/file.md': head('allowed-tools: Read'),
    'kit/folder/two.md': '',
    'kit/whole/SKILL.md': '',
    'kit/whole/beside.md': '',
  })
  const { skills } = read('kit')
  expect(skills.map(({ name, aliases }) => [name, ...aliases].join(' '))).toEqual([
    'kit:inline kit:other other',
    'kit:listed',
    'kit:emptied',
    'kit:two',
    'kit:whole',
  ])
  const texts = skills.map(({ allowedTools }) => allowedTools?.map(({ text }) => text))
  expect(texts).toEqual([['Read'], ['Bash', 'Edit'], [], undefined, undefined])
  const manifest = join(folders.path, 'kit', '.claude-plugin', 'plugin.json')
  expect(skills[0]?.disallowedTools).toMatchObject([{ text: 'Write', file: manifest, line: 5, column: 18 }])
  expect(skills[1]?.allowedTools?.[0]).toMatchObject({ file: manifest, line: 10, column: 9 })
})

it.each([
  ['a guard', '{ PreToolUse: [{ hooks: [{ type: command, command: x }] }] }', ['own', 'kit:skill']],
  ['another', '{ Stop: [{ hooks: [{ type: command, command: x }] }] }', ['own', 'kit:command', 'kit:skill']],
  ['a guard with a fault', '{ PreToolUse: [{ hooks: [{ type: command }] }] }', []],
  ['no object', 'x', []],
  ['nothing', '', ['own', 'kit:command', 'kit:skill']],
])('allow nothing if their guard hook cannot run: %s', (_case, hooks, allowing) => {
  const text = head('allowed-tools: Bash', `hooks: ${hooks}`)
  folders.write({
    'project/.claude/skills/own/SKILL.md': text,
    'kit/.claude-plugin/plugin.json': { name: 'kit' },
    'kit/skills/skill/SKILL.md': text,
    'kit/commands/command.md': text,
  })
  const granting = read('kit').skills.filter(({ allowedTools }) => allowedTools !== undefined)
  expect(granting.map(({ name }) => name)).toEqual(allowing)
})
