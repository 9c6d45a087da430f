import { expect, test } from 'vitest'

import { agentOf, serverOf, setupWith } from '../../../test/claude-setup.ts'
import { runtimeNames } from './runtime-name.ts'

const names = (query: string, servers = installed): string[] =>
  runtimeNames(setupWith({}, { servers }), query).names.map(({ name }) => name)

const installed = [
  serverOf('context7', { source: 'plugin', owner: 'context7', tools: ['query-docs'] }),
  serverOf('ctx', { source: 'plugin', owner: 'broker' }),
  serverOf('my.notes', { tools: ['find', 'add.one'] }),
  serverOf('old', { off: 'It is disabled.' }),
]

test.each([
  ['context7:query-docs', ['mcp__plugin_context7_context7__query-docs']],
  ['context7/query-docs', ['mcp__plugin_context7_context7__query-docs']],
  ['mcp__context7__query-docs', ['mcp__context7__query-docs', 'mcp__plugin_context7_context7__query-docs']],
  ['query-docs', ['mcp__plugin_context7_context7__query-docs']],
  ['broker:ctx:load_context', ['mcp__plugin_broker_ctx__load_context']],
  ['plugin:broker:ctx:load_context', ['mcp__plugin_broker_ctx__load_context']],
  ['broker:load_context', ['mcp__plugin_broker_ctx__load_context']],
  ['ctx:load_context', ['mcp__plugin_broker_ctx__load_context']],
  ['mcp__plugin_broker_ctx__load_context', ['mcp__plugin_broker_ctx__load_context']],
  ['mcp__plugin_broker_ctx__*', ['mcp__plugin_broker_ctx']],
  ['ctx:*', ['mcp__plugin_broker_ctx']],
  ['my.notes:add.one', ['mcp__my_notes__add_one']],
  ['My.Notes:find', ['mcp__my_notes__find']],
  ['add.one', ['mcp__my_notes__add_one']],
  ['old:x', ['mcp__old__x']],
  ['bash', ['Bash']],
  ['Bash(npm test)', ['Bash(npm test)']],
  ['bash(npm test)', ['Bash(npm test)']],
  ['Task', ['Agent']],
  ['task', ['Agent']],
  ['Read(./a(b).txt)', ['Read(./a(b).txt)']],
])('%s is %j', (query, expected) => {
  expect(names(query)).toEqual(expected)
})

test('a bare tool name resolves if a rule or agent mentions it, unless the server is known not to have it', () => {
  const rules = { user: { deny: ['mcp__ctx__load(*)', 'mcp__my.notes__gone'] } }
  const setup = setupWith(rules, {
    servers: installed,
    agents: [agentOf('a', { tools: ['mcp__plugin_broker_ctx__save'] })],
  })
  const resolve = (query: string): string[] => runtimeNames(setup, query).names.map(({ name }) => name)
  expect(resolve('load')).toEqual(['mcp__plugin_broker_ctx__load'])
  expect(resolve('save')).toEqual(['mcp__plugin_broker_ctx__save'])
  expect(resolve('gone')).toEqual([])
  expect(resolve('other')).toEqual([])
})

test('an ambiguous name resolves to all servers it matches', () => {
  const both = [serverOf('context7'), ...installed]
  expect(names('context7:query-docs', both)).toEqual([
    'mcp__context7__query-docs',
    'mcp__plugin_context7_context7__query-docs',
  ])
})

test('prefers a running server', () => {
  const both = [serverOf('context7', { off: 'It is disabled.' }), ...installed]
  expect(names('context7:query-docs', both)).toEqual(['mcp__plugin_context7_context7__query-docs'])
})

test.each([
  ['contxt7:query-docs', [], 'mcp__plugin_context7_context7__query-docs'],
  ['Raed', ['Raed'], 'Read'],
  ['context7', [], 'mcp__plugin_context7_context7__<tool>'],
  ['mcp__contex7__query-docs', ['mcp__contex7__query-docs'], 'mcp__plugin_context7_context7__query-docs'],
])('%s does not exist: resolves to %j, suggests %s', (query, expected, near) => {
  const result = runtimeNames(setupWith({}, { servers: installed }), query)
  expect(result.names.map(({ name }) => name)).toEqual(expected)
  expect(result.suggestions).toContain(near)
})

test('explains how a name was resolved', () => {
  const [resolved] = runtimeNames(setupWith({}, { servers: installed }), 'broker:ctx:x').names
  expect(resolved?.because).toBe(
    'The server ctx of the plugin broker names its tools mcp__plugin_broker_ctx__….',
  )
})

test('malformed and unknown names resolve to nothing', () => {
  for (const query of ['', ':', 'mcp__', 'nowhere:x', '((('])
    expect(runtimeNames(setupWith({}, {}), query).names).toEqual([])
})
