import { describe, expect, test } from 'vitest'

import { check } from '../../../test/claude-files.ts'
import { problemRules } from '../lint/file-problems.ts'
import { intendedSettings } from './unread-files.ts'

const rule = problemRules.find(({ id }) => id === 'unread-file')
const linesFor = (files: Readonly<Record<string, unknown>>): string[] =>
  check(rule, files).lines.map((line) => line.split(': ')[0] ?? '')
const closing = { permissions: { deny: ['Bash'] } }
const opening = { permissions: { allow: ['Bash'] } }
const servers = { mcpServers: { tracker: { command: 'serve' } } }
const agent = '---\nname: a\ndescription: b\n---\nWork.\n'

test.each<[string, string | undefined]>([
  ['settings.locale.json', 'settings.local.json'],
  ['settings-local.json', 'settings.local.json'],
  ['settings_local.json', 'settings.local.json'],
  ['local.settings.json', 'settings.local.json'],
  ['settings.local.jsonc', 'settings.local.json'],
  ['setting.json', 'settings.json'],
  ['Settings.json', 'settings.json'],
  ['settings.jsonc', 'settings.json'],
  ['settings.yaml', 'settings.json'],
  ['permissions.json', 'settings.json'],
  ['settings.json', undefined],
  ['settings.local.json', undefined],
  ['settings.ci.json', undefined],
  ['settings.example.json', undefined],
  ['settings.local.example.json', undefined],
  ['settings.json.bak', undefined],
  ['settings.local.json.orig', undefined],
  ['settings.md', undefined],
  ['config.json', undefined],
  ['stats.json', undefined],
])('%s is recognized as %s', (name, intended) => {
  expect(intendedSettings(name)).toBe(intended)
})

describe('settings', () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    [
      'that deny',
      { 'project/.claude/settings.locale.json': closing },
      ['error project/.claude/settings.locale.json:1'],
    ],
    ['that allow', { 'project/.claude/setting.json': opening }, ['warning project/.claude/setting.json:1']],
    [
      'in another language',
      { 'project/.claude/settings.yaml': 'permissions:\n  deny: [Bash]\n' },
      ['error project/.claude/settings.yaml:1'],
    ],
    ['of the user', { 'home/.claude/settings.jsonc': closing }, ['error home/.claude/settings.jsonc:1']],
    [
      'local settings of the user',
      { 'home/.claude/settings.local.json': closing },
      ['error home/.claude/settings.local.json:1'],
    ],
    ['the client writes itself', { 'home/.claude/settings.local.json': opening }, []],
    [
      'that are read',
      { 'project/.claude/settings.local.json': closing, 'home/.claude/settings.json': closing },
      [],
    ],
  ])('%s', (_case, files, lines) => {
    expect(linesFor(files)).toEqual(lines)
  })
})

describe('servers', () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ['in .claude', { 'project/.claude/mcp.json': servers }, ['warning project/.claude/mcp.json:2']],
    ['without the dot', { 'project/mcp.json': servers }, ['warning project/mcp.json:2']],
    ['of the user', { 'home/.claude/mcp.json': servers }, ['warning home/.claude/mcp.json:2']],
    [
      'with comments',
      { 'project/.mcp.jsonc': '// x\n{ "mcpServers": { "a": {} } }' },
      ['warning project/.mcp.jsonc:2'],
    ],
    ['that are set up as well', { 'project/mcp.json': servers, 'project/.mcp.json': servers }, []],
    ['in no shape of ours', { 'project/mcp.json': { servers: {} }, 'project/.claude/mcp.json': '[' }, []],
  ])('%s', (_case, files, lines) => {
    expect(linesFor(files)).toEqual(lines)
  })
})

describe('agents', () => {
  test.each<[string, Record<string, string>, string[]]>([
    [
      'in a folder with another name',
      { 'project/.claude/agent/a.md': agent },
      ['warning project/.claude/agent/a.md:1'],
    ],
    [
      'after a heading',
      { 'project/.claude/agents/a.md': `# A\n\n${agent}` },
      ['warning project/.claude/agents/a.md:1'],
    ],
    [
      'without dashes',
      { 'project/.claude/agents/a.md': 'name: a\ntools: Read\n' },
      ['warning project/.claude/agents/a.md:1'],
    ],
    ['with text only', { 'home/.claude/agents/a.md': 'You work.\n' }, ['note home/.claude/agents/a.md:1']],
    ['that are explained', { 'project/.claude/agents/README.md': '# Agents\n' }, []],
    ['as they should be', { 'project/.claude/agents/a.md': agent }, []],
  ])('%s', (_case, files, lines) => {
    expect(linesFor(files)).toEqual(lines)
  })
})
