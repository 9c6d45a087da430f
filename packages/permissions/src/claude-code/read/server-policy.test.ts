import { expect, it } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { parseJson } from '@contextd/shared/json/json-source'
import { serverPolicy } from './server-policy.ts'
import type { Level, McpServer, SettingsFile } from '../setup/setup.ts'

const stdio = { command: 'npx', args: ['-y', 'ctx'] }
const web = { type: 'http', url: 'https://mcp.example.com/v1' }

function settings(level: Level, value: JsonObject): SettingsFile {
  const document = parseJson('{}')
  if (!document.ok) throw new Error(document.message)
  return { file: level, text: '{}', document, value, level, rules: [] }
}

function refusal(
  files: readonly SettingsFile[],
  fullName: string,
  definition: JsonObject,
  source: McpServer['source'] = 'project',
): string | undefined {
  return serverPolicy(files)({ fullName, definition, source })
}

const [denied, unlisted] = ['deniedMcpServers names it', 'allowedMcpServers does not name it']

it.each<[string, JsonObject, JsonObject, string | undefined]>([
  ['no lists', {}, stdio, undefined],
  ['denied by name', { deniedMcpServers: [{ serverName: 'ctx' }] }, stdio, denied],
  ['no wildcard in names', { deniedMcpServers: [{ serverName: 'c*' }] }, stdio, undefined],
  ['denied by command', { deniedMcpServers: [{ serverCommand: ['npx', '-y', 'ctx'] }] }, stdio, denied],
  ['part of a command', { deniedMcpServers: [{ serverCommand: ['npx', '-y'] }] }, stdio, undefined],
  ['denied by address', { deniedMcpServers: [{ serverUrl: 'https://*.example.com/*' }] }, web, denied],
  ['another address', { deniedMcpServers: [{ serverUrl: 'https://example.com/*' }] }, web, undefined],
  [
    'an entry with two criteria',
    { deniedMcpServers: [{ serverName: 'ctx', serverUrl: '*' }] },
    stdio,
    undefined,
  ],
  ['an entry of another kind', { deniedMcpServers: ['ctx'] }, stdio, undefined],
  ['allowed by name', { allowedMcpServers: [{ serverName: 'ctx' }] }, stdio, undefined],
  ['not listed', { allowedMcpServers: [{ serverName: 'other' }] }, stdio, unlisted],
  ['an empty list', { allowedMcpServers: [] }, stdio, unlisted],
  ['nothing usable in the list', { allowedMcpServers: ['ctx'] }, stdio, unlisted],
  [
    'deny overrides allow',
    { allowedMcpServers: [{ serverName: 'ctx' }], deniedMcpServers: [{ serverName: 'ctx' }] },
    stdio,
    denied,
  ],
  ['allowed by command', { allowedMcpServers: [{ serverCommand: ['npx', '-y', 'ctx'] }] }, stdio, undefined],
  [
    'a name if commands are listed',
    { allowedMcpServers: [{ serverName: 'ctx' }, { serverCommand: ['x'] }] },
    stdio,
    unlisted,
  ],
  [
    'a URL if commands are listed',
    { allowedMcpServers: [{ serverName: 'ctx' }, { serverCommand: ['x'] }] },
    web,
    undefined,
  ],
  [
    'a name if URLs are listed',
    { allowedMcpServers: [{ serverName: 'ctx' }, { serverUrl: 'https://x' }] },
    web,
    unlisted,
  ],
  ['an exact address', { allowedMcpServers: [{ serverUrl: 'https://mcp.example.com/v1' }] }, web, undefined],
  ['the prefix of a URL', { allowedMcpServers: [{ serverUrl: 'https://mcp.example.com' }] }, web, unlisted],
])('%s', (_what, value, definition, expected) => {
  expect(refusal([settings('user', value)], 'ctx', definition)).toBe(expected)
})

it('matches plugin servers by full name in deny lists only', () => {
  const name = 'plugin:p:ctx'
  expect(refusal([settings('user', { deniedMcpServers: [{ serverName: name }] })], name, stdio)).toBe(denied)
  expect(refusal([settings('user', { allowedMcpServers: [{ serverName: name }] })], name, stdio)).toBe(
    unlisted,
  )
})

it('merges the lists of all levels, unless restricted to managed ones', () => {
  const files = [
    settings('managed', { allowedMcpServers: [{ serverName: 'a' }] }),
    settings('user', { allowedMcpServers: [{ serverName: 'b' }], deniedMcpServers: [{ serverName: 'c' }] }),
  ]
  const decisions = (all: readonly SettingsFile[]): (string | undefined)[] =>
    ['a', 'b', 'c'].map((name) => refusal(all, name, stdio))
  expect(decisions(files)).toEqual([undefined, undefined, denied])
  const locked = [settings('managed', { allowManagedMcpServersOnly: true }), ...files]
  expect(decisions(locked)).toEqual([undefined, unlisted, denied])
})

it('lets managed servers run without being listed, but not if denied', () => {
  const lists = settings('managed', { allowedMcpServers: [], deniedMcpServers: [{ serverName: 'bad' }] })
  expect(refusal([lists], 'ctx', stdio, 'managed')).toBeUndefined()
  expect(refusal([lists], 'bad', stdio, 'managed')).toBe(denied)
})
