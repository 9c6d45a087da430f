import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { makeClaudeFolders, type ClaudeFolders } from '../../../test/claude-folders.ts'

let folders: ClaudeFolders

beforeEach(() => {
  folders = makeClaudeFolders()
})
afterEach(() => folders.remove())

const run = (command: string, more: object = {}): object => ({ command, ...more })
const servers = (all: Readonly<Record<string, unknown>>): object => ({ mcpServers: all })
const agent = (name: string, more: string): string => `---\nname: ${name}\ndescription: d\n${more}\n---\n`

function listed(options?: Parameters<ClaudeFolders['read']>[0]): string[] {
  return folders
    .read(options)
    .servers.map(
      ({ source, fullName, prefix, off }) =>
        `${source} ${fullName} ${prefix}${off === undefined ? '' : ` (${off})`}`,
    )
    .map((line) => line.replaceAll(`${folders.path}/`, ''))
}

describe('servers', () => {
  it('come from all sources, with their names and positions', () => {
    folders.write({
      'managed/managed-settings.json': {
        managedMcpServers: { org: { type: 'http', url: 'https://x.example' } },
      },
      'home/.claude.json': {
        mcpServers: { mine: run('a') },
        projects: {
          [folders.places.project]: { hasTrustDialogAccepted: true, mcpServers: { near: run('b') } },
        },
      },
      'project/.mcp.json': servers({ 'my.srv': run('c') }),
      'project/.claude/agents/a.md': agent('scan', 'mcpServers:\n  - my.srv\n  - inl:\n      command: d'),
    })
    expect(listed()).toEqual([
      'managed org mcp__org',
      'local near mcp__near',
      'project my.srv mcp__my_srv',
      'user mine mcp__mine',
      'agent inl mcp__inl',
    ])
    const found = folders.read().servers
    expect(found.at(-1)).toMatchObject({ owner: 'scan', line: 6, column: 5, definition: { command: 'd' } })
    expect(found[2]).toMatchObject({ file: join(folders.places.project, '.mcp.json'), line: 3, column: 5 })
  })

  it('of the same name: local before project before user, near before far', () => {
    folders.write({
      '.mcp.json': servers({ far: run('x'), ctx: run('y') }),
      'project/.mcp.json': servers({ ctx: run('z') }),
    })
    folders.write({
      'home/.claude.json': {
        mcpServers: { ctx: run('u') },
        projects: { [folders.places.project]: { mcpServers: { ctx: run('l') } } },
      },
    })
    const by = (file: string): string => `another server with this name takes precedence (${file})`
    expect(listed()).toEqual([
      'local ctx mcp__ctx',
      `project ctx mcp__ctx (${by('home/.claude.json')})`,
      'project far mcp__far',
      `project ctx mcp__ctx (${by('home/.claude.json')})`,
      `user ctx mcp__ctx (${by('home/.claude.json')})`,
    ])
  })

  it('of .mcp.json that are rejected do not shadow others, disabled ones do', () => {
    folders.write({
      'project/.mcp.json': servers({ 'a.b': run('a'), c: run('c') }),
      'project/.claude/settings.json': { disabledMcpjsonServers: ['a_b'] },
      'home/.claude.json': {
        mcpServers: { 'a.b': run('u'), c: run('u') },
        projects: { [folders.places.project]: { disabledMcpServers: ['c'] } },
      },
    })
    expect(listed()).toEqual([
      'project a.b mcp__a_b (disabledMcpjsonServers names it)',
      'project c mcp__c (it is disabled for this project)',
      'user a.b mcp__a_b',
      'user c mcp__c (another server with this name takes precedence (project/.mcp.json))',
    ])
  })

  it('except managed ones are off if there is a managed-mcp.json, even a broken one', () => {
    folders.write({
      'project/.mcp.json': servers({ a: run('a') }),
      'managed/managed-mcp.json': servers({ org: run('o') }),
    })
    const off = 'project a mcp__a (managed-mcp.json excludes other servers)'
    expect(listed()).toEqual(['managed org mcp__org', off])
    folders.write({ 'managed/managed-mcp.json': 'broken' })
    expect(listed()).toEqual([off])
  })

  it('are subject to the lists of the settings', () => {
    folders.write({
      'project/.mcp.json': servers({ a: run('a'), b: run('b') }),
      'home/.claude/settings.json': { deniedMcpServers: [{ serverName: 'a' }] },
    })
    expect(listed()).toEqual(['project a mcp__a (deniedMcpServers names it)', 'project b mcp__b'])
  })

  it('of project agents need trust, and are shadowed by those of the session', () => {
    const inline = 'mcpServers:\n  - own:\n      command: d\n  - a:\n      command: e'
    folders.write({
      'project/.claude/agents/p.md': agent('p', inline),
      'home/.claude/agents/u.md': agent('u', inline),
      'project/.mcp.json': servers({ a: run('a') }),
    })
    const shadow = '(another server with this name takes precedence (project/.mcp.json))'
    expect(listed()).toEqual([
      'project a mcp__a',
      'agent own mcp__own (the folder of the agent is not trusted)',
      'agent a mcp__a (the folder of the agent is not trusted)',
      'agent own mcp__own',
      `agent a mcp__a ${shadow}`,
    ])
    folders.trust()
    expect(listed()).toContain('agent own mcp__own')
    expect(listed().filter((line) => line.includes('trusted'))).toEqual([])
  })

  it.each([
    ['no command', {}, 'it has no command'],
    ['a string', 'npx', 'its definition is not an object'],
    ['a command that is no text', { command: 5 }, 'it has no command'],
    ['args of another kind', { command: 'a', args: 'b' }, 'args must be a list of strings'],
    ['an address without a type', { url: 'https://x.example' }, 'it has a url but no type ("http" or "sse")'],
    ['an unknown type', { type: 'pigeon' }, 'its type is unknown'],
    ['a type without an address', { type: 'sse' }, 'it has no url'],
  ])('with %s are skipped without affecting others', (_what, definition, off) => {
    folders.write({ 'project/.mcp.json': servers({ bad: definition, good: run('a') }) })
    expect(listed()).toEqual([`project bad mcp__bad (${off})`, 'project good mcp__good'])
    expect(folders.read().problems).toMatchObject([{ kind: 'wrong-shape', line: 3 }])
  })

  it.each([
    ['a comment', '{ // x\n}', 'comments'],
    ['no JSON', '{', 'malformed'],
    ['a list of servers', '{"mcpServers": []}', 'wrong-shape'],
    ['no wrapper', '{"ctx": {"command": "a"}}', undefined],
    ['reserved names', '{"mcpServers": {"ide": {"command": "a"}}}', 'wrong-shape'],
  ])('in a file with %s do not run', (_what, text, kind) => {
    folders.write({ 'project/.mcp.json': text })
    const { servers, problems } = folders.read()
    expect(servers.filter(({ off }) => off === undefined)).toEqual([])
    expect(problems.map((problem) => problem.kind)).toEqual(kind === undefined ? [] : [kind])
  })
})

describe('servers of plugins', () => {
  const plugin = (name: string, definitions: Readonly<Record<string, unknown>>): Record<string, object> => ({
    [`plugins/${name}/.claude-plugin/plugin.json`]: { name },
    [`plugins/${name}/.mcp.json`]: servers(definitions),
  })
  const read = (...names: string[]): string[] =>
    listed({ pluginFolders: names.map((name) => join(folders.path, 'plugins', name)) })

  it('have the plugin name in theirs', () => {
    folders.write(plugin('p.u', { 'c t': run('a') }))
    expect(read('p.u')).toEqual(['plugin plugin:p.u:c t mcp__plugin_p_u_c_t'])
  })

  it('are dropped if they duplicate another', () => {
    const command = (root: string): object => run('node', { args: [`${root}/s.js`] })
    folders.write({
      ...plugin('one', { ctx: command('${CLAUDE_PLUGIN_ROOT}'), twin: run('t', { env: { A: '1' } }) }),
      ...plugin('two', { twin: run('t', { env: { A: '1' } }), other: run('t', { env: { A: '2' } }) }),
      'project/.mcp.json': servers({ ctx: command(join(folders.path, 'plugins/one')) }),
    })
    expect(read('one', 'two')).toEqual([
      'project ctx mcp__ctx',
      'plugin plugin:one:ctx mcp__plugin_one_ctx (it is a duplicate of ctx)',
      'plugin plugin:one:twin mcp__plugin_one_twin',
      'plugin plugin:two:twin mcp__plugin_two_twin (it is a duplicate of plugin:one:twin)',
      'plugin plugin:two:other mcp__plugin_two_other',
    ])
  })
})
