import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { openStore, type Store } from './storage/store.ts'
import { createTrust, type Trust } from './trust.ts'

let folder: string
let project: string
let store: Store
let trust: Trust
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-trust-')))
  project = join(folder, 'project')
  mkdirSync(project)
  store = openStore(join(folder, 'contextd.db'))
  trust = createTrust(store, 'local', () => 1000)
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

function write(name: string, text: string, base = project): Buffer {
  const path = join(base, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return Buffer.from(text)
}
const states = (): Record<string, string> =>
  Object.fromEntries(trust.projectFiles(project).map((file) => [file.name, file.state]))

describe('trust', () => {
  it('covers exactly the trusted bytes at their path', () => {
    const bytes = write('.contextd/rules.json', '{}')
    const path = join(project, '.contextd/rules.json')
    expect(trust.isTrusted(path, bytes)).toBe(false)
    trust.trust(path, bytes)
    expect(trust.isTrusted(path, bytes)).toBe(true)
    expect(trust.isTrusted(path, Buffer.from('{ }'))).toBe(false)
    expect(trust.isTrusted(join(project, '.contextd/config.toml'), bytes)).toBe(false)
    expect(trust.isTrusted(join(folder, 'nowhere', '.contextd/rules.json'), bytes)).toBe(false)
  })

  it('must be renewed after a change', () => {
    const path = join(project, '.mcp.json')
    const first = write('.mcp.json', '1')
    trust.trust(path, first)
    const second = write('.mcp.json', '2')
    expect(states()).toEqual({ '.mcp.json': 'changed' })
    trust.trust(path, second)
    expect(trust.isTrusted(path, second)).toBe(true)
    expect(trust.isTrusted(path, first)).toBe(false)
    expect(trust.list()).toEqual([
      { path, sha256: 'd4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35', trustedAt: 1000 },
    ])
  })

  it('applies to a project reached through a link', () => {
    const bytes = write('.contextd/rules.json', '{}')
    symlinkSync(project, join(folder, 'link'))
    trust.trust(join(folder, 'link', '.contextd/rules.json'), bytes)
    expect(trust.isTrusted(join(project, '.contextd/rules.json'), bytes)).toBe(true)
    expect(states()).toEqual({ '.contextd/rules.json': 'trusted' })
  })

  it('does not extend to another project that links to the trusted file or folder', () => {
    const bytes = write('.contextd/rules.json', '{}')
    trust.trust(join(project, '.contextd/rules.json'), bytes)
    const other = join(folder, 'other')
    mkdirSync(other)
    symlinkSync(join(project, '.contextd'), join(other, '.contextd'))
    expect(trust.isTrusted(join(other, '.contextd/rules.json'), bytes)).toBe(false)
    trust.trust(join(other, '.contextd/rules.json'), bytes)
    expect(trust.isTrusted(join(other, '.contextd/rules.json'), bytes)).toBe(true)
  })

  it('belongs to one tenant', () => {
    const bytes = write('.mcp.json', '{}')
    trust.trust(join(project, '.mcp.json'), bytes)
    const other = createTrust(store, 'team', () => 0)
    expect(other.isTrusted(join(project, '.mcp.json'), bytes)).toBe(false)
    expect(other.list()).toEqual([])
  })

  it('is removed only for a deleted file', () => {
    const bytes = write('.mcp.json', '{}')
    for (const name of ['.mcp.json', '.contextd/rules.json'])
      trust.trust(join(project, name), write(name, '{}'))
    rmSync(join(project, '.mcp.json'))
    trust.forget(join(project, '.mcp.json'))
    expect(trust.isTrusted(join(project, '.mcp.json'), bytes)).toBe(false)
    expect(trust.list().map(({ path }) => path)).toEqual([join(project, '.contextd/rules.json')])
  })

  it('survives the process', () => {
    const bytes = write('.mcp.json', '{}')
    trust.trust(join(project, '.mcp.json'), bytes)
    store.close()
    store = openStore(join(folder, 'contextd.db'))
    expect(createTrust(store, 'local', () => 0).isTrusted(join(project, '.mcp.json'), bytes)).toBe(true)
  })
})

describe('projectFiles', () => {
  it('finds exactly the files that contextd reads from a project', () => {
    expect(trust.projectFiles(project)).toEqual([])
    for (const name of [
      '.contextd/config.toml',
      '.contextd/rules.json',
      '.contextd/servers.json',
      '.contextd/tools/b/TOOL.md',
      '.contextd/tools/b/lib/run.js',
      '.contextd/tools/a.js',
      '.contextd/notes.txt',
      '.mcp.json',
      '.mcp-gateway-rules.json',
      '.gitleaks.toml',
      'package.json',
    ]) {
      write(name, name)
    }
    expect(Object.keys(states())).toEqual([
      '.contextd/config.toml',
      '.contextd/rules.json',
      '.contextd/servers.json',
      '.contextd/tools/a.js',
      '.contextd/tools/b/TOOL.md',
      '.contextd/tools/b/lib/run.js',
      '.mcp.json',
      '.mcp-gateway-rules.json',
      '.gitleaks.toml',
    ])
    expect(new Set(Object.values(states()))).toEqual(new Set(['new']))
    for (const file of trust.projectFiles(project)) {
      expect(file.meaning).not.toBe('')
      expect(file.state === 'new' && String(file.bytes)).toBe(file.name)
    }
  })

  it('lists unreadable files, and does not follow linked folders', () => {
    symlinkSync('/dev/zero', join(project, '.mcp.json'))
    write('.contextd/tools/a.js', '')
    symlinkSync(project, join(project, '.contextd/tools/loop'))
    expect(states()).toEqual({
      '.contextd/tools/a.js': 'new',
      '.contextd/tools/loop': 'unreadable',
      '.mcp.json': 'unreadable',
    })
  })

  it('does not list more tool files than a user could review', () => {
    for (let index = 0; index < 500; index++) write(`.contextd/tools/${index}.js`, '')
    expect(Object.keys(states())).toHaveLength(500)
    write('.contextd/tools/one-more.js', '')
    expect(states()).toEqual({ '.contextd/tools': 'unreadable' })
  })
})
