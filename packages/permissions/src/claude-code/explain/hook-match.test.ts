import { describe, expect, test } from 'vitest'

import { agentOf, hookOf, setupWith } from '../../../test/claude-setup.ts'
import { hookMatches, hooksBefore, type HookedCall } from './hook-match.ts'
import type { AgentFile, HookEntry, SkillFile } from '../setup/setup.ts'

const skillOf = (name: string, file: string): SkillFile => ({
  name,
  aliases: [],
  kind: 'skill',
  source: 'project',
  file,
  text: '',
  hasHooks: true,
  isForked: false,
  keys: new Map(),
  frontmatter: {},
})

const tools = ['Bash', 'Read', 'Agent', 'mcp__probe__act', 'mcp__a_x__act', 'mcp__plugin_solo_ctx__act']

test.each([
  [undefined, tools],
  ['', tools],
  ['*', tools],
  ['B*', tools],
  ['Bash', ['Bash']],
  ['Bash|Read', ['Bash', 'Read']],
  ['Bash , Read', ['Bash', 'Read']],
  ['Bash|', ['Bash']],
  ['Bash Read', []],
  ['Ba', []],
  ['bash', []],
  ['Bas.', ['Bash']],
  ['^Rea', ['Read']],
  ['Task', ['Agent']],
  ['mcp__probe', []],
  ['mcp__probe__act', ['mcp__probe__act']],
  ['mcp__probe__*', ['mcp__probe__act']],
  ['mcp__a.x__act', ['mcp__a_x__act']],
  ['Bash(touch:*)', []],
  ['[', []],
  ['plugin:solo:ctx', []],
  ['mcp__ctx__.*', []],
])('the matcher %j matches %j', (matcher, matched) => {
  expect(tools.filter((tool) => hookMatches(matcher, tool))).toEqual(matched)
})

describe('hooks before a call', () => {
  const scan = agentOf('scan')
  const hooks = [
    hookOf('PreToolUse', 'Bash'),
    hookOf('PostToolUse', 'Bash'),
    hookOf('PermissionRequest', undefined, { source: 'project' }),
    hookOf('PreToolUse', undefined, { source: 'managed' }),
    hookOf('PreToolUse', undefined, { source: 'agent', owner: 'scan', file: 'scan.md' }),
  ]
  const sources = (entries: readonly { source: string; event: string }[]): string[] =>
    entries.map(({ source, event }) => `${source} ${event}`)

  test('include those whose matcher matches', () => {
    expect(
      sources(
        hooksBefore(setupWith({}, { hooks }), { tool: 'Bash', agents: [], willAsk: true, isMain: true }),
      ),
    ).toEqual(['user PreToolUse', 'project PermissionRequest', 'managed PreToolUse'])
  })

  test('exclude PermissionRequest if nothing prompts', () => {
    expect(
      sources(
        hooksBefore(setupWith({}, { hooks }), { tool: 'Read', agents: [], willAsk: false, isMain: true }),
      ),
    ).toEqual(['managed PreToolUse'])
  })

  test('include those of the calling agent', () => {
    const run = (agent: AgentFile): string[] =>
      sources(
        hooksBefore(setupWith({}, { hooks }), {
          tool: 'Read',
          agents: [agent],
          willAsk: false,
          isMain: true,
        }),
      )
    expect(run(scan)).toEqual(['managed PreToolUse', 'agent PreToolUse'])
    expect(run(agentOf('other'))).toEqual(['managed PreToolUse'])
  })

  test.each([
    [{ user: { disableAllHooks: true } }, ['managed PreToolUse']],
    [{ project: { disableAllHooks: true } }, ['managed PreToolUse']],
    [{ managed: { disableAllHooks: true } }, []],
    [{ managed: { allowManagedHooksOnly: true } }, ['managed PreToolUse']],
    [{ user: { allowManagedHooksOnly: true } }, ['user PreToolUse', 'managed PreToolUse']],
  ])('exclude those disabled by %j', (values, left) => {
    expect(
      sources(
        hooksBefore(setupWith({}, { hooks, values }), {
          tool: 'Bash',
          agents: [],
          willAsk: false,
          isMain: true,
        }),
      ),
    ).toEqual(left)
  })
})

describe('hooks of skills', () => {
  const skills = [skillOf('deploy', 'first.md'), skillOf('deploy', 'second.md'), skillOf('other', 'other.md')]
  const hooks = [
    hookOf('PreToolUse', undefined, { source: 'skill', owner: 'deploy', file: 'first.md' }),
    hookOf('PreToolUse', undefined, { source: 'skill', owner: 'deploy', file: 'second.md' }),
    hookOf('PreToolUse', undefined, { source: 'skill', owner: 'other', file: 'other.md' }),
  ]
  const run = (call: Partial<HookedCall>): string[] =>
    hooksBefore(setupWith({}, { hooks, skills }), {
      tool: 'Bash',
      agents: [],
      willAsk: false,
      isMain: true,
      ...call,
    }).map(({ file }) => file)

  test('run once their skill has run, which a shadowed skill never does', () => {
    expect(run({})).toEqual(['first.md', 'other.md'])
    expect(run({ after: 'deploy' })).toEqual(['first.md'])
    expect(run({ after: 'unknown' })).toEqual([])
  })

  test('run in the main conversation only', () => {
    expect(run({ isMain: false })).toEqual([])
    expect(run({ isMain: false, after: 'deploy' })).toEqual([])
  })
})

test.each([
  ['', 'Bash', 'ls', true],
  ['Bash', 'Bash', 'ls', true],
  ['Bash(touch:*)', 'Bash', 'ls && touch x', true],
  ['Bash(touch *)', 'Bash', 'ls', false],
  ['Bash(touch *)', 'Bash', undefined, true],
  ['Read(./a.txt)', 'Read', '/home/me/project/a.txt', true],
  ['Read(./a.txt)', 'Read', '/home/me/project/b.txt', false],
  ['mcp__probe__act', 'mcp__probe__act', undefined, true],
  ['mcp__probe', 'mcp__probe__act', undefined, false],
  ['*', 'Bash', 'ls', false],
  ['Bash|Read', 'Bash', 'ls', false],
  ['bash', 'Bash', 'ls', false],
  ['Bash(', 'Bash', 'ls', false],
])('a hook with `if` %j runs for %s(%s): %s', (condition, tool, argument, isAsked) => {
  const hooks = [
    hookOf('PreToolUse', undefined, { hook: { type: 'command', command: 'true', if: condition } }),
  ]
  const call = { tool, agents: [], willAsk: false, isMain: true, ...(argument !== undefined && { argument }) }
  expect(hooksBefore(setupWith({}, { hooks }), call)).toHaveLength(isAsked ? 1 : 0)
})

test('a pattern that times out is treated as a match, a similar one that terminates is evaluated', () => {
  const tool = `mcp__server__${'a'.repeat(60)}`
  expect(hookMatches('^(\\w+\\w+)+!$', tool)).toBe(true)
  expect(hookMatches('^(\\w+)!$', tool)).toBe(false)
})

test('after several timeouts, no further slow pattern is tried', () => {
  const other = hookOf('PreToolUse', '(Read)+')
  const endless = Array.from({ length: 20 }, () => hookOf('PreToolUse', '^(a+)+$'))
  const run = (hooks: readonly HookEntry[]): number =>
    hooksBefore(setupWith({}, { hooks }), {
      tool: `${'a'.repeat(60)}!`,
      agents: [],
      willAsk: false,
      isMain: true,
    }).length
  expect(run([other])).toBe(0)
  expect(run([...endless, other])).toBe(21)
})
