import { mkdirSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'

import { expect, it } from 'vitest'

import { openCodeFolder, openCodeSetup, placesIn, secretsIn } from '../../test/opencode-setup.ts'
import { isVariable } from '../files/client-files.ts'
import { readOpenCodeSetup } from './read-setup.ts'
import { rulesetsOf } from './ruleset.ts'
import type { OpenCodeSetup } from './setup.ts'

const head = (yaml: string, body = 'You help.\n'): string => `---\n${yaml}\n---\n${body}`

function problemsOf({ problems }: OpenCodeSetup): string[] {
  return problems.map(({ kind, severity, line, column }) => `${severity} ${kind} ${line}:${column}`)
}

it('orders sources by precedence', () => {
  const agent = head('description: x')
  const root = openCodeFolder({
    'home/.config/opencode/config.json': {},
    'home/.config/opencode/opencode.json': {},
    'home/.config/opencode/opencode.jsonc': {},
    'home/.config/opencode/agents/a.md': agent,
    'home/.opencode/opencode.json': {},
    'project/opencode.json': {},
    'project/.opencode/opencode.json': {},
    'project/.opencode/agent/team/b.md': agent,
    'project/.opencode/mode/c.md': agent,
    'project/.opencode/mode/deeper/no.md': agent,
    'project/sub/opencode.json': {},
    'project/sub/opencode.jsonc': {},
    'project/sub/.opencode/opencode.jsonc': {},
    'managed/opencode.json': {},
    'opencode.json': {},
    'more.json': {},
    'extra/opencode.json': {},
  })
  const places = {
    ...placesIn(root),
    project: join(root, 'project/sub'),
    extraFile: join(root, 'more.json'),
    extraFolder: join(root, 'extra'),
    content: '{}',
    permission: '{}',
  }
  const { sources, problems } = readOpenCodeSetup(places, { secretsIn })
  const placeOf = (file: string): string => (isVariable(file) ? file : relative(root, file))
  expect(sources.map((source) => `${source.level} ${placeOf(source.file)}`)).toEqual([
    'user home/.config/opencode/config.json',
    'user home/.config/opencode/opencode.json',
    'user home/.config/opencode/opencode.jsonc',
    'user more.json',
    'project project/opencode.json',
    'project project/sub/opencode.json',
    'project project/sub/opencode.jsonc',
    'user home/.config/opencode/agents/a.md',
    'project project/sub/.opencode/opencode.jsonc',
    'project project/.opencode/opencode.json',
    'project project/.opencode/agent/team/b.md',
    'project project/.opencode/mode/c.md',
    'user home/.opencode/opencode.json',
    'user extra/opencode.json',
    'environment $OPENCODE_CONFIG_CONTENT',
    'managed managed/opencode.json',
    'environment $OPENCODE_PERMISSION',
  ])
  expect(sources.flatMap((source) => (source.kind === 'agent' ? [source.name] : []))).toEqual([
    'a',
    'team/b',
    'c',
  ])
  expect(problems).toEqual([])
})

it.each<[string, string, string[], number]>([
  ['comments and trailing commas', '// why\n{"permission": {"bash": "deny",}, /* x */}', [], 1],
  ['a byte order mark', '\uFEFF{"permission": "deny"}', [], 1],
  ['an empty file', '', [], 0],
  ['only whitespace', ' \n', ['error malformed 2:1'], 0],
  ['invalid JSON', '{"permission": {"bash": "deny"', ['error malformed 1:31'], 0],
  ['a list', '[]', ['error wrong-shape 1:1'], 0],
  ['a duplicate key', '{"a": 1,\n "a": 2}', ['error duplicate-key 1:2'], 1],
  ['deeply nested values', '['.repeat(500), ['error malformed 1:65'], 0],
])('a configuration with %s', (_, text, problems, read) => {
  const setup = openCodeSetup({ 'project/opencode.json': text })
  expect(problemsOf(setup)).toEqual(problems)
  expect(setup.sources).toHaveLength(read)
})

it.each<[string, string, string[], number]>([
  ['a colon in a value', head('description: one: two\npermission:\n  bash: deny'), [], 1],
  ['CRLF line endings', head('description: x\npermission:\n  bash: deny').replaceAll('\n', '\r\n'), [], 1],
  ['a byte order mark', `\uFEFF${head('permission:\n  bash: deny')}`, [], 1],
  ['no body', '---\npermission:\n  bash: deny\n---', [], 1],
  ['no frontmatter', 'You help.', [], 1],
  ['an unquoted star', head('permission:\n  *: deny'), ['error malformed 3:6'], 0],
  ['a duplicate key', head('permission:\n  bash: deny\n  bash: allow'), ['error malformed 4:3'], 0],
  ['unterminated frontmatter', '---\npermission:\n  bash: deny\nYou help.\n', ['error malformed 4:1'], 0],
  ['a blank line before it', `\n${head('permission:\n  bash: deny')}`, ['error malformed 1:1'], 1],
  // The client retries because of the colon, fails again, and then skips the agent.
  ['two mistakes', head('description: a: b\npermission:\n  *: deny'), ['warning malformed 2:14'], 0],
])('an agent with %s', (_, text, problems, read) => {
  const setup = openCodeSetup({ 'project/.opencode/agent/x.md': text })
  expect(problemsOf(setup)).toEqual(problems)
  expect(setup.sources).toHaveLength(read)
})

it('reads the frontmatter of an agent, with positions', () => {
  const { sources } = openCodeSetup({
    'project/.opencode/agent/x.md': head('name: other\ndescription: one: two\npermission:\n  bash: deny'),
  })
  const [agent] = sources
  if (agent?.kind !== 'agent') throw new Error('no agent')
  expect(agent.name).toBe('other')
  expect(agent.frontmatter).toEqual({
    name: 'other',
    description: 'one: two',
    permission: { bash: 'deny' },
  })
  expect(agent.locate(['permission', 'bash'], 'key')).toMatchObject({ line: 5, column: 3 })
  expect(agent.text.slice(agent.body)).toBe('You help.\n')
})

it('reports unreadable files', () => {
  const root = openCodeFolder({ 'home/.config/opencode/opencode.json': 'x'.repeat(1_100_000) })
  mkdirSync(join(root, 'project/opencode.json'))
  mkdirSync(join(root, 'project/.opencode/agent'), { recursive: true })
  symlinkSync('nothing', join(root, 'project/.opencode/agent/x.md'))
  symlinkSync('.', join(root, 'project/.opencode/agent/again'))
  const { problems } = readOpenCodeSetup(placesIn(root), { secretsIn })
  expect(problems.map(({ file, kind }) => `${kind} ${relative(root, file)}`)).toEqual([
    'unreadable home/.config/opencode/opencode.json',
    'unreadable project/opencode.json',
    'unreadable project/.opencode/agent/x.md',
  ])
})

it('recognizes folders, even with circular links', () => {
  const root = openCodeFolder({ 'project/folder/file': '' })
  const link = (name: string, target: string): void => symlinkSync(target, join(root, 'project', name))
  link('self', 'self')
  link('linked', 'folder')
  const { isFolder } = readOpenCodeSetup(placesIn(root), { secretsIn })
  const names = ['self', 'self/inner', 'folder', 'linked', 'folder/file', 'nothing']
  expect(names.filter((name) => isFolder(join(root, 'project', name)))).toEqual(['folder', 'linked'])
})

it.each([
  ['project/.opencode/tool/query.ts', '', true],
  ['project/.opencode/plugin/mine.js', '', true],
  ['project/.opencode/tool/notes.txt', '', false],
  ['project/opencode.json', { plugin: ['some-plugin'] }, true],
  ['project/opencode.json', { plugin: [] }, false],
])('%s may define tools: %j', (file, content, expected) => {
  expect(openCodeSetup({ [file]: content }).hasOwnTools).toBe(expected)
})

it('reads variables like files, with positions in their value', () => {
  const root = openCodeFolder()
  const read = (more: object): OpenCodeSetup =>
    readOpenCodeSetup({ ...placesIn(root), ...more }, { secretsIn })
  expect(problemsOf(read({ content: '{"permission": ' }))).toEqual(['error malformed 1:16'])
  expect(rulesetsOf(read({ content: '{"permission": {"bash": "deny"}}' })).shared.statements).toMatchObject([
    { tool: 'bash', action: 'deny', file: '$OPENCODE_CONFIG_CONTENT', line: 1, column: 17 },
  ])
  expect(rulesetsOf(read({ permission: '{\n  "bash": {"a": "no"}}' })).shared.statements).toMatchObject([
    { tool: 'bash', pattern: 'a', action: 'ask', file: '$OPENCODE_PERMISSION', line: 2, column: 12 },
  ])
  for (const permission of ['"deny"', '["deny"]', '{"bash": "deny"'])
    expect(rulesetsOf(read({ permission })).shared.statements).toEqual([])
})

it('skips the project if the environment requests it', () => {
  const root = openCodeFolder({
    'project/opencode.json': { permission: 'deny' },
    'project/.opencode/agent/x.md': 'You help.',
  })
  const { sources, skipped } = readOpenCodeSetup({ ...placesIn(root), isWithoutProject: true }, { secretsIn })
  expect(sources).toEqual([])
  expect(skipped.map(({ file }) => relative(root, file))).toEqual(['project/opencode.json'])
})
