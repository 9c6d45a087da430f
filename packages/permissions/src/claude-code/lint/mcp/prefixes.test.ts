import { describe, expect, test } from 'vitest'

import { check, pluginFiles, rulesFile, serverFile, type ClaudeFiles } from '../../../../test/claude-files.ts'
import { prefixRules } from './prefixes.ts'

const [rulePrefix] = prefixRules
const library = pluginFiles('library', { docs: { command: 'npx', args: ['-y', 'docs-server'] } })
const standalone = serverFile('docs')

test.each<[string, ClaudeFiles, Record<string, string[]>, string[]]>([
  ['its own name, while a plugin brings it', library, { allow: ['mcp__docs__*'] }, ['warning']],
  [
    'a deny and an ask leave it open',
    library,
    { ask: ['mcp__docs'], deny: ['mcp__docs__x'] },
    ['error', 'error'],
  ],
  [
    "the plugin's name, while it is set up on its own",
    standalone,
    { deny: ['mcp__plugin_library_docs__x'] },
    ['error'],
  ],
  ['the name of the plugin alone', library, { deny: ['mcp__library'] }, ['error']],
  ['the plugin without its server', library, { deny: ['mcp__plugin_library'] }, ['error']],
  ['as hooks call it', library, { deny: ['plugin:library:docs'] }, ['error']],
  ['another plugin', library, { deny: ['mcp__plugin_older_library_docs'] }, ['error']],
  [
    'several rules of one list are one finding',
    library,
    { allow: ['mcp__docs__a', 'mcp__docs__b'] },
    ['warning'],
  ],
  ['both forms', library, { allow: ['mcp__docs__*', 'mcp__plugin_library_docs__*'] }, []],
  ['wildcards that cover it', library, { deny: ['mcp__docs__read_x', 'mcp__plugin_*__read*'] }, []],
  ['a wildcard in front', library, { allow: ['mcp__docs__a_x', 'mcp__plugin_library_docs__*_x'] }, []],
  ['wildcards that do not', library, { deny: ['mcp__docs__read_x', 'mcp__plugin_*__*_y'] }, ['error']],
  ['the other form covers more', library, { deny: ['mcp__docs__x', 'mcp__plugin_library_docs'] }, []],
  ['a pattern covers it', library, { deny: ['mcp__docs__x', 'mcp__plugin_*'] }, []],
  [
    'a pattern that allows nothing covers nothing',
    library,
    { allow: ['mcp__docs__x', 'mcp__plugin_*'] },
    ['warning'],
  ],
  ['set up both ways', { ...library, ...standalone }, { allow: ['mcp__docs__*'] }, []],
  ['the name it has', library, { allow: ['mcp__plugin_library_docs__*'] }, []],
  ['no such server', library, { allow: ['mcp__other__*'] }, []],
  ['other tools', library, { allow: ['Bash(docs)', 'Read'] }, []],
])('%s', (_case, servers, rules, severities) => {
  const { lines } = check(rulePrefix, { ...servers, ...rulesFile(rules) })
  expect(lines.map((line) => line.split(' ')[0])).toEqual(severities)
})

test('says what to do: both forms, or the server on its own', () => {
  const { lines, fixes, repaired } = check(rulePrefix, {
    ...library,
    ...rulesFile({ allow: ['mcp__docs__find'] }),
  })
  expect(lines[0]).toContain('`docs` comes from the plugin `library`')
  expect(fixes).toEqual([
    'Add `mcp__plugin_library_docs__find` beside it; or set the server up on its own: `claude plugin disable library@market`, then `claude mcp add --scope project docs -- npx -y docs-server`.',
  ])
  // That would allow what is asked about now.
  expect(repaired).toEqual({})
})

test('adds the name that counts to what is denied', () => {
  const { repaired } = check(rulePrefix, { ...library, ...rulesFile({ deny: ['mcp__docs__find'] }) })
  expect(JSON.parse(repaired['project/.claude/settings.json'] ?? '')).toEqual({
    permissions: { deny: ['mcp__docs__find', 'mcp__plugin_library_docs__find'] },
  })
})

describe('how to set it up on its own', () => {
  test.each([
    [
      'an address',
      { type: 'http', url: 'https://docs.example/mcp' },
      'add --scope project --transport http docs https://docs.example/mcp`.',
    ],
    [
      'old events',
      { type: 'sse', url: 'https://docs.example/sse' },
      '--transport sse docs https://docs.example/sse`.',
    ],
    [
      'words for a shell',
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

  test('not where it is a program of the plugin', () => {
    const files = pluginFiles('library', { docs: { command: '${CLAUDE_PLUGIN_ROOT}/serve' } })
    const { fixes } = check(rulePrefix, { ...files, ...rulesFile({ allow: ['mcp__docs'] }) })
    expect(fixes).toEqual(['Add `mcp__plugin_library_docs` beside it.'])
  })
})

describe('what a repair allows', () => {
  const users = (list: string): ClaudeFiles => ({
    ...standalone,
    'home/.claude/settings.json': { permissions: { [list]: ['mcp__plugin_library_docs'] } },
  })

  test('never a name in a file for all projects that any project can take', () => {
    expect(check(rulePrefix, users('allow'))).toMatchObject({
      lines: [expect.stringContaining('warning')],
      repaired: {},
    })
    expect(Object.keys(check(rulePrefix, users('deny')).repaired)).toEqual(['home/.claude/settings.json'])
  })

  test('nothing where two servers may be meant, but both are denied', () => {
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
