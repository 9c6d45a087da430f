import { describe, expect, test } from 'vitest'

import { check, type ClaudeFiles } from '../../../../test/claude-files.ts'
import { sandboxRules } from './sandbox.ts'

const ruleOf = (id: string) => sandboxRules.find((rule) => rule.id === id)

const fileAt = {
  managed: 'managed/managed-settings.json',
  user: 'home/.claude/settings.json',
  project: 'project/.claude/settings.json',
  local: 'project/.claude/settings.local.json',
}
type At = Partial<Record<keyof typeof fileAt, object>>

const files = (levels: At): ClaudeFiles =>
  Object.fromEntries(
    Object.entries(levels).map(([level, value]) => [fileAt[level as keyof typeof fileAt], value]),
  )
const sandboxes = (levels: At): ClaudeFiles =>
  files(Object.fromEntries(Object.entries(levels).map(([level, sandbox]) => [level, { sandbox }])))

const on = { enabled: true }
const off = { enabled: false }
const unasked = { ...on, autoAllowBashIfSandboxed: true }

describe('sandbox-switched-off', () => {
  test.each<[At, number]>([
    [{ user: on, project: off }, 1],
    [{ user: { ...on, failIfUnavailable: true }, project: { failIfUnavailable: false } }, 1],
    [{ project: off }, 0],
    [{ user: off, project: off }, 0],
    [{ user: on, local: off }, 0],
    [{ user: on, project: off, local: on }, 0],
    [{ managed: on, user: on, project: off }, 0],
    [{ managed: { allowUnsandboxedCommands: false }, user: on, project: off }, 0],
  ])('%j: %i', (levels, count) => {
    expect(check(ruleOf('sandbox-switched-off'), sandboxes(levels)).lines).toHaveLength(count)
  })
})

describe('sandbox-without-asking', () => {
  test.each<[At, number]>([
    [{ project: unasked }, 1],
    [{ user: on, project: { autoAllowBashIfSandboxed: true } }, 1],
    [{ project: { autoAllowBashIfSandboxed: true } }, 1],
    [{ user: unasked }, 0],
    [{ project: unasked, local: { autoAllowBashIfSandboxed: false } }, 0],
  ])('%j: %i', (levels, count) => {
    expect(check(ruleOf('sandbox-without-asking'), sandboxes(levels)).lines).toHaveLength(count)
  })
})

describe('deny-shallow-in-sandbox', () => {
  const found = (sandbox: object, deny: readonly string[]) =>
    check(ruleOf('deny-shallow-in-sandbox'), files({ user: { sandbox, permissions: { deny } } }))

  test.each(['Read(.env)', 'Read(*.key)', 'Read(secrets)'])('%s', (rule) => {
    expect(found(unasked, [rule]).lines).toHaveLength(1)
    expect(found(on, [rule]).lines).toEqual([])
  })

  test.each([
    'Read(./.env)',
    'Read(**/.env)',
    'Read(a/.env)',
    'Read(~/x)',
    'Read(//x)',
    'Read',
    'Read(**)',
    'Bash(x)',
  ])('%s is not reported', (rule) => {
    expect(found(unasked, [rule]).lines).toEqual([])
  })

  test('the repair adds the recursive form once', () => {
    expect(found(unasked, ['Read(.env)', 'Read(**/.env)']).lines).toEqual([])
    const { repaired } = found(unasked, ['Bash(x)', 'Read(.env)'])
    const settings = JSON.parse(repaired['home/.claude/settings.json']!) as object
    expect(settings).toMatchObject({ permissions: { deny: ['Bash(x)', 'Read(.env)', 'Read(**/.env)'] } })
  })
})

describe('sandbox-reopens-denied', () => {
  test.each<[keyof typeof fileAt, string, number]>([
    ['project', './.env', 1],
    ['project', '.env', 1],
    ['local', '$ROOT/project/.env', 1],
    ['user', '$ROOT/project/.env', 1],
    // In user settings, paths are relative to the client's folder.
    ['user', './.env', 0],
    ['project', '.', 0],
    ['project', 'other', 0],
  ])('allowRead at %s: %s', (level, path, count) => {
    const sandbox = { ...on, filesystem: { allowRead: [path] } }
    const managed = { permissions: { deny: ['Read(./.env)'] } }
    const rule = ruleOf('sandbox-reopens-denied')
    expect(check(rule, files({ managed, [level]: { sandbox } })).lines).toHaveLength(count)
    expect(check(rule, files({ managed, [level]: { sandbox: { ...sandbox, ...off } } })).lines).toEqual([])
  })
})

test.each<[string, string[]]>([
  ['Bash(docker:*)', ['Write `docker:*`.']],
  [' docker', ['Write `docker`.']],
  ['docker:*', []],
  ['docker *', []],
  ['Bash', []],
])('an excluded command %j', (command, fixes) => {
  const rule = ruleOf('sandbox-exclusion-form')
  expect(check(rule, sandboxes({ user: { ...on, excludedCommands: [command] } })).fixes).toEqual(fixes)
})
