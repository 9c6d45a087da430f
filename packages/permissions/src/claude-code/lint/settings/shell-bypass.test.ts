import { expect, test } from 'vitest'

import { check, rulesFile } from '../../../../test/claude-files.ts'
import { shellBypassRules } from './shell-bypass.ts'

const [rule] = shellBypassRules
const denied = { deny: ['Read(./.env)'] }
const protect = {
  'home/.claude/settings.json': {
    hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'contextd', args: ['hook', 'protect'] }] }] },
  },
}

test.each(['Bash', 'Bash(*)', 'Bash(python3:*)', 'Bash(node *)', 'Bash(bash:*)', 'Bash(find *)'])(
  'allow %s bypasses deny rules for files',
  (allow) => {
    expect(check(rule, rulesFile({ ...denied, allow: [allow] })).lines).toHaveLength(1)
    expect(check(rule, rulesFile({ deny: ['Edit(src/**)'], allow: [allow] })).lines).toHaveLength(1)
  },
)

test.each<[string, Record<string, string[]>]>([
  ['single commands', { ...denied, allow: ['Bash(npm test)', 'Bash(git:*)', 'Bash(python3 tool.py)'] }],
  ['a denied shell', { deny: ['Read(./.env)', 'Bash'], allow: ['Bash'] }],
  ['deny rules for whole tools', { deny: ['Read', 'WebFetch'], allow: ['Bash'] }],
  ['no allow rules', denied],
  ['a rule that denies nothing', { deny: ['Write(x)'], allow: ['Bash'] }],
])('not reported: %s', (_case, permissions) => {
  expect(check(rule, rulesFile(permissions)).lines).toEqual([])
})

test('allow rules of an untrusted project are included', () => {
  const files = { ...rulesFile({ ...denied, allow: ['Bash'] }), 'home/.claude.json': {} }
  expect(check(rule, files).lines).toHaveLength(1)
  expect(check(rule, { ...files, ...rulesFile(denied) }).lines).toEqual([])
})

test('not reported if hooks of contextd guard the session', () => {
  const files = { ...rulesFile({ ...denied, allow: ['Bash'] }), ...protect }
  expect(check(rule, files).lines).toEqual([])
  const off = { ...files, 'project/.claude/settings.local.json': { disableAllHooks: true } }
  expect(check(rule, off).lines).toHaveLength(1)
})

const required = { enabled: true, failIfUnavailable: true }
const strict = { ...required, allowUnsandboxedCommands: false }

test.each<[object, string, string[]]>([
  [required, 'Bash', []],
  [{ enabled: true }, 'Bash', ['warning']],
  [{ enabled: true, allowUnsandboxedCommands: false }, 'Bash', ['warning']],
  [{ enabled: false, failIfUnavailable: true }, 'Bash', ['error']],
  [required, 'Bash(python3:*)', ['error']],
  [strict, 'Bash(python3:*)', []],
  [{ ...strict, excludedCommands: ['python3 *'] }, 'Bash(python3:*)', ['error']],
  [{ ...strict, excludedCommands: ['python3 *'] }, 'Bash(node:*)', []],
  [{ ...required, excludedCommands: ['python3 *'] }, 'Bash', ['error']],
  [{ ...required, excludedCommands: ['*'] }, 'Bash', ['error']],
  [{ ...required, excludedCommands: ['docker ps', 'git:*'] }, 'Bash', []],
])('the sandbox of the client: %j, with %s', (sandbox, allow, found) => {
  const files = rulesFile({ ...denied, allow: [allow] })
  const { lines } = check(rule, { ...files, 'home/.claude/settings.json': { sandbox } })
  expect(lines.map((line) => line.split(' ')[0])).toEqual(found)
})

test.each<[object, number]>([
  [required, 1],
  [strict, 0],
])('bypassPermissions lets calls leave a sandbox that permits it: %j', (sandbox, count) => {
  const user = { sandbox, permissions: { defaultMode: 'bypassPermissions' } }
  const files = { ...rulesFile(denied), 'home/.claude/settings.json': user }
  expect(check(rule, files).lines).toHaveLength(count)
})

test("reported if a project disables the user's sandbox", () => {
  const files = {
    ...rulesFile({ ...denied, allow: ['Bash'] }),
    'home/.claude/settings.json': { sandbox: strict },
  }
  expect(check(rule, files).lines).toEqual([])
  const off = { ...files, 'project/.claude/settings.local.json': { sandbox: { enabled: false } } }
  expect(check(rule, off).lines).toHaveLength(1)
})

test.each<[string, object, number]>([
  ['home/.claude/settings.json', {}, 1],
  ['managed/managed-settings.json', {}, 1],
  ['home/.claude/settings.json', { disableBypassPermissionsMode: 'disable' }, 0],
  ['project/.claude/settings.local.json', {}, 0],
])('bypassPermissions in %s with %j', (file, more, count) => {
  const mode = { [file]: { permissions: { defaultMode: 'bypassPermissions', ...more } } }
  expect(check(rule, { ...rulesFile(denied), ...mode }).lines).toHaveLength(count)
})
