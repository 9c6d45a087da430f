import { describe, expect, test } from 'vitest'

import { agentFile, check, pluginFiles, serverFile, type ClaudeFiles } from '../../../../test/claude-files.ts'
import { agentKeyRules } from './keys.ts'
import { agentServerRules } from './servers.ts'
import { agentToolFormRules } from './tool-forms.ts'
import { agentToolRules } from './tools.ts'
import { pluginAgentRules } from './plugin-agents.ts'

const severities = (lines: readonly string[]): (string | undefined)[] =>
  lines.map((line) => line.split(' ')[0])
const [toolPrefix, toolUnknown, inheritsAll] = agentToolRules
const [wildcard, parentheses] = agentToolFormRules
const [serverName, serverReference] = agentServerRules
const library = pluginFiles('library', { docs: { command: 'docs' } })
const files: ClaudeFiles = { ...library, ...serverFile('tracker', 'team notes') }
const file = 'project/.claude/agents/reader.md'

describe('a wrong prefix', () => {
  test.each<[string, string, string[], string?]>([
    // Not repaired, as the repair would grant a tool.
    ['a plugin server by its short name', 'tools: Read, mcp__docs__find', ['warning']],
    [
      'a plugin server in disallowedTools',
      'disallowedTools: [mcp__docs, Bash]',
      ['error'],
      'disallowedTools: [mcp__plugin_library_docs, Bash]',
    ],
    [
      'all tools of a plugin server',
      'disallowedTools: "mcp__docs__*"',
      ['error'],
      'disallowedTools: "mcp__plugin_library_docs__*"',
    ],
    [
      'the full name of a server, as hooks use it',
      'disallowedTools: plugin:library:docs',
      ['error'],
      'disallowedTools: mcp__plugin_library_docs',
    ],
    [
      'a plugin prefix for a standalone server',
      'disallowedTools: mcp__plugin_x_tracker__get',
      ['error'],
      'disallowedTools: mcp__tracker__get',
    ],
    [
      'a name before the client rewrites it',
      'disallowedTools: [Read, "mcp__team.notes__get"]',
      ['error'],
      'disallowedTools: [Read, "mcp__team_notes__get"]',
    ],
    ['both forms', 'tools: mcp__docs__find, mcp__plugin_library_docs__find', []],
    ['the other form covers the whole server', 'tools: mcp__docs__find, mcp__plugin_library_docs', []],
    ['the correct name', 'tools: mcp__plugin_library_docs__find, mcp__tracker', []],
  ])('%s', (_case, line, expected, repairedTo) => {
    const { lines, repaired } = check(toolPrefix, { ...files, ...agentFile('reader', line) })
    expect(severities(lines)).toEqual(expected)
    expect(repaired[file]?.split('\n')[3]).toBe(repairedTo)
  })

  test('entries of user agents are not repaired: they may apply in another project', () => {
    const [, text] = Object.entries(agentFile('reader', 'disallowedTools: mcp__docs'))[0]!
    const { lines, repaired } = check(toolPrefix, { ...files, 'home/.claude/agents/reader.md': text })
    expect([severities(lines), repaired]).toEqual([['error'], {}])
  })

  test.each([
    ['docs', { [file]: expect.stringContaining('\ndisallowedTools: mcp__plugin_docs_x__get\n') as string }],
    // Three dashes would end the frontmatter.
    ['docs---more', {}],
  ])('repairs tools of the plugin %j only if its name is safe in YAML', (plugin, expected) => {
    const agent = agentFile('reader', 'disallowedTools: mcp__x__get', 'tools: Read')
    const { lines, repaired } = check(toolPrefix, {
      ...pluginFiles(plugin, { x: { command: 'x' } }),
      ...agent,
    })
    expect([severities(lines), repaired]).toEqual([['error'], expected])
  })

  test('agents of a plugin are reported but not changed', () => {
    const own = {
      'home/market/library/agents/finder.md': '---\nname: finder\ntools: mcp__docs__find\n---\nFind.\n',
    }
    const { lines, repaired } = check(toolPrefix, { ...library, ...own })
    expect(lines).toEqual([expect.stringContaining('`library:finder` does not get `mcp__docs__find`')])
    expect(repaired).toEqual({})
  })

  test('a server that an agent defines exists for this agent only', () => {
    const own = agentFile(
      'reader',
      'tools: mcp__inside__get',
      'mcpServers:',
      '  - inside:',
      '      command: serve',
    )
    const other = agentFile('other', 'tools: mcp__inside__get')
    expect(check(toolUnknown, { ...own, ...other }).lines).toEqual([
      expect.stringContaining('agents/other.md:4'),
    ])
  })
})

describe('an unknown tool', () => {
  test.each<[string, string, string[], string?]>([
    ['wrong case', 'tools: read, Bash', ['warning']],
    ['wrong case in disallowedTools', 'disallowedTools: bash', ['error'], 'disallowedTools: Bash'],
    ['a typo is not repaired', 'tools: Reed', ['warning']],
    ['an unknown name in disallowedTools', 'disallowedTools: Shell', ['error']],
    ['an unknown server', 'tools: mcp__wiki__get, mcp__wiki__*', ['warning', 'warning']],
    ['an unknown server in disallowedTools is harmless', 'disallowedTools: mcp__wiki', ['note']],
    [
      'wrong case in a server name',
      'disallowedTools: mcp__Tracker__get',
      ['error'],
      'disallowedTools: mcp__tracker__get',
    ],
    [
      'existing tools',
      'tools: Read, Task, Agent(x), Bash(git *), mcp__tracker__get, mcp__ide__x, TaskCreate',
      [],
    ],
    ['patterns, which another rule checks', 'tools: "*", mcp__*', []],
  ])('%s', (_case, line, expected, repairedTo) => {
    const { lines, repaired } = check(toolUnknown, { ...files, ...agentFile('reader', line) })
    expect(severities(lines)).toEqual(expected)
    expect(repaired[file]?.split('\n')[3]).toBe(repairedTo)
  })

  test('a tool that the server is known not to have', () => {
    const listed = { ...files, ...agentFile('reader', 'tools: mcp__tracker__gat, mcp__tracker__get') }
    const { lines, fixes } = check(toolUnknown, listed, (setup) => ({
      ...setup,
      servers: setup.servers.map((server) => ({ ...server, tools: ['get'] })),
    }))
    expect(lines).toEqual([expect.stringContaining('`tracker` has no such tool')])
    expect(fixes).toEqual(['Write `mcp__tracker__get` if that is meant.'])
  })

  test('in a user agent, unknown servers are reported only if they look like a typo', () => {
    const agent = (tool: string) => ({
      ...files,
      'home/.claude/agents/reader.md': `---\nname: reader\ndescription: Reads\ntools: ${tool}\n---\nRead.\n`,
    })
    expect(check(toolUnknown, agent('mcp__wiki__get')).lines).toEqual([])
    expect(check(toolUnknown, agent('mcp__traker__get')).lines).toHaveLength(1)
  })
})

describe('wildcards in lists of tools', () => {
  test.each<[string, string[]]>([
    ['tools: mcp__tracker__get_*', ['warning']],
    ['tools: mcp__*', ['warning']],
    ['tools: Read, mcp__track*', ['warning']],
    ['disallowedTools: mcp__track*', ['error']],
    ['disallowedTools: mcp__tracker__get_*', ['error']],
    ['disallowedTools: "*"', ['error']],
    ['tools: "*"', []],
    ['tools: Read, mcp__tracker__*', []],
    ['disallowedTools: mcp__*, mcp__tracker__*', []],
  ])('%s', (line, expected) => {
    expect(severities(check(wildcard, { ...files, ...agentFile('reader', line) }).lines)).toEqual(expected)
  })
})

describe('parentheses in lists of tools', () => {
  test.each<[string, string[], string?]>([
    ['tools: Read, Bash(git log *)', ['error']],
    ['tools: Agent(Plan)', ['warning']],
    ['disallowedTools: Bash(rm *), Read', ['warning'], 'disallowedTools: Bash, Read'],
    ['tools: Bash(*), Read()', []],
    ['tools: Bash, Read', []],
  ])('%s', (line, expected, repairedTo) => {
    const { lines, repaired } = check(parentheses, agentFile('reader', line))
    expect(severities(lines)).toEqual(expected)
    expect(repaired[file]?.split('\n')[3]).toBe(repairedTo)
  })
})

test.each<[string, number, string | undefined]>([
  ['allowed-tools: Read', 1, 'tools: Read'],
  ['allowedTools: [Read]', 1, 'tools: [Read]'],
  ['disallowed-tools: Bash', 1, 'disallowedTools: Bash'],
  ['disallowed_tools: Bash', 1, 'disallowedTools: Bash'],
  ['tools: Read\nallowed-tools: Bash', 1, undefined],
  ['allowed-tools: Read\nallowedTools: Bash', 2, 'tools: Read\nallowedTools: Bash'],
  ['tools: Read\ndisallowedTools: Bash', 0, undefined],
])('a key the client does not know: %j', (lines, count, repairedTo) => {
  const checked = check(agentKeyRules[0], agentFile('reader', ...lines.split('\n')))
  expect(severities(checked.lines)).toEqual(Array.from({ length: count }, () => 'error'))
  const lastLine = 3 + lines.split('\n').length
  expect(checked.repaired[file]?.split('\n').slice(3, lastLine).join('\n')).toBe(repairedTo)
})

test('an agent without `tools:` is reported as having every tool', () => {
  const agents = {
    ...agentFile('all'),
    ...agentFile('most', 'disallowedTools: Bash'),
    ...agentFile('some', 'tools: Read'),
    ...agentFile('none', 'tools:'),
    // Reported by agent-key-spelling.
    ...agentFile('odd', 'allowed-tools: Read'),
  }
  expect(check(inheritsAll, agents).lines).toEqual([
    expect.stringMatching(/^note .*all\.md:2: .* every tool, /),
    expect.stringMatching(/^note .*most\.md:2: .* every tool except those /),
  ])
})

describe('servers in mcpServers', () => {
  test.each<[string, string[], string[], string?]>([
    [
      'a plugin server by its short name',
      ['tools: Read', 'mcpServers:', '  - docs'],
      ['warning'],
      '  - plugin:library:docs',
    ],
    ['an unknown server', ['tools: Read', 'mcpServers: [wiki]'], ['warning']],
    ['full names', ['tools: Read', 'mcpServers:', '  - plugin:library:docs', '  - tracker'], []],
    ['a server defined in place', ['tools: Read', 'mcpServers:', '  - docs:', '      command: serve'], []],
  ])('%s', (_case, lines, expected, repairedTo) => {
    const checked = check(serverName, { ...files, ...agentFile('reader', ...lines) })
    expect(severities(checked.lines)).toEqual(expected)
    expect(checked.repaired[file]?.split('\n')[5]).toBe(repairedTo)
  })

  test('on a machine without Claude Code, unknown servers are not reported', () => {
    const enabled = { 'project/.claude/settings.json': { enabledPlugins: { 'shelf@market': true } } }
    const agent = agentFile('reader', 'tools: Read', 'mcpServers: [wiki, "plugin:shelf:docs", docs]')
    expect(check(serverName, { ...files, ...enabled, ...agent }).lines).toHaveLength(2)
    const { lines } = check(serverName, { ...files, ...enabled, ...agent }, (setup) => ({
      ...setup,
      isUsed: false,
    }))
    expect(lines).toEqual([expect.stringContaining('is called `plugin:library:docs`')])
  })

  test.each<[string, string[], number]>([
    ['names do not limit the agent', ['mcpServers: [tracker, docs]'], 1],
    ['a map is ignored', ['tools: Read', 'mcpServers:', '  own:', '    command: serve'], 1],
    ['a list of tools does limit it', ['tools: mcp__tracker__*', 'mcpServers: [tracker]'], 0],
    ['servers defined in place', ['mcpServers:', '  - own:', '      command: serve'], 0],
  ])('%s', (_case, lines, count) => {
    expect(check(serverReference, { ...files, ...agentFile('reader', ...lines) }).lines).toHaveLength(count)
  })
})

describe('keys that are ignored in plugin agents', () => {
  const agent = (...lines: string[]): ClaudeFiles => ({
    ...library,
    'home/market/library/agents/finder.md': ['---', 'name: finder', ...lines, '---', 'Find.', ''].join('\n'),
  })
  const hook = ['      hooks: [{ type: command, command: look, onFailure: block }]']

  test.each<[string, string[], string[]]>([
    ['servers', ['mcpServers:', '  - own:', '      command: serve'], ['warning']],
    ['hooks that can block', ['hooks:', '  PreToolUse:', '    - matcher: Bash', ...hook], ['error']],
    ['hooks that only observe', ['hooks:', '  PostToolUse:', '    - matcher: Bash', ...hook], ['warning']],
    ['a permission mode', ['permissionMode: plan'], ['warning']],
    ['keys that work', ['tools: Read', 'model: inherit'], []],
  ])('%s', (_case, lines, expected) => {
    expect(severities(check(pluginAgentRules[0], agent(...lines)).lines)).toEqual(expected)
  })

  test('a project agent can have them', () => {
    expect(
      check(pluginAgentRules[0], agentFile('reader', 'permissionMode: plan', 'mcpServers: []')).lines,
    ).toEqual([])
  })
})
