import { describe, expect, test } from 'vitest'

import { check, pluginFiles, rulesFile, serverFile, type ClaudeFiles } from '../../../../test/claude-files.ts'
import { prefixRules } from './prefixes.ts'

const [rulePrefix] = prefixRules
const library = pluginFiles('library', { docs: { command: 'npx', args: ['-y', 'docs-server'] } })
const standalone = serverFile('docs')

test.each<[string, ClaudeFiles, Record<string, string[]>, string[]]>([
  ['the short name of a plugin server', library, { allow: ['mcp__docs__*'] }, ['warning']],
  ['in deny and ask', library, { ask: ['mcp__docs'], deny: ['mcp__docs__x'] }, ['error', 'error']],
  [
    'a plugin prefix for a standalone server',
    standalone,
    { deny: ['mcp__plugin_library_docs__x'] },
    ['error'],
  ],
  ['the name of the plugin instead of the server', library, { deny: ['mcp__library'] }, ['error']],
  ['the plugin without its server', library, { deny: ['mcp__plugin_library'] }, ['error']],
  ['the full name of the server, as hooks use it', library, { deny: ['plugin:library:docs'] }, ['error']],
  ['another plugin', library, { deny: ['mcp__plugin_older_library_docs'] }, ['error']],
  [
    'several rules of one list are one finding',
    library,
    { allow: ['mcp__docs__a', 'mcp__docs__b'] },
    ['warning'],
  ],
  ['both forms', library, { allow: ['mcp__docs__*', 'mcp__plugin_library_docs__*'] }, []],
  [
    'wildcards that match the runtime name',
    library,
    { deny: ['mcp__docs__read_x', 'mcp__plugin_*__read*'] },
    [],
  ],
  [
    'a wildcard before the matching part',
    library,
    { allow: ['mcp__docs__a_x', 'mcp__plugin_library_docs__*_x'] },
    [],
  ],
  [
    'wildcards that do not match the runtime name',
    library,
    { deny: ['mcp__docs__read_x', 'mcp__plugin_*__*_y'] },
    ['error'],
  ],
  [
    'the other form covers the whole server',
    library,
    { deny: ['mcp__docs__x', 'mcp__plugin_library_docs'] },
    [],
  ],
  ['a pattern matches the runtime name', library, { deny: ['mcp__docs__x', 'mcp__plugin_*'] }, []],
  ['a pattern without effect', library, { allow: ['mcp__docs__x', 'mcp__plugin_*'] }, ['warning']],
  ['installed both ways', { ...library, ...standalone }, { allow: ['mcp__docs__*'] }, []],
  ['the correct name', library, { allow: ['mcp__plugin_library_docs__*'] }, []],
  ['no such server', library, { allow: ['mcp__other__*'] }, []],
  ['other tools', library, { allow: ['Bash(docs)', 'Read'] }, []],
])('%s', (_case, servers, rules, severities) => {
  const { lines } = check(rulePrefix, { ...servers, ...rulesFile(rules) })
  expect(lines.map((line) => line.split(' ')[0])).toEqual(severities)
})

test('suggests both forms, or a standalone server', () => {
  const { lines, fixes, repaired } = check(rulePrefix, {
    ...library,
    ...rulesFile({ allow: ['mcp__docs__find'] }),
  })
  expect(lines[0]).toContain('`docs` comes from the plugin `library`')
  expect(fixes).toEqual([
    'Add `mcp__plugin_library_docs__find` as well; or make it a standalone server: `claude plugin disable library@market`, then `claude mcp add --scope project docs -- npx -y docs-server`.',
  ])
  // A repair would allow calls that prompt now.
  expect(repaired).toEqual({})
})

test('repairs deny rules by adding the runtime name', () => {
  const { repaired } = check(rulePrefix, { ...library, ...rulesFile({ deny: ['mcp__docs__find'] }) })
  expect(JSON.parse(repaired['project/.claude/settings.json'] ?? '')).toEqual({
    permissions: { deny: ['mcp__docs__find', 'mcp__plugin_library_docs__find'] },
  })
})

describe('commands that suggest a standalone server', () => {
  test.each([
    [
      'an HTTP server',
      { type: 'http', url: 'https://docs.example/mcp' },
      'add --scope project --transport http docs https://docs.example/mcp`.',
    ],
    [
      'an SSE server',
      { type: 'sse', url: 'https://docs.example/sse' },
      '--transport sse docs https://docs.example/sse`.',
    ],
    [
      'arguments that need quotes',
      { command: 'serve it', args: ["a'b"] },
      String.raw`docs -- 'serve it' 'a'\''b'` + '`.',
    ],
    [
      'variables without their values',
      { command: 'serve', env: { KEY: 'private' } },
      '-e KEY=… docs -- serve`.',
    ],
  ])('%s', (_case, definition, end) => {
    const { fixes } = check(rulePrefix, {
      ...pluginFiles('library', { docs: definition }),
      ...rulesFile({ allow: ['mcp__docs'] }),
    })
    expect(fixes[0]).toContain(end)
    expect(fixes[0]).not.toContain('private')
  })

  test('no commands for a program of the plugin', () => {
    const files = pluginFiles('library', { docs: { command: '${CLAUDE_PLUGIN_ROOT}/serve' } })
    const { fixes } = check(rulePrefix, { ...files, ...rulesFile({ allow: ['mcp__docs'] }) })
    expect(fixes).toEqual(['Add `mcp__plugin_library_docs` as well.'])
  })
})

describe('repairs never grant access', () => {
  const users = (list: string): ClaudeFiles => ({
    ...standalone,
    'home/.claude/settings.json': { permissions: { [list]: ['mcp__plugin_library_docs'] } },
  })

  test('user settings: deny rules are repaired, allow rules are not', () => {
    expect(check(rulePrefix, users('allow'))).toMatchObject({
      lines: [expect.stringContaining('warning')],
      repaired: {},
    })
    expect(Object.keys(check(rulePrefix, users('deny')).repaired)).toEqual(['home/.claude/settings.json'])
  })

  test('two possible servers: nothing is allowed, both are denied', () => {
    const two = {
      ...library,
      'home/.claude/settings.json': { enabledPlugins: { 'library@market': true, 'shelf@market': true } },
      'home/market/.claude-plugin/marketplace.json': {
        name: 'market',
        owner: { name: 'Example' },
        plugins: [
          { name: 'library', source: './library' },
          { name: 'shelf', source: './shelf' },
        ],
      },
      'home/market/shelf/.mcp.json': { mcpServers: { docs: { command: 'shelf-docs' } } },
    }
    expect(check(rulePrefix, { ...two, ...rulesFile({ allow: ['mcp__docs'] }) }).repaired).toEqual({})
    const denied = check(rulePrefix, { ...two, ...rulesFile({ deny: ['mcp__docs'] }) }).repaired
    expect(JSON.parse(denied['project/.claude/settings.json'] ?? '')).toEqual({
      permissions: { deny: ['mcp__docs', 'mcp__plugin_library_docs', 'mcp__plugin_shelf_docs'] },
    })
  })
})
