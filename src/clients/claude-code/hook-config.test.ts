import { describe, expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { hookConfig, type HookGroup } from './hook-config.ts'

const place = {
  server: 'contextd',
  matcherPrefix: 'mcp__contextd__',
  command: ['node', '/opt/contextd/bin/contextd.js', 'hook'],
} as const
const config = hookConfig({ ...place, door: false })
const withDoor = hookConfig({ ...place, door: true })

/** Matchers as the client reads them: names and `|` are literal, everything else is a pattern. */
function matches({ matcher = '' }: HookGroup, tool: string): boolean {
  return /^[\w|]+$/.test(matcher) ? matcher.split('|').includes(tool) : new RegExp(matcher).test(tool)
}

function hooksFor(event: string, tool: string, of = config): unknown[] {
  return (of[event] ?? [])
    .filter((group) => matches(group, tool))
    .flatMap(({ hooks }) => hooks)
    .map(nameOf)
}

describe('before a call', () => {
  test.each([
    ['mcp__contextd__safe_bash', ['attest']],
    ['mcp__contextd__load_context', ['attest']],
    ['Bash', ['protect block-builtin scrub']],
    ['Read', ['protect block-builtin scrub']],
    ['Write', ['protect block-builtin scrub']],
    ['SendMessage', ['protect block-builtin scrub']],
    ['Agent', ['attest', 'protect block-builtin scrub']],
    ['mcp__files__read_file', ['protect block-builtin scrub']],
    // Other servers whose names have the same prefix.
    ['mcp__contextd__other__read', ['attest', 'protect block-builtin scrub']],
    ['mcp__contextd_other__read', ['protect block-builtin scrub']],
  ])('%s runs %j', (tool, names) => {
    expect(hooksFor('PreToolUse', tool)).toEqual(names)
  })
})

test.each([
  ['Bash', ['scrub']],
  ['Read', ['scrub']],
  ['mcp__files__read_file', ['scrub']],
  ['mcp__contextd__safe_read', []],
])('after a call of %s: %j', (tool, names) => {
  expect(hooksFor('PostToolUse', tool)).toEqual(names)
})

function nameOf({ type, tool, args }: JsonObject): unknown {
  return type === 'mcp_tool' ? tool : (args as string[]).slice(2).join(' ')
}

test('starts programs without a shell, and calls wait for them', () => {
  const commands = Object.values(config)
    .flat()
    .flatMap(({ hooks }) => hooks)
    .filter(({ type }) => type === 'command')
  expect(commands.length).toBeGreaterThan(3)
  for (const hook of commands) {
    expect(hook).toMatchObject({ command: 'node' })
    const isGuard = !['session-start', 'pre-compact'].includes(nameOf(hook) as string)
    expect(hook.onFailure).toBe(isGuard ? 'block' : undefined)
    expect(hook.args).toEqual([
      '/opt/contextd/bin/contextd.js',
      'hook',
      ...(nameOf(hook) as string).split(' '),
    ])
    expect(hook).not.toHaveProperty('async')
  }
})

test('runs scrub at every kind of session start', () => {
  const [first, second] = config.SessionStart ?? []
  expect(first).toEqual({ hooks: [expect.objectContaining({ args: expect.arrayContaining(['scrub']) })] })
  expect(second?.hooks.map(nameOf)).toEqual(['session-start'])
})

test('runs on the first prompt and before compaction, without blocking them', () => {
  expect(config.UserPromptSubmit?.flatMap(({ hooks }) => hooks.map(nameOf))).toEqual([
    'attest',
    'session-start',
  ])
  expect(config.PreCompact?.flatMap(({ hooks }) => hooks.map(nameOf))).toEqual(['pre-compact'])
})

test('the client passes the caller to attest, on our own server', () => {
  const [hook] = config.PreToolUse?.[0]?.hooks ?? []
  expect(hook).toEqual({
    type: 'mcp_tool',
    server: 'contextd',
    tool: 'attest',
    input: {
      tool_use_id: '${tool_use_id}',
      agent_id: '${agent_id}',
      agent_type: '${agent_type}',
      session_id: '${session_id}',
      tool_name: '${tool_name}',
    },
  })
})

describe('with the model door', () => {
  test.each([
    ['mcp__contextd__safe_bash', ['attest']],
    ['Bash', ['protect block-builtin --door']],
    ['Agent', ['attest', 'protect block-builtin --door']],
    ['mcp__files__read_file', ['protect block-builtin --door']],
  ])('%s runs %j before the call, and nothing after it', (tool, names) => {
    expect(hooksFor('PreToolUse', tool, withDoor)).toEqual(names)
    expect(hooksFor('PostToolUse', tool, withDoor)).toEqual([])
  })

  test('blocks prompts and changed settings that bypass it', () => {
    expect(hooksFor('SessionStart', '', withDoor)).toEqual(['session-start --door'])
    expect(hooksFor('UserPromptSubmit', '', withDoor)).toEqual(['attest', 'protect --door', 'session-start'])
    expect(hooksFor('ConfigChange', '', withDoor)).toEqual(['protect --door'])
    expect(withDoor.ConfigChange?.[0]?.hooks[0]).toMatchObject({ onFailure: 'block' })
  })
})

test.each([config, withDoor])('announces an agent before its first request', ({ SubagentStart }) => {
  expect(SubagentStart).toEqual([
    {
      hooks: [
        {
          type: 'mcp_tool',
          server: 'contextd',
          tool: 'attest',
          input: {
            hook_event_name: '${hook_event_name}',
            agent_id: '${agent_id}',
            agent_type: '${agent_type}',
            session_id: '${session_id}',
          },
        },
      ],
    },
  ])
})
