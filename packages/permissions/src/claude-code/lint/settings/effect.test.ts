import { describe, expect, test } from 'vitest'

import { check, rulesFile } from '../../../../test/claude-files.ts'
import { effectRules } from './effect.ts'

const named = (id: string) => effectRules.find((rule) => rule.id === id)

describe('an allow rule that others cover', () => {
  const run = (lists: Readonly<Record<string, readonly string[]>>) =>
    check(named('shadowed-allow'), rulesFile(lists)).lines

  test.each<[string, string, string]>([
    ['the tool', 'Bash(npm test)', 'Bash'],
    ['the tool, with a star', 'Bash(npm test)', 'Bash(*)'],
    ['the tool under its other name', 'Agent(scanner)', 'Task'],
    ['the same', 'Bash(npm test)', 'Bash(npm test)'],
    ['what it begins with', 'Bash(git push origin)', 'Bash(git push:*)'],
    ['a longer prefix', 'Bash(git push *)', 'Bash(git:*)'],
    ['the same prefix, written otherwise', 'Bash(git *)', 'Bash(git:*)'],
    ['a folder', 'Edit(src/deep/x.ts)', 'Edit(src/**)'],
    ['the same path, written otherwise', 'Read(./.env)', 'Read(.env)'],
    ['a server', 'mcp__a__b', 'mcp__a'],
    ['all tools of a server', 'mcp__a', 'mcp__a__*'],
    ['some tools', 'mcp__a__get_x', 'mcp__a__get_*'],
    ['all servers', 'mcp__a__b', 'mcp__*'],
    ['everything', 'Read', '*'],
  ])('%s', (_case, allow, deny) => {
    expect(run({ allow: [allow], deny: [deny] })).toHaveLength(1)
    expect(run({ allow: [allow], ask: [deny] })).toHaveLength(1)
  })

  test.each<[string, string, string]>([
    ['another command', 'Bash(github:*)', 'Bash(git:*)'],
    ['a part of it', 'Bash(git:*)', 'Bash(git push:*)'],
    ['what may be more than one command', 'Bash(git log && rm x)', 'Bash(git log:*)'],
    ['a wildcard in front', 'Bash(* x)', 'Bash(git:*)'],
    ['another folder', 'Edit(srcs/x)', 'Edit(src/**)'],
    ['a wildcard above', 'Edit(*/src/x)', 'Edit(src/**)'],
    ['another tool', 'Edit(src/x)', 'Read(src/**)'],
    ['another server', 'mcp__ab__c', 'mcp__a'],
    ['one tool of it', 'mcp__a', 'mcp__a__b'],
    ['a rule that does nothing', 'mcp__a__b', 'mcp__a(*)'],
  ])('not by %s', (_case, allow, deny) => {
    expect(run({ allow: [allow], deny: [deny] })).toEqual([])
  })

  test('from whichever level, and both places are named', () => {
    const { lines } = check(named('shadowed-allow'), {
      'managed/managed-settings.json': { permissions: { allow: ['WebFetch'] } },
      'home/.claude/settings.json': { permissions: { deny: ['WebFetch'] } },
    })
    expect(lines).toEqual([
      'warning managed/managed-settings.json:4: `WebFetch` allows nothing: `WebFetch` (~/.claude/settings.json:4:7) denies all of it, and deny comes first.',
    ])
  })

  test('one slash begins elsewhere in the settings of the user', () => {
    const files = { 'home/.claude/settings.json': { permissions: { deny: ['Read(/src/**)'] } } }
    const allow = { allow: ['Read(/src/x)'] }
    expect(check(named('shadowed-allow'), { ...files, ...rulesFile(allow) }).lines).toEqual([])
    expect(run({ ...allow, deny: ['Read(/src/**)'] })).toHaveLength(1)
  })

  test('thousands of them are no work', () => {
    const names = Array.from({ length: 5000 }, (_, index) => `Bash(tool${index} run:*)`)
    expect(run({ allow: names, deny: names })).toHaveLength(5000)
  })
})

describe('a workspace that nobody trusts', () => {
  const rules = { permissions: { allow: ['Bash'], deny: ['Read'] } }
  const untrusted = { 'home/.claude.json': {} }

  test('ignores what the project allows', () => {
    const files = { 'project/.claude/settings.json': rules, ...untrusted }
    expect(check(named('untrusted-allow'), files).lines).toEqual([
      'warning project/.claude/settings.json:3: This workspace is not trusted yet, so Claude Code ignores its allow rule.',
    ])
  })

  test.each([
    ['local rules count', { 'project/.claude/settings.local.json': rules, ...untrusted }],
    ['denying is no matter of trust', { ...rulesFile({ deny: ['Bash'] }), ...untrusted }],
    ['a trusted one', rulesFile({ allow: ['Bash'] })],
  ])('%s', (_case, files) => {
    expect(check(named('untrusted-allow'), files).lines).toEqual([])
  })

  test('a client that was never started knows nothing of trust', () => {
    const files = { ...rulesFile({ allow: ['Bash'] }), ...untrusted }
    const never = check(named('untrusted-allow'), files, (setup) => ({ ...setup, isUsed: false }))
    expect(never.lines).toEqual([])
  })
})

test('rules beside managed ones that want to be alone', () => {
  const managed = { 'managed/managed-settings.json': { allowManagedPermissionRulesOnly: true } }
  const rules = rulesFile({ deny: ['Bash'] })
  expect(check(named('managed-rules-only'), { ...managed, ...rules }).lines).toHaveLength(1)
  expect(check(named('managed-rules-only'), rules).lines).toEqual([])
  expect(check(named('managed-rules-only'), managed).lines).toEqual([])
})
