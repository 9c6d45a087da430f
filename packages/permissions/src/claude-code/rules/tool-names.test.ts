import { expect, test } from 'vitest'

import {
  fullServerName,
  fullToolName,
  parseToolName,
  rewrittenName,
  claudeServerPrefix,
} from './tool-names.ts'

test.each([
  ['ctx', undefined, 'mcp__ctx'],
  ['da-sh', undefined, 'mcp__da-sh'],
  ['srv.dots and space', undefined, 'mcp__srv_dots_and_space'],
  ['ünï', undefined, 'mcp___n_'],
  ['ctx', 'broker', 'mcp__plugin_broker_ctx'],
  ['c.t x', 'p-u.x', 'mcp__plugin_p-u_x_c_t_x'],
])('the tools of server %s of plugin %s begin with %s', (server, plugin, prefix) => {
  expect(claudeServerPrefix(server, plugin)).toBe(prefix)
})

test('a tool name is prefixed with its server', () => {
  expect(fullToolName('mcp__ctx', 'a.b')).toBe('mcp__ctx__a_b')
  expect(fullServerName('ctx', 'broker')).toBe('plugin:broker:ctx')
  expect(rewrittenName('a/b:c')).toBe('a_b_c')
})

test.each([
  ['mcp__ctx__load', { prefix: 'mcp__ctx', server: 'ctx', tool: 'load' }],
  ['mcp__ctx', { prefix: 'mcp__ctx', server: 'ctx' }],
  ['mcp__a__b__c', { prefix: 'mcp__a', server: 'a', tool: 'b__c' }],
  ['Bash', undefined],
  ['mcp__', undefined],
])('parses %s', (name, parts) => {
  expect(parseToolName(name)).toEqual(parts)
})
