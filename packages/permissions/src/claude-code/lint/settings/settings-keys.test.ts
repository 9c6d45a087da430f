import { describe, expect, test } from 'vitest'

import { check } from '../../../../test/claude-files.ts'
import { settingsKeyRules } from './settings-keys.ts'

const named = (id: string) => settingsKeyRules.find((rule) => rule.id === id)
const file = 'project/.claude/settings.json'

/** `severity line` of each finding, and the file after repair. */
function run(id: string, settings: object, at = file) {
  const { lines, fixes, repaired } = check(named(id), { [at]: settings })
  const text = repaired[at]
  return {
    found: lines.map((line) => line.replace(/^(\w+) .*?:(\d+): .*$/s, '$1 $2')),
    fixes,
    repaired: text === undefined ? undefined : JSON.parse(text),
  }
}

describe('legacy keys', () => {
  test('a repair does not grant what a legacy key allows', () => {
    const { found, repaired } = run('legacy-settings-key', {
      allowed_tools: ['Bash'],
      allowedTools: ['Read'],
    })
    expect(found).toEqual(['warning 2', 'warning 5'])
    expect(repaired).toBeUndefined()
  })

  test('a repair moves legacy deny rules to `permissions.deny`', () => {
    const { found, repaired } = run('legacy-settings-key', {
      disallowedTools: ['WebFetch', 'Bash'],
      permissions: { allow: ['Read'], deny: ['Bash'] },
    })
    expect(found).toEqual(['error 2'])
    expect(repaired).toEqual({ permissions: { allow: ['Read'], deny: ['Bash', 'WebFetch'] } })
  })

  test('patterns are not repaired: the user has to write the rules', () => {
    const { found, repaired, fixes } = run('legacy-settings-key', { ignorePatterns: ['.env'] })
    expect([found, repaired, fixes.length]).toEqual([['error 2'], undefined, 1])
  })

  test('a value of the wrong type is not moved', () => {
    expect(run('legacy-settings-key', { disallowedTools: { Bash: true } }).repaired).toBeUndefined()
  })
})

describe('misplaced keys', () => {
  test.each<[string, object, string[], unknown]>([
    ['deny', { deny: ['Bash'] }, ['error 2'], { permissions: { deny: ['Bash'] } }],
    ['ask', { ask: ['Bash'] }, ['error 2'], { permissions: { ask: ['Bash'] } }],
    ['allow', { allow: ['Bash'] }, ['warning 2'], undefined],
    ['a mode', { defaultMode: 'plan' }, ['warning 2'], undefined],
    ['servers', { mcpServers: {} }, ['warning 2'], undefined],
    ['a setting for administrators', { allowManagedPermissionRulesOnly: true }, ['error 2'], undefined],
    ['keys in the right place', { permissions: { deny: ['Bash'], defaultMode: 'plan' } }, [], undefined],
  ])('%s', (_case, settings, found, repaired) => {
    expect(run('misplaced-settings-key', settings)).toMatchObject({ found, repaired })
  })

  test('a setting for administrators is accepted in managed settings', () => {
    const settings = { allowManagedPermissionRulesOnly: true }
    expect(run('misplaced-settings-key', settings, 'managed/managed-settings.json').found).toEqual([])
  })
})

describe('unknown keys', () => {
  test.each<[string, object, string[], unknown]>([
    [
      'a misspelled key with deny rules',
      { permisions: { deny: ['Bash'] } },
      ['error 2'],
      { permissions: { deny: ['Bash'] } },
    ],
    [
      'a key with allow rules is not renamed',
      { permisions: { deny: ['Bash'], allow: ['Read'] } },
      ['error 2'],
      undefined,
    ],
    ['a misspelled key with allow rules', { permisions: { allow: ['Bash'] } }, ['warning 2'], undefined],
    [
      'a misspelled key next to the correct one',
      { permisions: { deny: ['Bash'] }, permissions: {} },
      ['error 2'],
      undefined,
    ],
    [
      'another word for deny',
      { permissions: { blocked: ['Bash'] } },
      ['error 3'],
      { permissions: { deny: ['Bash'] } },
    ],
    ['another word for allow', { permissions: { allowed: ['Bash'] } }, ['warning 3'], undefined],
    ['a typo in another key', { disableAllHook: true }, ['warning 2'], undefined],
    ['no similar key: a newer client may know it', { somethingElseAltogether: 1 }, ['note 2'], undefined],
    ['comments', { '//': 'x', _comment: 'x', $schema: 'x' }, [], undefined],
    ['keys that another rule reports', { allowed_tools: [], deny: [], mcpServers: {} }, [], undefined],
    ['names of object properties', { constructor: 1, toString: 1 }, ['note 2', 'note 3'], undefined],
  ])('%s', (_case, settings, found, repaired) => {
    expect(run('unknown-settings-key', settings)).toMatchObject({ found, repaired })
  })

  test.each<[string, object, string, string]>([
    ['a list per tool', { permissions: { read: { deny: ['*.env'] } } }, 'error 3', '"deny": ["Read(*.env)"]'],
    ['an action per tool', { permissions: { Bash: 'deny' } }, 'error 3', '"deny": ["Bash"]'],
    ['ask for a tool', { permissions: { bash: 'ask' } }, 'error 3', '"ask": ["Bash"]'],
    [
      'nested lists',
      { permissions: { rules: { deny: ['Bash(rm *)'] } } },
      'error 3',
      '"deny": ["Bash(rm *)"]',
    ],
    ['a default action', { permissions: { default: 'deny' } }, 'error 3', '"deny": ["<rule>"]'],
    ['a list that should deny', { permissions: { deniedPaths: ['.env'] } }, 'error 3', 'permissions.deny'],
    ['patterns', { permissions: { ignorePatterns: ['.env'] } }, 'error 3', 'Read(<pattern>)'],
    [
      'the format of OpenCode',
      { permission: { bash: { 'rm *': 'deny', ls: 'allow' }, edit: 'ask', webfetch: 'deny' } },
      'error 2',
      '"deny": ["Bash(rm *)", "WebFetch"]` and `"ask": ["Edit"]',
    ],
    [
      'a long list in the format of OpenCode',
      { permission: { bash: { a: 'deny', b: 'deny', c: 'deny', d: 'deny' } } },
      'error 2',
      '"deny": ["Bash(a)", "Bash(b)", "Bash(c)", …]',
    ],
    ['an allow flag', { permissions: { allowedTools: ['Bash'] } }, 'warning 3', 'allow'],
    ['allow for a tool', { permissions: { bash: 'allow' } }, 'note 3', 'Remove it'],
    ['a setting that a newer client may know', { permissions: { denyLater: true } }, 'note 3', 'Remove it'],
    ['rules under a misspelled key', { permission: { deny: ['Bash'] } }, 'error 2', 'Rename it'],
    ['allow in the format of OpenCode', { permission: { bash: 'allow' } }, 'warning 2', 'permissions.allow'],
  ])('formats of other tools: %s', (_case, settings, found, fix) => {
    const result = run('unknown-settings-key', settings)
    expect([result.found, result.fixes]).toEqual([[found], [expect.stringContaining(fix)]])
  })

  test('a repair renames deny flags', () => {
    const { repaired } = run('unknown-settings-key', { permissions: { disallowed_tools: ['Bash'] } })
    expect(repaired).toEqual({ permissions: { deny: ['Bash'] } })
  })
})
