import { join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { makeClaudeFolders, type ClaudeFolders } from '../../../test/claude-folders.ts'

let folders: ClaudeFolders

beforeEach(() => {
  folders = makeClaudeFolders()
})
afterEach(() => folders.remove())

const hook = { type: 'command', command: 'true' }

function hooks(): string[] {
  return folders
    .read()
    .hooks.map(
      ({ event, matcher = '-', source, owner = '-', file, line, column }) =>
        `${event} ${matcher} ${source} ${owner} ${folders.short(file)}:${line}:${column}`,
    )
}

it('reads the hooks of all levels and of agents', () => {
  const settings = (event: string): object => ({ hooks: { [event]: [{ matcher: 'Bash', hooks: [hook] }] } })
  folders.write({
    'managed/managed-settings.json': settings('PreToolUse'),
    'project/.claude/settings.json': settings('Stop'),
    'home/.claude/settings.json': settings('NoSuchEvent'),
    'home/.claude/agents/a.md':
      '---\nname: a\ndescription: d\nhooks:\n  PreToolUse:\n    - matcher: Read\n      hooks:\n        - type: command\n          command: "true"\n---\n',
  })
  expect(hooks()).toEqual([
    'PreToolUse Bash managed - managed/managed-settings.json:7:11',
    'Stop Bash project - project/.claude/settings.json:7:11',
    'NoSuchEvent Bash user - home/.claude/settings.json:7:11',
    'PreToolUse Read agent a home/.claude/agents/a.md:8:11',
  ])
})

it('omits those of project agents in an untrusted project', () => {
  folders.write({
    'project/.claude/agents/a.md':
      '---\nname: a\ndescription: d\nhooks:\n  Stop:\n    - hooks:\n        - { type: command, command: x }\n---\n',
  })
  expect(hooks()).toEqual([])
  folders.trust()
  expect(hooks()).toHaveLength(1)
})

it('omits those of agents in an added folder until that folder is trusted', () => {
  const agent =
    '---\nname: a\ndescription: d\nhooks:\n  Stop:\n    - hooks:\n        - { type: command, command: x }\n---\n'
  folders.write({ 'extra/.claude/agents/a.md': agent })
  folders.trust()
  const extra = join(folders.path, 'extra')
  const count = (): number => folders.read({ addedFolders: [extra] }).hooks.length
  expect(count()).toBe(0)
  folders.write({ 'home/.claude.json': { projects: { [extra]: { hasTrustDialogAccepted: true } } } })
  expect(count()).toBe(1)
})

it.each([
  ['hooks that are a text', 'x'],
  ['an event that is no list', { Stop: {} }],
  ['a group that is none', { Stop: [5] }],
  ['a group without hooks', { Stop: [{ matcher: 'x' }] }],
  ['a matcher that is no text', { Stop: [{ matcher: 5, hooks: [hook] }] }],
  ['a hook without a type', { Stop: [{ hooks: [{ command: 'x' }] }] }],
  ['a hook of an unknown type', { Stop: [{ hooks: [{ type: 'x' }] }] }],
  ['a hook with a wrong value', { Stop: [{ hooks: [{ ...hook, timeout: -1 }] }] }],
])('reports %s, and keeps everything else', (_what, broken) => {
  folders.write({ 'project/.claude/settings.json': { hooks: broken, permissions: { deny: ['A'] } } })
  const setup = folders.read()
  expect(setup).toMatchObject({ hooks: [], problems: [{ kind: 'wrong-shape' }] })
  expect(setup.settings[0]?.rules).toHaveLength(1)
})

it('reads those of skills, but not of forked skills and of plugin commands', () => {
  const text = (...lines: string[]): string =>
    `---\n${lines.join('\n')}\nhooks: { PreToolUse: [{ hooks: [{ type: command, command: x }] }] }\n---\n`
  folders.write({
    'project/.claude/skills/own/SKILL.md': text('description: d'),
    'project/.claude/skills/fork/SKILL.md': text('context: fork'),
    'project/.claude/commands/command.md': text('description: d'),
    'plugin/.claude-plugin/plugin.json': { name: 'kit' },
    'plugin/skills/skill/SKILL.md': text('description: d'),
    'plugin/commands/command.md': text('description: d'),
  })
  const { hooks, skills } = folders.read({ pluginFolders: [join(folders.path, 'plugin')] })
  const root = (path: string | undefined): string | undefined => path && folders.short(path)
  expect(hooks.map((one) => [one.source, one.owner, one.plugin, root(one.root), one.line])).toEqual([
    ['skill', 'own', undefined, 'project/.claude/skills/own', 3],
    ['skill', 'command', undefined, undefined, 3],
    ['skill', 'kit:skill', 'kit', 'plugin', 3],
  ])
  const withHooks = skills.filter(({ hasHooks }) => hasHooks).map(({ name }) => name)
  expect(withHooks).toEqual(['fork', 'own', 'command', 'kit:skill'])
})
