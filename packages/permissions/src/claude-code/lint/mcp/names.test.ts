import { describe, expect, test } from 'vitest'

import {
  agentFile,
  check,
  pluginFiles,
  rulesFile,
  serverFile,
  type ClaudeFiles,
} from '../../../../test/claude-files.ts'
import type { ClaudeSetup } from '../../setup/setup.ts'
import { nameCollisionRules } from './name-collisions.ts'
import { rewrittenNameRules } from './rewritten-names.ts'
import { serverNameRules } from './server-names.ts'
import { toolNameLengthRules } from './tool-name-length.ts'

const severities = (lines: readonly string[]): (string | undefined)[] =>
  lines.map((line) => line.split(' ')[0])
const withTools =
  (...tools: string[]) =>
  (setup: ClaudeSetup): ClaudeSetup => ({
    ...setup,
    servers: setup.servers.map((server) => ({ ...server, tools })),
  })

describe('rewritten names', () => {
  const [inRule, ofServer] = rewrittenNameRules

  test.each<[string, ClaudeFiles, Record<string, string[]>, string[], unknown]>([
    [
      'of a server',
      serverFile('team notes'),
      { deny: ['mcp__team notes'] },
      ['error'],
      { deny: ['mcp__team_notes'] },
    ],
    [
      'of a tool',
      serverFile('notes'),
      { deny: ['mcp__notes__get.page'] },
      ['error'],
      { deny: ['mcp__notes__get_page'] },
    ],
    [
      'in an allow rule, which is not repaired',
      serverFile('notes'),
      { allow: ['mcp__notes__get.page'] },
      ['warning'],
      undefined,
    ],
    [
      "of a plugin's server",
      pluginFiles('library', { docs: { command: 'x' } }),
      { ask: ['mcp__plugin:library:docs__x'] },
      ['error'],
      { ask: ['mcp__plugin_library_docs__x'] },
    ],
    ['the rewritten name', serverFile('team notes'), { deny: ['mcp__team_notes'] }, [], undefined],
    ['of an unknown server', serverFile('notes'), { deny: ['mcp__team.wiki'] }, [], undefined],
  ])('in a rule: %s', (_case, servers, rules, expected, repairedTo) => {
    const { lines, repaired } = check(inRule, { ...servers, ...rulesFile(rules) })
    expect(severities(lines)).toEqual(expected)
    const text = repaired['project/.claude/settings.json']
    expect(text === undefined ? undefined : JSON.parse(text).permissions).toEqual(repairedTo)
  })

  test.each<[string, ClaudeFiles, string[], number]>([
    ['a server', serverFile('team notes'), [], 1],
    ['a plugin', pluginFiles('my.library', { docs: { command: 'x' } }), [], 1],
    ['a tool', serverFile('notes'), ['get', 'get.page'], 1],
    ['a plugin whose name is not rewritten', pluginFiles('library', { docs: { command: 'x' } }), ['get'], 0],
    ['dashes are not rewritten', serverFile('team-notes'), ['get-page'], 0],
  ])('are reported: %s', (_case, files, tools, count) => {
    expect(check(ofServer, files, withTools(...tools)).lines).toHaveLength(count)
  })
})

describe('name collisions', () => {
  const [collision] = nameCollisionRules

  test.each<[string, ClaudeFiles, string[], string[]]>([
    ['two servers of a project', serverFile('team.notes', 'team notes'), [], ['error']],
    [
      "a project's server with the prefix of a plugin's",
      { ...pluginFiles('library', { docs: { command: 'x' } }), ...serverFile('plugin_library_docs') },
      [],
      ['error'],
    ],
    ['two tools of a server', serverFile('notes'), ['get.page', 'get_page'], ['error']],
    ['tools of two servers', serverFile('a', 'a__b'), ['c', 'b__c'], ['error']],
    [
      "an agent's own server with the name of the project's",
      { ...serverFile('notes'), ...agentFile('writer', 'mcpServers:', '  - notes:', '      command: other') },
      [],
      ['warning'],
    ],
    [
      'servers of two agents',
      {
        ...agentFile('one', 'mcpServers:', '  - notes:', '      command: x'),
        ...agentFile('two', 'mcpServers:', '  - notes:', '      command: y'),
      },
      [],
      [],
    ],
    [
      'one server configured in two places',
      { ...serverFile('notes'), 'home/.claude.json': { mcpServers: { notes: { command: 'x' } } } },
      [],
      [],
    ],
    ['different names', serverFile('notes', 'team-notes'), ['get', 'put'], []],
  ])('%s', (_case, files, tools, expected) => {
    expect(severities(check(collision, files, withTools(...tools)).lines)).toEqual(expected)
  })
})

test.each<[string, number]>([
  ['team__notes', 1],
  ['notes_', 1],
  ['notes.', 1],
  ['team_notes', 0],
  ['notes', 0],
])('ambiguous server name: %s', (name, count) => {
  expect(check(serverNameRules[0], serverFile(name)).lines).toHaveLength(count)
})

describe('length of tool names', () => {
  const [nameLength] = toolNameLengthRules
  /** The name of a server whose prefix, including the double underscore, has this length. */
  const server = (length: number): string => 's'.repeat(length - 'mcp____'.length)

  test.each<[number, number, string[]]>([
    [30, 29, []],
    [30, 30, ['warning']],
    [30, 34, ['warning']],
    [30, 35, ['error']],
  ])('prefix of %i, tool of %i', (prefix, tool, expected) => {
    const files = {
      ...serverFile(server(prefix)),
      ...rulesFile({ allow: [`mcp__${server(prefix)}__${'t'.repeat(tool)}`] }),
    }
    expect(severities(check(nameLength, files).lines)).toEqual(expected)
    expect(
      severities(check(nameLength, serverFile(server(prefix)), withTools('t'.repeat(tool))).lines),
    ).toEqual(expected)
  })

  test.each<[number, string[]]>([
    [48, []],
    [49, ['warning']],
    [63, ['warning']],
    [64, ['error']],
    [90, ['error']],
  ])('a prefix of %i alone', (length, expected) => {
    expect(severities(check(nameLength, serverFile(server(length))).lines)).toEqual(expected)
  })

  test('known tools are checked instead of the prefix, and a server is reported once', () => {
    const files = serverFile(server(50))
    expect(check(nameLength, files, withTools('short')).lines).toEqual([])
    expect(check(nameLength, files, withTools('a'.repeat(20), 'b'.repeat(21), 'c')).lines).toEqual([
      expect.stringContaining('71 characters'),
    ])
  })

  test("the runtime name of a plugin's tool is checked if documents or agents use a shorter name", () => {
    const tool = 't'.repeat(40)
    const files = {
      ...pluginFiles('library', { docs: { command: 'x' } }),
      ...agentFile('reader', `tools: mcp__docs__${tool}`),
      'project/CLAUDE.md': `Call mcp__docs__${tool} and mcp__docs__${tool}2.`,
    }
    expect(check(nameLength, files).lines).toEqual([
      expect.stringMatching(/^error project\/\.claude\/agents\/reader\.md:4: .* has 66 characters/),
      expect.stringMatching(/^error project\/CLAUDE\.md:1: .* has 67 characters/),
    ])
  })
})
