import { describe, expect, test } from 'vitest'

import { check, pluginFiles } from '../../../../test/claude-files.ts'
import { hookAnswerRules } from './answers.ts'
import { hookRules } from './failing-open.ts'
import { idleHookRules } from './idle.ts'

const named = (id: string) =>
  [...hookRules, ...hookAnswerRules, ...idleHookRules].find((rule) => rule.id === id)
const file = 'project/.claude/settings.json'
const command = { type: 'command', command: './guard.sh' }
const hooks = (event: string, hook: object, matcher?: string) => ({
  [file]: { hooks: { [event]: [{ ...(matcher !== undefined && { matcher }), hooks: [hook] }] } },
})
const severities = (id: string, files: Readonly<Record<string, unknown>>): (string | undefined)[] =>
  check(named(id), files).lines.map((line) => line.split(' ')[0])

describe('a hook that fails open', () => {
  test.each<[string, string, object]>([
    ['a command', 'PreToolUse', command],
    ['a request', 'PreToolUse', { type: 'http', url: 'http://127.0.0.1:1/' }],
    ['PermissionRequest', 'PermissionRequest', command],
    [
      'a UserPromptSubmit hook that decides',
      'UserPromptSubmit',
      { type: 'command', command: 'grep -q key && exit 2' },
    ],
  ])('%s', (_case, event, hook) => {
    const { lines, repaired } = check(named('hook-fails-open'), hooks(event, hook))
    expect(lines).toHaveLength(1)
    expect(JSON.parse(repaired[file] ?? '')).toEqual(hooks(event, { ...hook, onFailure: 'block' })[file])
  })

  test.each<[string, string, object]>([
    ['one that blocks', 'PreToolUse', { ...command, onFailure: 'block' }],
    ['one that explicitly continues', 'PreToolUse', { ...command, onFailure: 'continue' }],
    ['an async hook', 'PreToolUse', { ...command, async: true }],
    ['a UserPromptSubmit hook that only observes', 'UserPromptSubmit', command],
    ['an event that cannot be blocked', 'PostToolUse', { type: 'command', command: 'exit 2' }],
    ['a type without onFailure', 'PreToolUse', { type: 'prompt', prompt: 'x' }],
  ])('not %s', (_case, event, hook) => {
    expect(severities('hook-fails-open', hooks(event, hook))).toEqual([])
  })

  test('hooks of a plugin are reported but not changed', () => {
    const plugin = pluginFiles('library', { docs: { command: 'docs' } })
    const own = { hooks: { PreToolUse: [{ hooks: [command] }] } }
    const { lines, repaired } = check(named('hook-fails-open'), {
      ...plugin,
      'home/market/library/hooks/hooks.json': own,
    })
    expect(lines).toHaveLength(1)
    expect(repaired).toEqual({})
  })
})

describe('a hook that cannot block', () => {
  test.each<[string, string, object, string[]]>([
    ['a prompt hook', 'PreToolUse', { type: 'prompt', prompt: 'x' }, ['note']],
    [
      'onFailure on a prompt hook',
      'PreToolUse',
      { type: 'prompt', prompt: 'x', onFailure: 'block' },
      ['warning'],
    ],
    [
      'onFailure on an async hook',
      'PreToolUse',
      { ...command, async: true, onFailure: 'block' },
      ['warning'],
    ],
    ['onFailure on Stop', 'Stop', { ...command, onFailure: 'block' }, ['warning']],
    ['a prompt hook that guards nothing', 'Stop', { type: 'prompt', prompt: 'x' }, []],
    ['a command hook', 'PreToolUse', { ...command, onFailure: 'block' }, []],
    [
      "contextd's attestation",
      'PreToolUse',
      { type: 'mcp_tool', server: 'contextd', tool: 'attest', input: {} },
      [],
    ],
  ])('%s', (_case, event, hook, found) => {
    expect(severities('hook-cannot-block', hooks(event, hook))).toEqual(found)
  })
})

describe('a matcher', () => {
  test.each([
    'bash',
    'mcp__docs',
    'Bash|mcp__docs',
    'Bash(git:*)',
    'Bash(*)',
    '[',
    'plugin:library:docs',
    'Bash Read',
    'EDIT, Write',
  ])('%s is reported, as all or part of it matches no tool', (matcher) => {
    expect(severities('hook-matches-nothing', hooks('PreToolUse', command, matcher))).toEqual(['error'])
    expect(severities('hook-matches-nothing', hooks('PostToolUse', command, matcher))).toEqual(['warning'])
  })

  test.each([
    '*',
    '',
    'Bash',
    'Bash | Write',
    'Bash, Write',
    'Task',
    '^Bash$',
    'mcp__docs__.*',
    'mcp__docs__search',
    'mcp__.*',
    'SomeNewTool',
    'Bash|',
  ])('%s may match', (matcher) => {
    expect(severities('hook-matches-nothing', hooks('PreToolUse', command, matcher))).toEqual([])
  })

  test('is reported once for all hooks of its group', () => {
    const group = { matcher: 'bash', hooks: [command, { ...command, timeout: 5 }] }
    expect(severities('hook-matches-nothing', { [file]: { hooks: { PreToolUse: [group] } } })).toEqual([
      'error',
    ])
  })

  test('is not checked for events that are not about tools', () => {
    expect(severities('hook-matches-nothing', hooks('SessionStart', command, 'startup'))).toEqual([])
  })
})

test.each<[string, string[]]>([
  ['Bash(git push:*)', []],
  ['mcp__docs__search', []],
  ['', []],
  ['Bash|Read', ['error']],
  ['mcp__docs', ['error']],
  ['mcp__docs__*', ['error']],
  ['bash', ['error']],
  ['Bash(', ['error']],
  ['*', ['error']],
])('the condition %j', (condition, found) => {
  expect(severities('hook-matches-nothing', hooks('PreToolUse', { ...command, if: condition }))).toEqual(
    found,
  )
})

describe('an event', () => {
  test.each<[string, string[]]>([
    ['PreToolUse', []],
    ['preToolUse', ['error']],
    ['PermissionRequests', ['error']],
    ['SessionBegin', ['warning']],
    ['Whatever', ['warning']],
  ])('%s', (event, found) => {
    expect(severities('unknown-hook-event', hooks(event, command))).toEqual(found)
  })
})

describe('disabled hooks', () => {
  const guard = hooks('PreToolUse', command)
  const watch = hooks('Stop', command)
  const local = 'project/.claude/settings.local.json'
  const managed = 'managed/managed-settings.json'

  test.each<[string, Record<string, unknown>, string[]]>([
    ['a guard, by local settings', { ...guard, [local]: { disableAllHooks: true } }, ['error']],
    ['a hook that only observes', { ...watch, [local]: { disableAllHooks: true } }, ['warning']],
    ['no hooks to disable', { [local]: { disableAllHooks: true } }, []],
    ['a guard, by the administrator', { ...guard, [managed]: { allowManagedHooksOnly: true } }, ['error']],
    [
      'hooks of the administrator stay enabled',
      { [managed]: guard[file], [local]: { disableAllHooks: true } },
      [],
    ],
    ['with `false`', { ...guard, [local]: { disableAllHooks: false } }, []],
  ])('%s', (_case, files, found) => {
    expect(severities('hooks-switched-off', files)).toEqual(found)
  })
})

describe('the server of an mcp_tool hook', () => {
  const ask = (server: string) => ({
    [file]: {
      ...(hooks('PreToolUse', { type: 'mcp_tool', server, tool: 'check' })[file] as object),
    },
  })
  const plugin = pluginFiles('library', { docs: { command: 'docs' } })

  test('must have its full name', () => {
    const { lines, repaired } = check(named('hook-unknown-server'), { ...plugin, ...ask('docs') })
    expect(lines).toHaveLength(1)
    expect(JSON.parse(repaired[file] ?? '')).toEqual(ask('plugin:library:docs')[file])
    expect(severities('hook-unknown-server', { ...plugin, ...ask('plugin:library:docs') })).toEqual([])
  })

  test('may belong to an unknown user on a machine without Claude Code', () => {
    const run = (isUsed: boolean) =>
      check(named('hook-unknown-server'), ask('theirs'), (setup) => ({ ...setup, isUsed })).lines
    expect(run(true)).toHaveLength(1)
    expect(run(false)).toEqual([])
  })
})

describe('the answer of a hook', () => {
  const says = (text: string, more: object = {}) => ({
    ...hooks('PreToolUse', {
      type: 'command',
      command: 'python3 "$CLAUDE_PROJECT_DIR"/hooks/guard.py',
      onFailure: 'block',
      ...more,
    }),
    'project/hooks/guard.py': text,
  })
  const right = `print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}))`

  test.each<[string, string, string]>([
    [
      'a decision at the top level',
      `print(json.dumps({"permissionDecision": "deny"}))`,
      'hook-answer-ignored',
    ],
    [
      'a missing event name',
      `print(json.dumps({"hookSpecificOutput": {"permissionDecision": "deny"}}))`,
      'hook-answer-ignored',
    ],
    ['an invalid decision', `print('{"decision": "deny"}')`, 'hook-answer-ignored'],
    ['a key without effect', `print('{"preventContinuation": true}')`, 'hook-answer-ignored'],
    ['continue: false', `print(json.dumps({"continue": False}))`, 'hook-continue-false'],
  ])('%s', (_case, text, id) => {
    const ids = hookAnswerRules
      .filter((rule) => check(rule, says(text)).lines.length > 0)
      .map((rule) => rule.id)
    expect(ids).toEqual([id])
  })

  test.each<[string, string]>([
    ['the correct form', right],
    ['exit code 2', `sys.exit(2)\nprint('{"continue": false, "permissionDecision": "deny"}')`],
    ['the older form', `print('{"decision": "block", "continue": false}')`],
    ['other output', `print("hello")`],
  ])('%s is not reported', (_case, text) => {
    expect(hookAnswerRules.flatMap((rule) => check(rule, says(text)).lines)).toEqual([])
  })

  test('the answer of an async hook is ignored', () => {
    expect(check(named('hook-answer-ignored'), says(right, { async: true })).lines).toHaveLength(1)
    expect(check(named('hook-answer-ignored'), says('print(1)', { async: true })).lines).toEqual([])
  })

  test('is also found in the command itself', () => {
    const inline = hooks('PreToolUse', { type: 'command', command: `echo '{"continue": false}'` })
    expect(severities('hook-continue-false', inline)).toEqual(['error'])
  })

  test('scripts that are missing or outside the project are not read', () => {
    const outside = hooks('PreToolUse', { type: 'command', command: 'cat /etc/hosts ../x.sh ./gone.sh . /' })
    expect(hookAnswerRules.flatMap((rule) => check(rule, outside).lines)).toEqual([])
  })
})
