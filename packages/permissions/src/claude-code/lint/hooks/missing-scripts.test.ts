import { expect, test } from 'vitest'

import { check, pluginFiles } from '../../../../test/claude-files.ts'
import type { ClaudeSetup } from '../../setup/setup.ts'
import { missingScriptRules } from './missing-scripts.ts'

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

/** Treats these as executable. */
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
const outcomes = (files: Readonly<Record<string, unknown>>): readonly string[] =>
  check(rule, files, withModes).lines.map((line) => line.replace(/^(\w+) .*?:\d+: (?:.*: )?/, '$1 '))

const passes = 'error every call continues as if the hook had agreed.'
const blocks = 'warning every call that this hook guards is blocked.'

test.each<[string, object, string]>([
  ['missing', { command: './gone.sh' }, passes],
  ['missing with arguments', { command: '${CLAUDE_PROJECT_DIR}/gone.sh', args: ['a'] }, passes],
  ['missing, run by a shell', { command: 'bash gone.sh' }, passes],
  ['missing, run by another program', { command: 'node', args: ['$CLAUDE_PROJECT_DIR/gone.mjs'] }, passes],
  ['missing in a quoted folder', { command: 'node "$CLAUDE_PROJECT_DIR"/gone.mjs x' }, passes],
  ['missing in the home folder', { command: '~/gone.sh' }, passes],
  ['missing, with onFailure: continue', { command: './gone.sh', onFailure: 'continue' }, passes],
  ['a folder', { command: './folder' }, passes],
  ['not executable', { command: './plain.sh' }, passes],
  ['with Windows line endings', { command: './windows.sh' }, passes],
  ['missing, with onFailure: block', { command: './gone.sh', onFailure: 'block' }, blocks],
  ['missing, run by python, which exits with 2', { command: 'python3 gone.py' }, blocks],
])('%s', (_case, hook, message) => {
  expect(outcomes(hooked(hook))).toEqual([message])
})

test.each<[string, object]>([
  ['an executable script', { command: './run.sh' }],
  ['an executable script with arguments', { command: '$CLAUDE_PROJECT_DIR/run.sh', args: ['a'] }],
  ['an executable script in the home folder', { command: '$HOME/own.sh' }],
  ['a script run by a shell', { command: 'bash plain.sh' }],
  ['an installed program', { command: 'guard --strict' }],
  ['a module of the interpreter', { command: 'python3 -m guard' }],
  ['a command that checks for the script', { command: '[ -x ./gone.sh ] && ./gone.sh' }],
  ['a command with a fallback', { command: './gone.sh || exit 2' }],
  ['an unknown variable', { command: '$TOOLS/gone.sh' }],
  ['a variable assignment before the program', { command: 'TOOLS=/opt/gone guard' }],
  ['a hook of another type', { type: 'http', url: 'http://127.0.0.1/gone.sh' }],
])('not reported: %s', (_case, hook) => {
  expect(outcomes(hooked(hook))).toEqual([])
})

test('a hook that only observes is a warning', () => {
  expect(outcomes(hooked({ command: './gone.sh' }, 'PostToolUse'))).toEqual([
    'warning the hook does nothing.',
  ])
})

test('on a machine without Claude Code only scripts of the project are checked', () => {
  const lines = (command: string) =>
    check(rule, hooked({ command }), (setup) => ({ ...setup, isUsed: false })).lines
  expect(lines('/opt/gone.sh')).toEqual([])
  expect(lines('./gone.sh')).toHaveLength(1)
  expect(outcomes(hooked({ command: '/opt/gone.sh' }))).toHaveLength(1)
})

test("a plugin's script is resolved in the plugin folder", () => {
  const hooks = (name: string) => ({
    hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: `\${CLAUDE_PLUGIN_ROOT}/${name}` }] }] },
  })
  const plugin = { ...pluginFiles('guards', {}), 'home/market/guards/run.sh': '#!/bin/sh\n' }
  const inPlugin = (name: string) => ({ ...plugin, 'home/market/guards/hooks/hooks.json': hooks(name) })
  expect(outcomes(inPlugin('run.sh'))).toEqual([])
  expect(check(rule, inPlugin('gone.sh')).fixes).toEqual(['Ask the authors of the plugin `guards`.'])
})
