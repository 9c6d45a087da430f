import { expect, test } from 'vitest'

import { check, pluginFiles } from '../../../../test/claude-files.ts'
import type { ClaudeSetup } from '../../setup/setup.ts'
import { missingScriptRules } from './lost-scripts.ts'

const [rule] = missingScriptRules
const file = 'project/.claude/settings.json'
const scripts = {
  'project/plain.sh': '#!/bin/sh\n',
  'project/run.sh': '#!/bin/sh\n',
  'project/windows.sh': '#!/bin/sh\r\nexit 2\r\n',
  'project/folder/a.txt': '',
  'home/own.sh': '#!/bin/sh\n',
}
const executable = /\/(?:run|windows|own)\.sh$/

/** As if these had the mode of programs. */
const withModes = (setup: ClaudeSetup): ClaudeSetup => ({
  ...setup,
  scriptStateAt: (path) => {
    const state = setup.scriptStateAt(path)
    return state === 'plain' && executable.test(path) ? 'program' : state
  },
})

const hooked = (hook: object, event = 'PreToolUse') => ({
  ...scripts,
  [file]: { hooks: { [event]: [{ hooks: [{ type: 'command', ...hook }] }] } },
})
const said = (files: Readonly<Record<string, unknown>>): readonly string[] =>
  check(rule, files, withModes).lines.map((line) => line.replace(/^(\w+) .*?:\d+: (?:.*: )?/, '$1 '))

const passes = 'error every call passes as if the hook had agreed.'
const stops = 'warning every call that the hook is asked about is stopped.'

test.each<[string, object, string]>([
  ['missing', { command: './gone.sh' }, passes],
  ['missing with arguments', { command: '${CLAUDE_PROJECT_DIR}/gone.sh', args: ['a'] }, passes],
  ['missing, for a shell', { command: 'bash gone.sh' }, passes],
  ['missing, for another program', { command: 'node', args: ['$CLAUDE_PROJECT_DIR/gone.mjs'] }, passes],
  ['missing in a folder in quotes', { command: 'node "$CLAUDE_PROJECT_DIR"/gone.mjs x' }, passes],
  ['missing in the home', { command: '~/gone.sh' }, passes],
  ['missing and meant to go on', { command: './gone.sh', onFailure: 'continue' }, passes],
  ['a folder', { command: './folder' }, passes],
  ['not executable', { command: './plain.sh' }, passes],
  ['of Windows', { command: './windows.sh' }, passes],
  ['missing and blocking', { command: './gone.sh', onFailure: 'block' }, stops],
  ['missing for python, which says no', { command: 'python3 gone.py' }, stops],
])('%s', (_case, hook, message) => {
  expect(said(hooked(hook))).toEqual([message])
})

test.each<[string, object]>([
  ['there', { command: './run.sh' }],
  ['there with arguments', { command: '$CLAUDE_PROJECT_DIR/run.sh', args: ['a'] }],
  ['there in the home', { command: '$HOME/own.sh' }],
  ['read by a shell', { command: 'bash plain.sh' }],
  ['a program of the machine', { command: 'guard --strict' }],
  ['a switch of the interpreter', { command: 'python3 -m guard' }],
  ['seen to', { command: '[ -x ./gone.sh ] && ./gone.sh' }],
  ['with something else when it fails', { command: './gone.sh || exit 2' }],
  ['a variable', { command: '$TOOLS/gone.sh' }],
  ['a value in front', { command: 'TOOLS=/opt/gone guard' }],
  ['another type', { type: 'http', url: 'http://127.0.0.1/gone.sh' }],
])('silent: %s', (_case, hook) => {
  expect(said(hooked(hook))).toEqual([])
})

test('what only watches does nothing', () => {
  expect(said(hooked({ command: './gone.sh' }, 'PostToolUse'))).toEqual(['warning the hook does nothing.'])
})

test('on a build machine only what the project brings is known', () => {
  const lines = (command: string) =>
    check(rule, hooked({ command }), (setup) => ({ ...setup, isUsed: false })).lines
  expect(lines('/opt/gone.sh')).toEqual([])
  expect(lines('./gone.sh')).toHaveLength(1)
  expect(said(hooked({ command: '/opt/gone.sh' }))).toHaveLength(1)
})

test("a plugin's script is looked for in the plugin", () => {
  const hooks = (name: string) => ({
    hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: `\${CLAUDE_PLUGIN_ROOT}/${name}` }] }] },
  })
  const plugin = { ...pluginFiles('guards', {}), 'home/market/guards/run.sh': '#!/bin/sh\n' }
  const inPlugin = (name: string) => ({ ...plugin, 'home/market/guards/hooks/hooks.json': hooks(name) })
  expect(said(inPlugin('run.sh'))).toEqual([])
  expect(check(rule, inPlugin('gone.sh')).fixes).toEqual(['Ask the makers of the plugin `guards`.'])
})
