import { expect, test } from 'vitest'

import { isOwnTool, ownToolPattern, pluginPrefix, settingsPrefix } from './own-tools.ts'

test.each([
  ['mcp__contextd__safe_write', true],
  ['mcp__plugin_contextd_contextd__safe_write', true],
  ['mcp__contextd__other__write_file', false],
  ['mcp__plugin_contextd_contextd__other__write_file', false],
  ['mcp__contextd__', false],
  ['mcp__contextd_other__safe_write', false],
  ['mcp__other__safe_write', false],
])('%s is our own tool: %j, for the model door and for hooks', (name, isOurs) => {
  expect(isOwnTool(name)).toBe(isOurs)
  const patterns = [settingsPrefix, pluginPrefix].map((prefix) => new RegExp(`^${ownToolPattern(prefix)}$`))
  expect(patterns.some((pattern) => pattern.test(name))).toBe(isOurs)
})

test('OpenCode tools have the server name as a prefix', () => {
  expect(isOwnTool('contextd_safe_write')).toBe(true)
  expect(isOwnTool('files_safe_write')).toBe(false)
})
