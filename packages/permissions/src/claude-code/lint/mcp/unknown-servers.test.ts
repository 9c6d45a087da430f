import { expect, test } from 'vitest'

import { check, rulesFile, serverFile } from '../../../../test/claude-files.ts'
import { unknownServerRules } from './unknown-servers.ts'

const [unknownName] = unknownServerRules
const servers = serverFile('tracker', 'da-sh')

test.each<[string, Record<string, string[]>, string[], string?]>([
  ['an unknown server', { allow: ['mcp__wiki__*'] }, ['warning']],
  [
    'one finding per server',
    { allow: ['mcp__wiki__a', 'mcp__wiki__b', 'mcp__blog'] },
    ['warning', 'warning'],
  ],
  [
    'an unknown server in ask and deny is harmless',
    { ask: ['mcp__wiki'], deny: ['mcp__blog'] },
    ['note', 'note'],
  ],
  ['a typo', { allow: ['mcp__traker__get'] }, ['warning'], 'mcp__tracker__get'],
  ['wrong case in a deny rule', { deny: ['mcp__Tracker__get'] }, ['error'], 'mcp__tracker__get'],
  ['an underscore instead of a dash', { deny: ['mcp__da_sh'] }, ['error'], 'mcp__da-sh'],
  ['an empty tool name', { deny: ['mcp__tracker__'] }, ['error'], 'mcp__tracker__*'],
  ['the suffix of Bash prefixes', { deny: ['mcp__tracker__get:*'] }, ['error'], 'mcp__tracker__get*'],
  [
    'existing servers',
    { allow: ['mcp__tracker', 'mcp__tracker__*', 'mcp__tracker__get'], deny: ['mcp__*', 'mcp__wi*'] },
    [],
  ],
  [
    'servers of the client or the account',
    { allow: ['mcp__ide__getDiagnostics', 'mcp__claude_ai_Slack__send'] },
    [],
  ],
  ['rules for other tools', { allow: ['Bash(mcp__wiki)', 'mcp', 'wiki'] }, []],
])('%s', (_case, rules, severities, instead) => {
  const { lines, fixes } = check(unknownName, { ...servers, ...rulesFile(rules) })
  expect(lines.map((line) => line.split(' ')[0])).toEqual(severities)
  if (instead !== undefined) expect(fixes[0]).toContain(`\`${instead}\``)
})

test('in user and managed settings, unknown servers are reported only if they look like a typo', () => {
  const users = (name: string) => ({
    ...servers,
    'home/.claude/settings.json': { permissions: { allow: [name] } },
    'managed/managed-settings.json': { permissions: { deny: [name] } },
  })
  expect(check(unknownName, users('mcp__wiki')).lines).toEqual([])
  expect(check(unknownName, users('mcp__trackers')).lines).toHaveLength(2)
})

test('a tool that the server is known not to have', () => {
  const files = {
    ...servers,
    ...rulesFile({ allow: ['mcp__tracker__get_isue', 'mcp__tracker__list', 'mcp__tracker__get_*'] }),
  }
  expect(check(unknownName, files).lines).toEqual([])
  const { lines, fixes } = check(unknownName, files, (setup) => ({
    ...setup,
    servers: setup.servers.map((server) => ({ ...server, tools: ['get.issue', 'list'] })),
  }))
  expect(lines).toEqual([expect.stringContaining('`tracker` has no tool with that name')])
  expect(fixes[0]).toContain('`mcp__tracker__get_issue`')
})

test('repairs only misspelled names', () => {
  const { repaired } = check(unknownName, {
    ...servers,
    ...rulesFile({ deny: ['mcp__Tracker', 'mcp__wiki'] }),
  })
  expect(JSON.parse(repaired['project/.claude/settings.json'] ?? '')).toEqual({
    permissions: { deny: ['mcp__tracker', 'mcp__wiki'] },
  })
})

test("does not repair the user's deny rules: another project may have such a server", () => {
  const users = (name: string) => ({
    ...servers,
    'home/.claude/settings.json': { permissions: { deny: [name] } },
  })
  const { lines, repaired } = check(unknownName, users('mcp__Tracker'))
  expect([lines.length, repaired]).toEqual([1, {}])
  expect(Object.keys(check(unknownName, users('mcp__tracker:*')).repaired)).toEqual([
    'home/.claude/settings.json',
  ])
})

test('on a machine without Claude Code, only likely typos are reported', () => {
  const allow = ['mcp__wiki', 'mcp__tricked', 'mcp__Tracker', 'mcp__tracer']
  const files = { ...servers, ...rulesFile({ allow }) }
  expect(check(unknownName, files).lines).toHaveLength(4)
  const { lines } = check(unknownName, files, (setup) => ({ ...setup, isUsed: false }))
  expect(lines).toEqual([expect.stringContaining('`mcp__Tracker`'), expect.stringContaining('`tracer`')])
})

test('servers of a missing plugin are not reported', () => {
  const rules = ['mcp__plugin_library_docs', 'mcp__plugin_library', 'mcp__plugin_shelf_docs']
  const files = {
    ...servers,
    'project/.claude/settings.json': {
      enabledPlugins: { 'library@market': true },
      permissions: { allow: rules },
    },
  }
  expect(check(unknownName, files).lines).toEqual([expect.stringContaining('`mcp__plugin_shelf_docs`')])
})
