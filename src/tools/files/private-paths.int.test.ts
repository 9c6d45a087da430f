import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { confinedTo } from '../../../test/sandbox/confined-to.ts'
import { aCall } from '../../../test/support/calls.ts'
import { sandboxHere } from '../../../test/support/sandbox-here.ts'
import { parseCapability } from '../../core/capability.ts'
import { groupPaths } from '../../platform/places/place-table.ts'
import { openBubblewrap } from '../../sandbox/bubblewrap.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { foldersFor } from '../shell/confinement.ts'
import { createFileTools } from './file-tools.ts'
import { privatePlaces } from './private-places.ts'

const paths = groupPaths(privatePlaces)
const ordinary = ['notes.txt', '.config/app.toml', '.local/share/app/data', 'code/a.ts']

/** A home folder with a marker in every private place, which is a file or a folder with a file in it. */
function makeHome(root: string, kind: 'file' | 'folder'): { home: string; marked: readonly string[] } {
  const home = join(root, kind)
  const marked = [...paths.map((path) => (kind === 'file' ? path : join(path, 'inside'))), ...ordinary]
  for (const path of marked) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), `marker of ${path}\n`)
  }
  return { home, marked }
}

describe.runIf(sandboxHere)('a home folder as the workspace', () => {
  let root: string
  let sandbox: Sandbox
  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-home-')))
    sandbox = await openBubblewrap({ folder: join(root, 'sandbox') })
  })
  afterAll(async () => {
    await sandbox.close()
    rmSync(root, { recursive: true })
  })

  const readByCommand = async (home: string, ...grants: string[]): Promise<string[]> => {
    const seen = foldersFor({
      grants: grants.map((text) => parseCapability(text)!),
      workspace: home,
      ownFolders: [],
      protect: [],
      home,
    })
    const command = { run: 'grep -rahs "^marker of " . | sort; exit 0', cwd: home, env: {} }
    const { stdout, exitCode } = await sandbox.run(command, confinedTo(home, seen))
    expect(exitCode).toBe(0)
    return lines(stdout.toString())
  }
  const readByTool = (home: string, marked: readonly string[], ...grants: string[]): string[] => {
    const files = createFileTools({
      hashKey: Buffer.alloc(32, 7),
      ownFolders: [],
      protect: [],
      notes: join(root, 'notes'),
      home,
    })
    const { mayRead } = files.accessFor(
      aCall({ project: home, grants: grants.map((text) => parseCapability(text)!) }),
    )
    return marked.filter((path) => mayRead(join(home, path))).sort()
  }
  const lines = (text: string): string[] =>
    text.split('\n').flatMap((line) => /^marker of (.*)$/.exec(line)?.[1] ?? [])

  test.each(['file', 'folder'] as const)(
    'shows the ordinary files and no private %s, but for the one that is granted',
    async (kind) => {
      const { home, marked } = makeHome(root, kind)
      expect(await readByCommand(home, 'fs:read:**', 'fs:write:**')).toEqual(ordinary.toSorted())
      expect(readByTool(home, marked, 'fs:read:**')).toEqual(ordinary.toSorted())

      const named = ['fs:read:**', 'fs:read:.config/git/credentials', 'fs:read:~/.bash_history/**']
      const shown = marked.filter((path) =>
        /^(?:\.config\/git\/credentials|\.bash_history)(?:\/|$)/.test(path),
      )
      expect(shown).toHaveLength(2)
      expect(await readByCommand(home, ...named)).toEqual([...ordinary, ...shown].sort())
      expect(readByTool(home, marked, ...named)).toEqual([...ordinary, ...shown].sort())
    },
  )

  test('nor what a link of such a name leads to, and the link stays guarded', async () => {
    const home = join(root, 'linked')
    mkdirSync(join(home, 'dotfiles/ssh'), { recursive: true })
    writeFileSync(join(home, 'dotfiles/ssh/id'), 'marker of a key\n')
    writeFileSync(join(home, 'dotfiles/vimrc'), 'marker of settings\n')
    symlinkSync('dotfiles/ssh', join(home, '.ssh'))
    expect(await readByCommand(home, 'fs:read:**', 'fs:write:**')).toEqual(['settings'])
    const seen = foldersFor({
      grants: [parseCapability('fs:read:**')!, parseCapability('fs:write:**')!],
      workspace: home,
      ownFolders: [],
      protect: [],
      home,
    })
    expect(seen.guarded).toContain(join(home, '.ssh'))
  })
})
