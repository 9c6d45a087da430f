import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Json } from '@contextd/shared/json/value'
import { readForeignServers, type ImportClient } from './client-formats.ts'
import { findServers, importPlaces, type FoundServers } from './import-servers.ts'

const read = (client: ImportClient, document: unknown) =>
  readForeignServers(client, document as Json, '/work').map(({ notes, ...server }) =>
    notes.length === 0 ? server : Object.assign(server, { notes }),
  )

describe('Claude Code', () => {
  it('has global and project servers, with the same variables', () => {
    const document = {
      mcpServers: { all: { type: 'http', url: 'https://a.example', headers: { A: 'Bearer ${T:-none}' } } },
      projects: {
        '/work': { mcpServers: { here: { type: 'stdio', command: 'x', args: ['${HOME}'], env: {} } } },
        '/else': { mcpServers: { there: { command: 'y' } } },
      },
    }
    expect(read('claude-code', document)).toEqual([
      { name: 'here', entry: { command: 'x', args: ['${HOME}'], env: {} } },
      { name: 'all', entry: { type: 'http', url: 'https://a.example', headers: { A: 'Bearer ${T:-none}' } } },
    ])
  })

  it('may have an OAuth client and unsupported keys', () => {
    const entry = {
      type: 'sse',
      url: 'https://a.example',
      oauth: { clientId: 'me', callbackPort: 1 },
      headersHelper: 'x',
    }
    expect(read('claude-code', { mcpServers: { a: entry } })).toEqual([
      {
        name: 'a',
        entry: { type: 'sse', url: 'https://a.example', oauth: { client_id: 'me' } },
        notes: ['headersHelper is not imported'],
      },
    ])
  })
})

describe('OpenCode', () => {
  it('has its own keys, in an older and a newer format', () => {
    const local = {
      type: 'local',
      command: ['npx', '-y', 'x'],
      environment: { TOKEN: '{env:MY_TOKEN}', SHELL_TEXT: '${HOME}' },
      enabled: false,
      timeout: 5,
    }
    const remote = {
      type: 'remote',
      url: 'https://{env:HOST}/mcp',
      headers: { A: 'Bearer {env:T}' },
      enabled: true,
    }
    const ours = [
      {
        name: 'l',
        entry: {
          command: 'npx',
          args: ['-y', 'x'],
          env: { TOKEN: '${MY_TOKEN}', SHELL_TEXT: '$${HOME}' },
          disabled: true,
        },
        notes: ['timeout is not imported'],
      },
      { name: 'r', entry: { url: 'https://${HOST}/mcp', headers: { A: 'Bearer ${T}' } } },
    ]
    expect(read('opencode', { mcp: { l: local, r: remote } })).toEqual(ours)
    const { enabled: _, ...newer } = { ...local, disabled: true }
    expect(read('opencode', { mcp: { servers: { l: newer, r: remote } } })).toEqual(ours)
    expect(read('opencode', { mcp: { servers: remote } })).toMatchObject([{ name: 'servers' }])
  })

  it('may read values from files, which is not supported', () => {
    const entry = { type: 'local', command: ['x'], environment: { A: '{file:~/.key}' } }
    expect(read('opencode', { mcp: { a: entry } })).toMatchObject([
      { problem: 'it reads a value from a file ({file:…}), which contextd does not support' },
    ])
  })
})

describe('Cursor and VS Code', () => {
  it('have their own variables', () => {
    const entry = {
      command: '${userHome}/bin/x',
      args: ['--root', '${workspaceFolder}/src', '${workspaceFolder}'],
      env: { A: '${env:A_TOKEN}', B: 7, C: null },
      cwd: '${workspaceFolder}',
    }
    const ours = {
      command: '${HOME}/bin/x',
      args: ['--root', '${CONTEXTD_PROJECT}/src', '${CONTEXTD_PROJECT}'],
      env: { A: '${A_TOKEN}', B: '7' },
    }
    expect(read('cursor', { mcpServers: { a: entry } })).toEqual([{ name: 'a', entry: ours }])
    expect(read('vscode', { servers: { a: entry } })).toEqual([{ name: 'a', entry: ours }])
    expect(read('vscode', { mcpServers: { a: entry } })).toEqual([])
  })

  it('prompt for values that become secrets', () => {
    const document = {
      inputs: [{ type: 'promptString', id: 'api key', password: true }],
      servers: {
        a: { type: 'http', url: 'https://a.example', headers: { A: 'Bearer ${input:api key}' } },
        b: { type: 'stdio', command: 'x', envFile: '.env', dev: {} },
        c: { command: 'x', args: ['${command:pick.one}'] },
      },
    }
    expect(read('vscode', document)).toEqual([
      {
        name: 'a',
        entry: { type: 'http', url: 'https://a.example', headers: { A: 'Bearer ${secret:api-key}' } },
      },
      {
        name: 'b',
        entry: { command: 'x' },
        notes: [
          'envFile is not imported: add the variables that the server needs to env',
          'dev is not imported',
        ],
      },
      expect.objectContaining({ problem: 'it uses ${command…}, which contextd does not support' }),
    ])
  })

  it('may have registered a client', () => {
    const auth = { CLIENT_ID: '${env:ID}', CLIENT_SECRET: '${env:S}', scopes: ['a', 'b'] }
    expect(read('cursor', { mcpServers: { a: { url: 'https://a.example', auth } } })).toMatchObject([
      { entry: { oauth: { client_id: '${ID}', client_secret: '${S}', scope: 'a b' } } },
    ])
  })
})

describe('the files', () => {
  let folder: string
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'import-'))))
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const find = (whose: 'user' | 'project', taken: string[] = []): FoundServers => {
    const project = join(folder, 'project')
    const places = importPlaces({ home: join(folder, 'home'), project, platform: 'linux' }, whose)
    return findServers(places, project, taken)
  }
  const servers = (...names: string[]): string =>
    JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, { command: name }])) })

  it('are those of the user or those of the project, never both', () => {
    write('home/.claude.json', servers('a'))
    write('home/.cursor/mcp.json', servers('b'))
    write('home/.config/opencode/opencode.jsonc', '{"mcp": {"c": {"command": ["c"],},}, /* x */}')
    write('home/.config/Code/User/mcp.json', '{"servers": {"d": {"command": "d"}}}')
    write('project/.mcp.json', servers('e'))
    write('project/opencode.json', '{"mcp": {"f": {"command": ["f"]}}}')
    write('project/.cursor/mcp.json', servers('g'))
    write('project/.vscode/mcp.json', '{"servers": {"h": {"command": "h"}}}')
    const named = (whose: 'user' | 'project'): string[] =>
      find(whose).servers.map(({ name, client }) => `${name} ${client}`)
    expect(named('user')).toEqual(['a claude-code', 'c opencode', 'b cursor', 'd vscode'])
    expect(named('project')).toEqual(['e claude-code', 'f opencode', 'g cursor', 'h vscode'])
  })

  it('depend on the platform', () => {
    const last = (platform: NodeJS.Platform): string | undefined =>
      importPlaces({ home: '/h', project: '/p', platform }, 'user').at(-1)?.path
    expect(last('darwin')).toBe('/h/Library/Application Support/Code/User/mcp.json')
    expect(last('win32')).toContain('Roaming')
  })

  it('that are unreadable or invalid are reported, and the others used', () => {
    write('home/.claude.json', '{"mcpServers": ')
    mkdirSync(join(folder, 'home', '.cursor', 'mcp.json'), { recursive: true })
    mkdirSync(join(folder, 'home', '.config', 'opencode'), { recursive: true })
    symlinkSync('opencode.json', join(folder, 'home', '.config', 'opencode', 'opencode.json'))
    write('home/.config/Code/User/mcp.json', '{"servers": {"d": {"command": "d"}}}')
    const found = find('user')
    expect(found.servers).toHaveLength(1)
    expect(found.unreadable.map(({ client, why }) => `${client} ${why}`)).toEqual([
      'claude-code is not JSON',
      'opencode cannot be read (ELOOP)',
      'cursor is not a regular file',
    ])
  })

  it('skipped servers are reported with the reason', () => {
    const all = {
      contextd: { command: 'x' },
      gate: { command: 'npx', args: ['-y', 'contextd@latest', 'mcp', 'serve'] },
      remote: { url: 'http://127.0.0.1:7391/mcp' },
      files: { command: 'npx', args: ['server-filesystem', '/home/me/contextd'] },
      old: { command: 'x' },
      odd: { type: 'ws', url: 'https://x.example' },
      'My Server__2.': { command: 'x' },
      '…': { command: 'x' },
      list: [],
    }
    write('home/.claude.json', JSON.stringify({ mcpServers: all }))
    write('home/.cursor/mcp.json', servers('files', 'my.own'))
    const { servers: found, left } = find('user', ['old', 'my_own'])
    expect(found.map(({ name, notes }) => [name, notes])).toEqual([
      ['files', []],
      ['My-Server_2', ['"My Server__2." is imported as My-Server_2']],
      ['-', ['"…" is imported as -']],
    ])
    expect(left.map(({ name, why }) => `${name}: ${why}`)).toEqual([
      'contextd: it is contextd itself',
      'gate: it is contextd itself',
      'remote: it is contextd itself',
      'old: a server with this name already exists',
      expect.stringMatching(/^odd: mcpServers\.odd\.type: not a valid value/),
      'list: it is not an object',
      `files: the server of claude-code in ${join(folder, 'home', '.claude.json')} comes first`,
      'my.own: a server with this name already exists',
    ])
  })
})
