import { describe, expect, test } from 'vitest'

import { check, rulesFile } from '../../../../test/claude-files.ts'
import { effectRules } from './effect.ts'

const named = (id: string) => effectRules.find((rule) => rule.id === id)

describe('an allow rule shadowed by another rule', () => {
  const run = (lists: Readonly<Record<string, readonly string[]>>) =>
    check(named('shadowed-allow'), rulesFile(lists)).lines

  test.each<[string, string, string]>([
    ['the whole tool', 'Bash(npm test)', 'Bash'],
    ['the whole tool, with a wildcard', 'Bash(npm test)', 'Bash(*)'],
    ['the tool under its former name', 'Agent(scanner)', 'Task'],
    ['an identical rule', 'Bash(npm test)', 'Bash(npm test)'],
    ['a prefix of the command', 'Bash(git push origin)', 'Bash(git push:*)'],
    ['a prefix of the prefix', 'Bash(git push *)', 'Bash(git:*)'],
    ['the same prefix in the other form', 'Bash(git *)', 'Bash(git:*)'],
    ['a folder', 'Edit(src/deep/x.ts)', 'Edit(src/**)'],
    ['the same path in the other form', 'Read(./.env)', 'Read(.env)'],
    ['a server', 'mcp__a__b', 'mcp__a'],
    ['all tools of a server', 'mcp__a', 'mcp__a__*'],
    ['some tools of a server', 'mcp__a__get_x', 'mcp__a__get_*'],
    ['all servers', 'mcp__a__b', 'mcp__*'],
    ['everything', 'Read', '*'],
  ])('%s', (_case, allow, deny) => {
    expect(run({ allow: [allow], deny: [deny] })).toHaveLength(1)
    expect(run({ allow: [allow], ask: [deny] })).toHaveLength(1)
  })

  test.each<[string, string, string]>([
    ['another command', 'Bash(github:*)', 'Bash(git:*)'],
    ['a narrower prefix', 'Bash(git:*)', 'Bash(git push:*)'],
    ['a prefix, if the rule allows several commands', 'Bash(git log && rm x)', 'Bash(git log:*)'],
    ['a prefix, if the rule starts with a wildcard', 'Bash(* x)', 'Bash(git:*)'],
    ['another folder', 'Edit(srcs/x)', 'Edit(src/**)'],
    ['a folder, if the rule has a wildcard above it', 'Edit(*/src/x)', 'Edit(src/**)'],
    ['another tool', 'Edit(src/x)', 'Read(src/**)'],
    ['another server', 'mcp__ab__c', 'mcp__a'],
    ['one tool of the server', 'mcp__a', 'mcp__a__b'],
    ['a rule without effect', 'mcp__a__b', 'mcp__a(*)'],
  ])('not by %s', (_case, allow, deny) => {
    expect(run({ allow: [allow], deny: [deny] })).toEqual([])
  })

  test('the level is irrelevant, and the message has both places', () => {
    const { lines } = check(named('shadowed-allow'), {
      'managed/managed-settings.json': { permissions: { allow: ['WebFetch'] } },
      'home/.claude/settings.json': { permissions: { deny: ['WebFetch'] } },
    })
    expect(lines).toEqual([
      'warning managed/managed-settings.json:4: `WebFetch` allows nothing: `WebFetch` (~/.claude/settings.json:4:7) denies all of it, and deny overrides allow.',
    ])
  })

  test('paths with one slash have another base in user settings', () => {
    const files = { 'home/.claude/settings.json': { permissions: { deny: ['Read(/src/**)'] } } }
    const allow = { allow: ['Read(/src/x)'] }
    expect(check(named('shadowed-allow'), { ...files, ...rulesFile(allow) }).lines).toEqual([])
    expect(run({ ...allow, deny: ['Read(/src/**)'] })).toHaveLength(1)
  })

  test('thousands of rules are compared quickly', () => {
    const names = Array.from({ length: 5000 }, (_, index) => `Bash(tool${index} run:*)`)
    expect(run({ allow: names, deny: names })).toHaveLength(5000)
  })
})

describe('an untrusted workspace', () => {
  const rules = { permissions: { allow: ['Bash'], deny: ['Read'] } }
  const untrusted = { 'home/.claude.json': {} }

  test('ignores allow rules of the project', () => {
    const files = { 'project/.claude/settings.json': rules, ...untrusted }
    expect(check(named('untrusted-allow'), files).lines).toEqual([
      'warning project/.claude/settings.json:3: This workspace is not trusted yet, so Claude Code ignores its allow rule.',
    ])
  })

  test.each([
    ['local rules apply', { 'project/.claude/settings.local.json': rules, ...untrusted }],
    ['deny rules apply', { ...rulesFile({ deny: ['Bash'] }), ...untrusted }],
    ['a trusted workspace', rulesFile({ allow: ['Bash'] })],
  ])('%s', (_case, files) => {
    expect(check(named('untrusted-allow'), files).lines).toEqual([])
  })

  test('on a machine without Claude Code, trust is unknown', () => {
    const files = { ...rulesFile({ allow: ['Bash'] }), ...untrusted }
    const never = check(named('untrusted-allow'), files, (setup) => ({ ...setup, isUsed: false }))
    expect(never.lines).toEqual([])
  })
})

test('other rules are reported if only managed rules apply', () => {
  const managed = { 'managed/managed-settings.json': { allowManagedPermissionRulesOnly: true } }
  const rules = rulesFile({ deny: ['Bash'] })
  expect(check(named('managed-rules-only'), { ...managed, ...rules }).lines).toHaveLength(1)
  expect(check(named('managed-rules-only'), rules).lines).toEqual([])
  expect(check(named('managed-rules-only'), managed).lines).toEqual([])
})
