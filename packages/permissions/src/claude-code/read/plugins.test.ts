import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { makeClaudeFolders, type ClaudeFolders } from '../../../test/claude-folders.ts'

let folders: ClaudeFolders

beforeEach(() => {
  folders = makeClaudeFolders()
})
afterEach(() => folders.remove())

const known = 'home/.claude/plugins/known_marketplaces.json'
const user = 'home/.claude/settings.json'

/** A folder marketplace with plugins. */
function market(...names: string[]): Record<string, object> {
  return {
    'market/.claude-plugin/marketplace.json': {
      name: 'market',
      plugins: names.map((name) => ({ name, source: `./${name}` })),
    },
    ...Object.fromEntries(names.map((name) => [`market/${name}/.mcp.json`, { [name]: { command: name } }])),
  }
}

const directory = (): object => ({ source: { source: 'directory', path: join(folders.path, 'market') } })
const enabled = (...ids: string[]): object => ({
  enabledPlugins: Object.fromEntries(ids.map((id) => [id, true])),
})

function plugins(): string[] {
  const setup = folders.read()
  return [
    ...setup.plugins.map(({ id, name, folder }) => `${id} ${name} ${folders.short(folder)}`),
    ...setup.missingPlugins.map((name) => `${name} missing`),
  ]
}

describe('enabled plugins', () => {
  it('are read in place from a folder marketplace', () => {
    folders.write({ ...market('a', 'b'), [known]: { market: directory() }, [user]: enabled('a@market') })
    expect(plugins()).toEqual(['a@market a market/a'])
    expect(folders.read().plugins[0]).toMatchObject({ file: join(folders.path, user), line: 3, column: 5 })
    expect(folders.read().servers).toMatchObject([{ fullName: 'plugin:a:a', owner: 'a' }])
  })

  it('are read from their copy for other marketplaces', () => {
    folders.write({
      [known]: { far: { source: { source: 'github', repo: 'x/y' }, installLocation: '$HOME/far' } },
      'home/.claude/plugins/installed_plugins.json': {
        version: 2,
        plugins: {
          'a@far': [
            { scope: 'project', projectPath: '/elsewhere', installPath: '$HOME/copies/wrong' },
            { scope: 'user', installPath: '$HOME/copies/a' },
          ],
          'b@far': [{ scope: 'project', projectPath: '/elsewhere', installPath: '$HOME/copies/a' }],
        },
      },
      'home/copies/a/.claude-plugin/plugin.json': { name: 'other' },
      [user]: enabled('a@far', 'b@far', 'c@far'),
    })
    expect(plugins()).toEqual(['a@far other home/copies/a', 'b missing', 'c missing'])
  })

  it.each([
    ['is unknown', {}, false, ['a missing']],
    ['the user names', { [user]: 'names' }, false, ['a@market a market/a']],
    ['a trusted project names', { 'project/.claude/settings.json': 'names' }, true, ['a@market a market/a']],
    ['an untrusted project names', { 'project/.claude/settings.json': 'names' }, false, ['a missing']],
  ])('of a marketplace that %s', (_what, naming, isTrusted, expected) => {
    const names = { ...enabled('a@market'), extraKnownMarketplaces: { market: directory() } }
    folders.write({ ...market('a'), [user]: enabled('a@market') })
    for (const file of Object.keys(naming)) folders.write({ [file]: names })
    if (isTrusted) folders.trust()
    expect(plugins()).toEqual(expected)
  })

  it.each([
    [{ user: true }, true],
    [{ user: true, project: false }, false],
    [{ user: false, project: true }, true],
    [{ project: true, local: false }, false],
    [{ local: false, managed: true }, true],
  ])('are decided by the strongest level that names them: %j', (decisions, isOn) => {
    const files: Readonly<Record<string, string>> = {
      user,
      project: 'project/.claude/settings.json',
      local: 'project/.claude/settings.local.json',
      managed: 'managed/managed-settings.json',
    }
    folders.write({ ...market('a'), [known]: { market: directory() } })
    for (const [level, value] of Object.entries(decisions))
      folders.write({ [files[level] ?? '']: { enabledPlugins: { 'a@market': value } } })
    expect(plugins()).toHaveLength(isOn ? 1 : 0)
  })

  it('are the only reason to read a marketplace', () => {
    folders.write({ [known]: { market: directory() }, 'market/.claude-plugin/marketplace.json': 'broken' })
    expect(folders.read().problems).toEqual([])
    folders.write({ [user]: enabled('a@market') })
    expect(folders.read().problems).toMatchObject([{ kind: 'malformed' }])
    expect(plugins()).toEqual(['a missing'])
  })

  it('keep their full name without a marketplace', () => {
    folders.write({ [user]: enabled('docs') })
    expect(plugins()).toEqual(['docs missing'])
  })

  it('may be enabled by an added folder, unless a stronger level disables them', () => {
    const added = [join(folders.path, 'extra')]
    folders.write({
      ...market('a'),
      [known]: { market: directory() },
      'extra/.claude/settings.json': enabled('a@market'),
    })
    const names = (): string[] => folders.read({ addedFolders: added }).plugins.map(({ name }) => name)
    expect(names()).toEqual(['a'])
    expect(folders.read().plugins).toEqual([])
    folders.write({ [user]: { enabledPlugins: { 'a@market': false } } })
    expect(names()).toEqual([])
  })

  it('are overridden by a plugin from the start flag', () => {
    folders.write({
      ...market('a'),
      [known]: { market: directory() },
      [user]: enabled('a@market'),
      'own/.claude-plugin/plugin.json': { name: 'a' },
    })
    const { plugins } = folders.read({ pluginFolders: [join(folders.path, 'own')] })
    expect(plugins).toMatchObject([{ id: 'a@inline', folder: join(folders.path, 'own') }])
  })
})

describe('a plugin provides', () => {
  const manifest = 'own/.claude-plugin/plugin.json'
  const read = () => folders.read({ pluginFolders: [join(folders.path, 'own')] })
  const hook = { type: 'command', command: 'true' }

  it.each([
    ['a file with a wrapper', { 'own/.mcp.json': { mcpServers: { s: { command: 'a' } } } }, ['a']],
    ['a file without one', { 'own/.mcp.json': { s: { command: 'a' } } }, ['a']],
    ['the manifest', { [manifest]: { name: 'own', mcpServers: { s: { command: 'b' } } } }, ['b']],
    [
      'the manifest, which overrides the file',
      {
        'own/.mcp.json': { s: { command: 'a' } },
        [manifest]: { name: 'own', mcpServers: { s: { command: 'b' } } },
      },
      ['b'],
    ],
    [
      'files named in the manifest',
      {
        [manifest]: { name: 'own', mcpServers: ['./x.json', { t: { command: 'b' } }, './../out.json'] },
        'own/x.json': { mcpServers: { s: { command: 'a' } } },
        'out.json': { u: { command: 'c' } },
      },
      ['a', 'b'],
    ],
    ['a broken file', { 'own/.mcp.json': '{' }, []],
  ])('servers of %s', (_what, files, commands) => {
    folders.write({ [manifest]: { name: 'own' }, ...files })
    expect(read().servers.map(({ definition }) => definition.command)).toEqual(commands)
  })

  it('agents of its folder, with subfolders in their names', () => {
    folders.write({
      [manifest]: { name: 'own' },
      'own/agents/a.md': 'x',
      'own/agents/sub/b.md': '---\nname: c\n---\n',
    })
    expect(read().agents.map(({ name }) => name)).toEqual(['own:a', 'own:sub:c'])
  })

  it('agents named in the manifest instead', () => {
    folders.write({
      [manifest]: { name: 'own', agents: ['./more/x.md', './../y.md'] },
      'own/more/x.md': '',
      'own/agents/a.md': '',
    })
    expect(read().agents.map(({ name }) => name)).toEqual(['own:x'])
  })

  it('nothing if the client rejects its manifest', () => {
    const files = { 'own/agents/a.md': '', 'own/.mcp.json': { s: { command: 'a' } } }
    folders.write({ ...files, [manifest]: { name: 'own', agents: './agents' } })
    expect(read()).toMatchObject({ plugins: [], servers: [], agents: [] })
    expect(read().problems).toMatchObject([{ kind: 'wrong-shape', line: 3 }])
    folders.write({ ...files, [manifest]: { name: 'own' } })
    expect(read().plugins).toHaveLength(1)
  })

  it('hooks of its file and of the manifest', () => {
    folders.write({
      'own/hooks/hooks.json': { hooks: { Stop: [{ hooks: [hook] }] } },
      [manifest]: { name: 'own', hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] } },
    })
    expect(read().hooks).toMatchObject([
      { event: 'Stop', source: 'plugin', owner: 'own', path: ['hooks', 'Stop', 0, 'hooks', 0] },
      { event: 'PreToolUse', matcher: 'Bash', file: join(folders.path, manifest) },
    ])
  })

  it('no hooks if the file lacks the wrapper, or the manifest has one', () => {
    folders.write({
      'own/hooks/hooks.json': { Stop: [{ hooks: [hook] }] },
      [manifest]: { name: 'own', hooks: { hooks: { PreToolUse: [{ hooks: [hook] }] } } },
    })
    expect(read()).toMatchObject({ hooks: [], plugins: [{ name: 'own' }] })
  })

  it.each([
    ['a broken manifest', { [manifest]: '{ // x\n}' }, 'comments'],
    [
      'a guard that cannot be loaded',
      { [manifest]: { name: 'own', hooks: { PreToolUse: [{ hooks: [{ type: 'command' }] }] } } },
      'wrong-shape',
    ],
  ])('nothing with %s', (_what, files, kind) => {
    folders.write({ 'own/.mcp.json': { s: { command: 'a' } }, ...files })
    expect(read()).toMatchObject({ plugins: [], servers: [], hooks: [], problems: [{ kind }] })
  })

  it.each([
    [
      { 'own/settings.json': { agent: 'lead' }, [manifest]: { name: 'own', settings: { agent: 'b' } } },
      'lead',
    ],
    [{ [manifest]: { name: 'own', settings: { agent: 'b' } } }, 'b'],
    [{ 'own/settings.json': '[]', [manifest]: { name: 'own' } }, undefined],
  ])('settings of its file, otherwise of the manifest', (files, agent) => {
    folders.write(files)
    expect(read().plugins[0]?.settings?.agent).toBe(agent)
  })

  it('its folder name without a manifest', () => {
    folders.write({ 'own/.mcp.json': { s: { command: 'a' } } })
    expect(read().servers).toMatchObject([{ prefix: 'mcp__plugin_own_s' }])
  })

  it('nothing if its folder is missing', () => {
    expect(read()).toMatchObject({ plugins: [], problems: [] })
  })
})
