import { expect, test } from 'vitest'

import { agentOf, serverOf, setupWith } from '../../../test/claude-setup.ts'
import { runtimeNames } from './runtime-name.ts'

const names = (asked: string, servers = installed): string[] =>
  runtimeNames(setupWith({}, { servers }), asked).names.map(({ name }) => name)

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
])('%s is %j', (asked, expected) => {
  expect(names(asked)).toEqual(expected)
})

test('a tool by its name alone is found where somebody wrote it down, unless the server is known not to have it', () => {
  const rules = { user: { deny: ['mcp__ctx__load(*)', 'mcp__my.notes__gone'] } }
  const setup = setupWith(rules, {
    servers: installed,
    agents: [agentOf('a', { tools: ['mcp__plugin_broker_ctx__save'] })],
  })
  const found = (asked: string): string[] => runtimeNames(setup, asked).names.map(({ name }) => name)
  expect(found('load')).toEqual(['mcp__plugin_broker_ctx__load'])
  expect(found('save')).toEqual(['mcp__plugin_broker_ctx__save'])
  expect(found('gone')).toEqual([])
  expect(found('other')).toEqual([])
})

test('what several servers could mean is all of them', () => {
  const both = [serverOf('context7'), ...installed]
  expect(names('context7:query-docs', both)).toEqual([
    'mcp__context7__query-docs',
    'mcp__plugin_context7_context7__query-docs',
  ])
})

test('a server that runs is meant rather than one that does not', () => {
  const both = [serverOf('context7', { off: 'It is disabled.' }), ...installed]
  expect(names('context7:query-docs', both)).toEqual(['mcp__plugin_context7_context7__query-docs'])
})

test.each([
  ['contxt7:query-docs', [], 'mcp__plugin_context7_context7__query-docs'],
  ['Raed', ['Raed'], 'Read'],
  ['context7', [], 'mcp__plugin_context7_context7__<tool>'],
  ['mcp__contex7__query-docs', ['mcp__contex7__query-docs'], 'mcp__plugin_context7_context7__query-docs'],
])('%s is there for nobody, and %j at most; near is %s', (asked, expected, near) => {
  const found = runtimeNames(setupWith({}, { servers: installed }), asked)
  expect(found.names.map(({ name }) => name)).toEqual(expected)
  expect(found.suggestions).toContain(near)
})

test('how it was found out is said', () => {
  const [found] = runtimeNames(setupWith({}, { servers: installed }), 'broker:ctx:x').names
  expect(found?.because).toBe(
    'The server ctx of the plugin broker names its tools mcp__plugin_broker_ctx__….',
  )
})

test('what names nothing is nothing', () => {
  for (const asked of ['', ':', 'mcp__', 'nowhere:x', '((('])
    expect(runtimeNames(setupWith({}, {}), asked).names).toEqual([])
})
