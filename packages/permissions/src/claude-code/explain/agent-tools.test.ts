import { describe, expect, test } from 'vitest'

import { agentOf, serverOf, setupWith } from '../../../test/claude-setup.ts'
import { missingFor, singleTools } from './agent-tools.ts'

const servers = [
  serverOf('probe'),
  serverOf('a.x'),
  serverOf('ctx', { source: 'plugin', owner: 'solo' }),
  serverOf('own', { source: 'agent', owner: 'x' }),
]
const setup = setupWith({}, { servers })
const tools = [
  { name: 'Read' },
  { name: 'Bash' },
  { name: 'Agent' },
  { name: 'mcp__probe__act', prefix: 'mcp__probe' },
  { name: 'mcp__probe__look', prefix: 'mcp__probe' },
  { name: 'mcp__a_x__act', prefix: 'mcp__a_x' },
  { name: 'mcp__plugin_solo_ctx__act', prefix: 'mcp__plugin_solo_ctx' },
]
const all = tools.map(({ name }) => name)
const had = (parts: Parameters<typeof agentOf>[1]): string[] =>
  tools.filter((tool) => missingFor(setup, agentOf('x', parts), tool) === undefined).map(({ name }) => name)

describe('tools', () => {
  test.each<[readonly string[] | undefined, readonly string[]]>([
    [undefined, all],
    [['*'], all],
    [['Read', '*'], all],
    [[], []],
    [['Read'], ['Read']],
    [['Bash(git:*)'], ['Bash']],
    [['Task'], ['Agent']],
    [['Agent(Plan)'], ['Agent']],
    [['mcp__probe'], ['mcp__probe__act', 'mcp__probe__look']],
    [['mcp__probe__*'], ['mcp__probe__act', 'mcp__probe__look']],
    [['mcp__probe__act(*)'], ['mcp__probe__act']],
    [['Read', 'mcp__*'], ['Read']],
    [['Read', 'mcp__pro*'], ['Read']],
    [['Read', 'mcp__probe__a*'], ['Read']],
    [['Read', 'read', 'mcp__a.x__act', 'mcp__ctx', 'mcp__solo__act'], ['Read']],
    [['Foo', 'read'], []],
  ])('%j gives %j', (entries, expected) => {
    expect(had(entries === undefined ? {} : { tools: entries })).toEqual(expected)
  })

  test('an agent without any existing tool is not started', () => {
    const agent = agentOf('x', { tools: ['mcp__ctx__act'] })
    expect(missingFor(setup, agent, { name: 'Read' })?.why).toMatch(/not started/)
  })

  test('an agent has its own servers, listed or not', () => {
    const tool = { name: 'mcp__own__act', prefix: 'mcp__own' }
    expect(missingFor(setup, agentOf('x', { tools: ['Read'] }), tool)).toBeUndefined()
    expect(missingFor(setup, agentOf('y', { tools: ['Read'] }), tool)).toBeDefined()
    expect(missingFor(setup, agentOf('x', { disallowedTools: ['mcp__own'] }), tool)).toBeDefined()
  })
})

test.each<[readonly string[], readonly string[]]>([
  [['Bash(git:*)'], ['Bash']],
  [['Task'], ['Agent']],
  [['mcp__probe'], ['mcp__probe__act', 'mcp__probe__look']],
  [['mcp__probe__*'], ['mcp__probe__act', 'mcp__probe__look']],
  [['mcp__*'], all.slice(3)],
  [['*', 'mcp__pro*', 'mcp__probe__a*', 'bash', 'mcp__a.x', 'mcp__ctx', 'plugin:solo:ctx'], []],
])('disallowedTools %j removes %j', (entries, removed) => {
  expect(had({ disallowedTools: entries })).toEqual(all.filter((name) => !removed.includes(name)))
})

test('for a question about a whole server, an agent has the tools of it that it lists', () => {
  const server = { name: 'mcp__probe', prefix: 'mcp__probe' }
  const single = (parts: Parameters<typeof agentOf>[1]): string[] =>
    singleTools(agentOf('x', parts), server).map(({ rule }) => rule)
  const some = { tools: ['Read', 'mcp__probe__act', 'mcp__probe__a*', 'mcp__a_x__act'] }
  expect(missingFor(setup, agentOf('x', some), server)).toBeUndefined()
  expect(single(some)).toEqual(['tools: mcp__probe__act'])
  expect(missingFor(setup, agentOf('x', { tools: ['Read'] }), server)).toBeDefined()
  expect(single({ tools: ['mcp__probe', 'mcp__probe__act'] })).toEqual([])
  expect(single({ disallowedTools: ['mcp__probe__act', 'Bash'] })).toEqual([
    'disallowedTools: mcp__probe__act',
  ])
  const tool = { name: 'mcp__probe__act', prefix: 'mcp__probe' }
  expect(singleTools(agentOf('x', some), tool)).toEqual([])
})

test('disallowedTools removes from tools', () => {
  expect(had({ tools: ['Read', 'Bash'], disallowedTools: ['Bash'] })).toEqual(['Read'])
})

test.each([
  ['general-purpose', ['Write', 'Agent', 'Bash']],
  ['Explore', ['Bash']],
  ['statusline-setup', []],
])('the built-in agent %s has %j', (agent, expected) => {
  const names = ['Write', 'Agent', 'Bash']
  expect(names.filter((name) => missingFor(setup, agent, { name }) === undefined)).toEqual(expected)
})
