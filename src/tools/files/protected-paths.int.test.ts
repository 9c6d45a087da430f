import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { confinedTo } from '../../../test/sandbox/confined-to.ts'
import { sandboxHere } from '../../../test/support/sandbox-here.ts'
import { parseCapability } from '../../core/capability.ts'
import { groupPaths } from '../../platform/places/place-table.ts'
import { protectedPlaces } from '../../platform/places/protected-places.ts'
import { openBubblewrap } from '../../sandbox/bubblewrap.ts'
import type { Ended, Sandbox } from '../../sandbox/sandbox.ts'
import { foldersFor } from '../shell/confinement.ts'
import { protectedPaths } from './protected-paths.ts'

const ordinary = ['src/a.ts', '.config/app.toml', '.gitignore']

describe.runIf(sandboxHere)('commands', () => {
  let root: string
  let sandbox: Sandbox
  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-guarded-')))
    sandbox = await openBubblewrap({ folder: join(root, 'sandbox') })
  })
  afterAll(async () => {
    await sandbox.close()
    rmSync(root, { recursive: true })
  })

  const run = (workspace: string, home: string, command: string, ...grants: string[]): Promise<Ended> => {
    const seen = foldersFor({
      grants: ['fs:read:**', 'fs:write:**', ...grants].map((text) => parseCapability(text)!),
      workspace,
      ownFolders: [],
      protect: [],
      home,
    })
    return sandbox.run({ run: command, cwd: workspace, env: {} }, confinedTo(workspace, seen))
  }

  /** Every path as a file. Repositories are guarded by what git would do with them, which is tested on its own. */
  function fill(folder: string, paths: readonly string[]): string[] {
    const files = paths.filter((path) => path !== '.git').concat(ordinary)
    for (const path of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), 'original\n')
    }
    return files
  }
  const overwrite = 'while read -r path; do echo evil > "$path"; done < paths.txt 2>/dev/null; true'
  const changed = (folder: string, paths: readonly string[]): string[] =>
    paths.filter((path) => readFileSync(join(folder, path), 'utf8') !== 'original\n').sort()

  test.each([
    ['in a project', 'project', 'elsewhere', protectedPaths],
    [
      'in the home folder, also those that mean something there alone',
      'home',
      'home',
      groupPaths(protectedPlaces),
    ],
  ])('change no protected file %s, and the others next to them', async (_, workspace, home, paths) => {
    const folder = join(root, workspace)
    const files = fill(folder, paths)
    writeFileSync(join(folder, 'paths.txt'), files.map((path) => `${path}\n`).join(''))
    expect((await run(folder, join(root, home), overwrite)).exitCode).toBe(0)
    // What is private too is not even seen at home, and so is not changed either.
    expect(changed(folder, files)).toEqual(ordinary.toSorted())
  })

  test('find one that they make moved aside, and may make what a grant names', async () => {
    const folder = join(root, 'fresh')
    mkdirSync(folder)
    const make =
      'mkdir -p .config/git && echo x > .config/git/config; echo x > .bash_aliases; echo x > .envrc; sleep 0.2'
    const { movedAside } = await run(folder, join(root, 'elsewhere'), make, 'fs:write:.envrc')
    expect(movedAside.map(({ path }) => path).sort()).toEqual([
      join(folder, '.bash_aliases'),
      join(folder, '.config/git'),
    ])
    expect(readFileSync(join(folder, '.envrc'), 'utf8')).toBe('x\n')
  })
})
