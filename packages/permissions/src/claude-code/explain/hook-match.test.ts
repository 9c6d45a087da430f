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
])('the matcher %j is about %j', (matcher, matched) => {
  expect(tools.filter((tool) => hookMatches(matcher, tool))).toEqual(matched)
})

describe('who is asked', () => {
  const scan = agentOf('scan')
  const hooks = [
    hookOf('PreToolUse', 'Bash'),
    hookOf('PostToolUse', 'Bash'),
    hookOf('PermissionRequest', undefined, { source: 'project' }),
    hookOf('PreToolUse', undefined, { source: 'managed' }),
    hookOf('PreToolUse', undefined, { source: 'agent', owner: 'scan', file: 'scan.md' }),
  ]
  const sources = (found: readonly { source: string; event: string }[]): string[] =>
    found.map(({ source, event }) => `${source} ${event}`)

  test('those whose matcher fits, before the call', () => {
    expect(
      sources(
        hooksBefore(setupWith({}, { hooks }), { tool: 'Bash', agents: [], willAsk: true, isMain: true }),
      ),
    ).toEqual(['user PreToolUse', 'project PermissionRequest', 'managed PreToolUse'])
  })

  test('nobody who answers questions where none is asked', () => {
    expect(
      sources(
        hooksBefore(setupWith({}, { hooks }), { tool: 'Read', agents: [], willAsk: false, isMain: true }),
      ),
    ).toEqual(['managed PreToolUse'])
  })

  test('those of an agent for that agent', () => {
    const asked = (agent: AgentFile): string[] =>
      sources(
        hooksBefore(setupWith({}, { hooks }), {
          tool: 'Read',
          agents: [agent],
          willAsk: false,
          isMain: true,
        }),
      )
    expect(asked(scan)).toEqual(['managed PreToolUse', 'agent PreToolUse'])
    expect(asked(agentOf('other'))).toEqual(['managed PreToolUse'])
  })

  test.each([
    [{ user: { disableAllHooks: true } }, ['managed PreToolUse']],
    [{ project: { disableAllHooks: true } }, ['managed PreToolUse']],
    [{ managed: { disableAllHooks: true } }, []],
    [{ managed: { allowManagedHooksOnly: true } }, ['managed PreToolUse']],
    [{ user: { allowManagedHooksOnly: true } }, ['user PreToolUse', 'managed PreToolUse']],
  ])('those that are not switched off by %j', (values, left) => {
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
  const asked = (call: Partial<HookedCall>): string[] =>
    hooksBefore(setupWith({}, { hooks, skills }), {
      tool: 'Bash',
      agents: [],
      willAsk: false,
      isMain: true,
      ...call,
    }).map(({ file }) => file)

  test('are asked once their skill has run, which another of its name never does', () => {
    expect(asked({})).toEqual(['first.md', 'other.md'])
    expect(asked({ after: 'deploy' })).toEqual(['first.md'])
    expect(asked({ after: 'unknown' })).toEqual([])
  })

  test('are asked about the main conversation alone', () => {
    expect(asked({ isMain: false })).toEqual([])
    expect(asked({ isMain: false, after: 'deploy' })).toEqual([])
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
])('a hook with `if` %j is asked about %s(%s): %s', (condition, tool, argument, isAsked) => {
  const hooks = [
    hookOf('PreToolUse', undefined, { hook: { type: 'command', command: 'true', if: condition } }),
  ]
  const call = { tool, agents: [], willAsk: false, isMain: true, ...(argument !== undefined && { argument }) }
  expect(hooksBefore(setupWith({}, { hooks }), call)).toHaveLength(isAsked ? 1 : 0)
})

test('a pattern that never comes to an end counts as one that fits, and one like it that does as what it says', () => {
  const tool = `mcp__server__${'a'.repeat(60)}`
  expect(hookMatches('^(\\w+\\w+)+!$', tool)).toBe(true)
  expect(hookMatches('^(\\w+)!$', tool)).toBe(false)
})

test('after some matchers that never come to an end, none is tried that may be like them', () => {
  const other = hookOf('PreToolUse', '(Read)+')
  const endless = Array.from({ length: 20 }, () => hookOf('PreToolUse', '^(a+)+$'))
  const asked = (hooks: readonly HookEntry[]): number =>
    hooksBefore(setupWith({}, { hooks }), {
      tool: `${'a'.repeat(60)}!`,
      agents: [],
      willAsk: false,
      isMain: true,
    }).length
  expect(asked([other])).toBe(0)
  expect(asked([...endless, other])).toBe(21)
})
