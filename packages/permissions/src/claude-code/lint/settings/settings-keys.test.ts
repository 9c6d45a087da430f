import { describe, expect, test } from 'vitest'

import { check } from '../../../../test/claude-files.ts'
import { settingsKeyRules } from './settings-keys.ts'

const named = (id: string) => settingsKeyRules.find((rule) => rule.id === id)
const file = 'project/.claude/settings.json'

/** `severity line` of each finding, and what repairs make of the file. */
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
  test('what allowed is never granted by a repair', () => {
    const { found, repaired } = run('legacy-settings-key', {
      allowed_tools: ['Bash'],
      allowedTools: ['Read'],
    })
    expect(found).toEqual(['warning 2', 'warning 5'])
    expect(repaired).toBeUndefined()
  })

  test('what denied is moved to where it denies', () => {
    const { found, repaired } = run('legacy-settings-key', {
      disallowedTools: ['WebFetch', 'Bash'],
      permissions: { allow: ['Read'], deny: ['Bash'] },
    })
    expect(found).toEqual(['error 2'])
    expect(repaired).toEqual({ permissions: { allow: ['Read'], deny: ['Bash', 'WebFetch'] } })
  })

  test('patterns are rules of another kind: a user writes them', () => {
    const { found, repaired, fixes } = run('legacy-settings-key', { ignorePatterns: ['.env'] })
    expect([found, repaired, fixes.length]).toEqual([['error 2'], undefined, 1])
  })

  test('a list in a wrong shape stays where it is', () => {
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
    [
      'what only the administrator may say',
      { allowManagedPermissionRulesOnly: true },
      ['error 2'],
      undefined,
    ],
    ['where they belong', { permissions: { deny: ['Bash'], defaultMode: 'plan' } }, [], undefined],
  ])('%s', (_case, settings, found, repaired) => {
    expect(run('misplaced-settings-key', settings)).toMatchObject({ found, repaired })
  })

  test('the administrator may say it', () => {
    const settings = { allowManagedPermissionRulesOnly: true }
    expect(run('misplaced-settings-key', settings, 'managed/managed-settings.json').found).toEqual([])
  })
})

describe('unknown keys', () => {
  test.each<[string, object, string[], unknown]>([
    [
      'a slip over deny rules',
      { permisions: { deny: ['Bash'] } },
      ['error 2'],
      { permissions: { deny: ['Bash'] } },
    ],
    [
      'beside allow rules nothing is renamed',
      { permisions: { deny: ['Bash'], allow: ['Read'] } },
      ['error 2'],
      undefined,
    ],
    ['over allow rules', { permisions: { allow: ['Bash'] } }, ['warning 2'], undefined],
    [
      'where the right one is there',
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
    ['a slip elsewhere', { disableAllHook: true }, ['warning 2'], undefined],
    ['nothing near: a newer client may know it', { somethingElseAltogether: 1 }, ['note 2'], undefined],
    ['notes', { '//': 'x', _comment: 'x', $schema: 'x' }, [], undefined],
    ['what another rule says', { allowed_tools: [], deny: [], mcpServers: {} }, [], undefined],
    ['a key like those of objects', { constructor: 1, toString: 1 }, ['note 2', 'note 3'], undefined],
  ])('%s', (_case, settings, found, repaired) => {
    expect(run('unknown-settings-key', settings)).toMatchObject({ found, repaired })
  })

  test.each<[string, object, string, string]>([
    [
      'a list for a tool',
      { permissions: { read: { deny: ['*.env'] } } },
      'error 3',
      '"deny": ["Read(*.env)"]',
    ],
    ['a word for a tool', { permissions: { Bash: 'deny' } }, 'error 3', '"deny": ["Bash"]'],
    ['a question for a tool', { permissions: { bash: 'ask' } }, 'error 3', '"ask": ["Bash"]'],
    [
      'lists within',
      { permissions: { rules: { deny: ['Bash(rm *)'] } } },
      'error 3',
      '"deny": ["Bash(rm *)"]',
    ],
    ['a word for the rest', { permissions: { default: 'deny' } }, 'error 3', '"deny": ["<rule>"]'],
    ['a list that should deny', { permissions: { deniedPaths: ['.env'] } }, 'error 3', 'permissions.deny'],
    ['patterns', { permissions: { ignorePatterns: ['.env'] } }, 'error 3', 'Read(<pattern>)'],
    [
      'the shape of OpenCode',
      { permission: { bash: { 'rm *': 'deny', ls: 'allow' }, edit: 'ask', webfetch: 'deny' } },
      'error 2',
      '"deny": ["Bash(rm *)", "WebFetch"]` and `"ask": ["Edit"]',
    ],
    [
      'a long list of it',
      { permission: { bash: { a: 'deny', b: 'deny', c: 'deny', d: 'deny' } } },
      'error 2',
      '"deny": ["Bash(a)", "Bash(b)", "Bash(c)", …]',
    ],
    ['flags that allow', { permissions: { allowedTools: ['Bash'] } }, 'warning 3', 'allow'],
    ['what allows a tool', { permissions: { bash: 'allow' } }, 'note 3', 'Remove it'],
    ['a switch that a newer client may know', { permissions: { denyLater: true } }, 'note 3', 'Remove it'],
    ['rules under a slip', { permission: { deny: ['Bash'] } }, 'error 2', 'Rename it'],
    [
      'what allows in the shape of OpenCode',
      { permission: { bash: 'allow' } },
      'warning 2',
      'permissions.allow',
    ],
  ])('what other tools read: %s', (_case, settings, found, fix) => {
    const ran = run('unknown-settings-key', settings)
    expect([ran.found, ran.fixes]).toEqual([[found], [expect.stringContaining(fix)]])
  })

  test('what the flags deny is denied after a repair', () => {
    const { repaired } = run('unknown-settings-key', { permissions: { disallowed_tools: ['Bash'] } })
    expect(repaired).toEqual({ permissions: { deny: ['Bash'] } })
  })
})
