import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { parseCapability, type Capability } from '../../core/capability.ts'
import { foldersFor } from './confinement.ts'

interface Seen {
  readonly folders: readonly string[]
  readonly hidden: readonly string[]
  readonly guarded: readonly string[]
}

/** A workspace with some folders; what is seen is told from there. */
function setUp() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-confine-')))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const workspace = join(root, 'workspace')
  for (const folder of [
    'src/deep',
    'docs',
    'secrets/public',
    'dist',
    '.state',
    '../beside',
    '../home/notes',
  ]) {
    mkdirSync(join(workspace, folder), { recursive: true })
  }
  writeFileSync(join(workspace, 'package.json'), '{}')
  const seen = (grants: readonly (string | Capability)[], protect: string[] = []): Seen => {
    const { folders, hidden, guarded } = foldersFor({
      grants: grants.map((grant) => (typeof grant === 'string' ? parseCapability(grant)! : grant)),
      workspace,
      // The last lies in the first, as the sockets do where there is no XDG_RUNTIME_DIR.
      ownFolders: [join(workspace, '.state'), join(root, 'elsewhere'), join(workspace, '.state/run')],
      protect,
      home: join(root, 'home'),
    })
    const shown = (path: string): string => relative(workspace, path) || '.'
    return {
      folders: folders.map(({ path, access }) => `${access} ${shown(path)}`),
      hidden: hidden.map(shown),
      guarded: guarded.map(shown),
    }
  }
  return { root, workspace, seen }
}

test('nothing granted, nothing seen', () => {
  expect(setUp().seen([])).toEqual({ folders: [], hidden: [], guarded: [] })
})

test('the usual grants: the workspace, with its guarded paths, without what is ours', () => {
  const { folders, hidden, guarded } = setUp().seen(['fs:read:**', 'fs:write:**', 'shell:exec'])
  expect(folders).toEqual(['write .'])
  expect(hidden).toEqual(['.state'])
  expect(guarded).toEqual(expect.arrayContaining(['.mcp.json', '.claude', '.bashrc']))
})

test.each<[string, string[], string[]]>([
  ['read only', ['fs:read:**'], ['read .']],
  ['a folder to write in', ['fs:read:**', 'fs:write:dist/**'], ['read .', 'write dist']],
  ['only a folder', ['fs:read:src/**'], ['read src']],
  [
    'a folder by its name, and a file',
    ['fs:read:src', 'fs:read:package.json'],
    ['read src', 'read package.json'],
  ],
  ['a part that another one holds', ['fs:read:**', 'fs:read:src/**', 'fs:write:**'], ['write .']],
  ['writing more than reading', ['fs:read:src/**', 'fs:write:**'], ['write src']],
  ['writing without reading', ['fs:write:**'], []],
  ['a pattern that is no folder', ['fs:read:*.ts', 'fs:read:src/*', 'fs:read:**/deep/**'], []],
  ['a folder beside', ['fs:read:../beside/**'], ['read ../beside']],
  ['a folder at home', ['fs:read:~/notes/**'], ['read ../home/notes']],
  ['what is not there', ['fs:read:missing/**'], []],
  ['no scope: for commands the workspace', ['fs:read', 'fs:write'], ['write .']],
  ['folders of the system', ['fs:read:/**', 'fs:read:/etc/**', 'fs:read:/proc/self/**', 'fs:read:/'], []],
])('%s', (_, grants, folders) => expect(setUp().seen(grants).folders).toEqual(folders))

test('a link in place of a granted folder gives nothing', () => {
  const { root, workspace, seen } = setUp()
  symlinkSync(root, join(workspace, 'linked'))
  expect(seen(['fs:read:linked/**', 'fs:write:linked/**']).folders).toEqual([])
})

test("contextd's own folders are not given, even by name", () => {
  expect(setUp().seen(['fs:read:.state/**', 'fs:write:.state/**']).folders).toEqual([])
})

test('exceptions to reading are hidden, exceptions to writing guarded', () => {
  const { folders, hidden, guarded } = setUp().seen([
    { kind: 'fs:read', scope: '**', except: ['secrets/**', 'package.json', 'docs/*', '../beside/**'] },
    { kind: 'fs:write', scope: '**', except: ['dist', 'secrets/public'] },
  ])
  expect(folders).toEqual(['write .'])
  expect(hidden.toSorted()).toEqual(['.state', 'docs', 'package.json', 'secrets'])
  expect(guarded).toContain('dist')
  expect(guarded).not.toContain('secrets/public')
})

test('an exception that takes all away leaves nothing', () => {
  const { seen } = setUp()
  expect(seen([{ kind: 'fs:read', scope: 'src/**', except: ['src'] }]).folders).toEqual([])
  expect(seen([{ kind: 'fs:read', scope: '**', except: ['**'] }]).folders).toEqual([])
  expect(seen(['fs:read:**', { kind: 'fs:write', scope: '**', except: ['**'] }]).folders).toEqual(['read .'])
})

test.each(['**/*.env', 'src/*.pem', '*/../..', 'secrets/{a,b}', '[ab]'])(
  'an exception that no folder stands for refuses the command, and is named: %s',
  (except) => {
    const { seen } = setUp()
    expect(() => seen([{ kind: 'fs:read', scope: '**', except: [except] }])).toThrow(
      expect.objectContaining({ code: 'SANDBOX_UNAVAILABLE', message: expect.stringContaining(except) }),
    )
  },
)

test('unless it is about something else', () => {
  const { seen } = setUp()
  expect(seen([{ kind: 'fs:read', scope: 'src/**', except: ['docs/*.md', '/srv/*.key'] }]).folders).toEqual([
    'read src',
  ])
})

test('what is guarded can be granted by name, and protected by the configuration', () => {
  const { seen } = setUp()
  const { guarded } = seen(['fs:read:**', 'fs:write:**', 'fs:write:.claude/**'], ['dist'])
  expect(guarded).not.toContain('.claude')
  expect(guarded).toContain('dist')
  expect(seen(['fs:read:**', 'fs:write:**'], ['.']).folders).toEqual(['read .'])
})

test.each(['/', '/usr', '/etc', '/home', '/tmp', '/proc/1', '/var'])('%s is no workspace', (workspace) => {
  const grants = [parseCapability('fs:read:**')!]
  expect(() => foldersFor({ grants, workspace, ownFolders: [], protect: [] })).toThrow(
    expect.objectContaining({ code: 'SANDBOX_UNAVAILABLE' }),
  )
})
