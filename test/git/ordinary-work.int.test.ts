/** What agents and users do with git all day, with the guard in place. */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import type { Capability } from '../../src/core/capability.ts'
import { openBubblewrap } from '../../src/sandbox/bubblewrap.ts'
import type { Ended, Sandbox } from '../../src/sandbox/sandbox.ts'
import { guardRepositories } from '../../src/tools/repositories/guarded-sandbox.ts'
import { createRepositoryGuard } from '../../src/tools/repositories/repository-guard.ts'
import { foldersFor } from '../../src/tools/shell/confinement.ts'
import { confinedTo } from '../sandbox/confined-to.ts'
import { tempFolder } from '../sandbox/scratch.ts'
import { sandboxHere } from '../support/sandbox-here.ts'
import { until } from '@contextd/shared/testing/until'
import { layouts, runGit, type Scene } from './layouts.ts'

const hasGit = spawnSync('git', ['--version']).status === 0
const identity = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((who) => [
    [`GIT_${who}_NAME`, 'Agent'],
    [`GIT_${who}_EMAIL`, 'agent@example.com'],
  ]),
)

describe.runIf(sandboxHere && hasGit)('ordinary work with git', () => {
  const scratch = tempFolder()
  let bare: Sandbox
  let scene: Scene
  let count = 0

  beforeAll(async () => {
    bare = await openBubblewrap({ folder: join(scratch.path, 'state') })
  })
  afterAll(async () => {
    await bare.close()
    scratch.remove()
  })
  beforeEach(() => {
    const folder = join(scratch.path, `scene-${count++}`)
    scene = { folder, home: join(folder, 'home'), workspace: join(folder, 'work') }
    mkdirSync(scene.home, { recursive: true })
  })

  function run(command: string, ...more: Capability[]): Promise<Ended> {
    const { workspace, home } = scene
    const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
    const sandbox = guardRepositories(
      bare,
      createRepositoryGuard({ env, home, journal: join(scratch.path, 'journal') }),
      { onMoved: () => {}, onLeft: () => {} },
    )
    const grants: Capability[] = [
      { kind: 'fs:read', scope: '**' },
      { kind: 'fs:write', scope: '**' },
      ...more,
    ]
    const seen = foldersFor({ grants, workspace, ownFolders: [], protect: [], home })
    return sandbox.run(
      { run: `set -e; ${command}`, cwd: workspace, env: identity },
      confinedTo(workspace, seen),
    )
  }

  test('commands commit, check out, stash, merge, rebase and add work trees', async () => {
    layouts[0]!.make(scene)
    const { exitCode, stderr, movedAside } = await run(`
      echo x >> a.txt; git stash -q; git stash pop -q
      git checkout -q -b feature; git commit -q -am change
      git checkout -q main; echo y > c.txt; git add c.txt; git commit -q -m other
      git merge -q feature -m merge; git checkout -q -b more; git rebase -q feature; git checkout -q main
      git worktree add -q tree feature; (cd tree && echo z > z && git add z && git commit -q -m z)
      git worktree remove tree; git tag one; git gc -q; git status`)
    expect([exitCode, stderr.toString(), movedAside]).toEqual([0, '', []])
    // What one command added, another one removes.
    const added = await run('git worktree add -q tree feature')
    const removed = await run('git worktree remove tree')
    expect([added.exitCode, removed.stderr.toString(), removed.exitCode]).toEqual([0, '', 0])
    expect(existsSync(join(scene.workspace, 'tree'))).toBe(false)
  })

  test('commands make, use and remove repositories', async () => {
    layouts[0]!.make(scene)
    const made = await run(`
      git init -q fixtures/one; cd fixtures/one; git config user.name Agent; echo x > x; git add x
      git commit -q -m x; git clone -q --bare . ../remote.git; git remote add origin ../remote.git; git fetch -q
      git push -q origin HEAD:refs/heads/main; git branch -q --track other origin/main; git checkout -q other; git pull -q`)
    expect([made.exitCode, made.stderr.toString(), made.movedAside]).toEqual([0, '', []])
    const removed = await run(
      'cd fixtures/one; git remote remove origin; cd ..; mv one two; rm -rf two remote.git',
    )
    expect([removed.exitCode, removed.stderr.toString()]).toEqual([0, ''])
  })

  test('git init of the user, while a command runs, is left alone', async () => {
    mkdirSync(scene.workspace)
    const running = run('touch running; while [ ! -e done ]; do sleep 0.05; done')
    await until(() => existsSync(join(scene.workspace, 'running')))
    runGit(scene, scene.workspace, 'init', '-q')
    runGit(scene, scene.workspace, 'commit', '-q', '--allow-empty', '-m', 'first')
    writeFileSync(join(scene.workspace, 'done'), '')
    expect(await running).toMatchObject({ exitCode: 0, movedAside: [] })
    runGit(scene, scene.workspace, 'status')
  })

  test('what runs something is caught while the command still runs', async () => {
    mkdirSync(scene.workspace)
    const running = run(
      'git init -q a; git -C a config core.pager evil; while [ ! -e done ]; do sleep 0.05; done',
    )
    const aside = (): boolean =>
      existsSync(join(scene.workspace, 'a/.git')) &&
      readdirSync(join(scene.workspace, 'a/.git')).some((name) => name.startsWith('config.blocked-'))
    await until(aside)
    writeFileSync(join(scene.workspace, 'done'), '')
    const { movedAside } = await running
    expect(movedAside.map(({ path }) => path)).toEqual([join(scene.workspace, 'a/.git/config')])
  })

  test('a grant that names the folder lets a command change it', async () => {
    layouts[0]!.make(scene)
    const change = 'git config core.pager cat'
    expect((await run(change)).exitCode).not.toBe(0)
    const granted = await run(change, { kind: 'fs:write', scope: '.git/**' })
    expect([granted.exitCode, granted.movedAside]).toEqual([0, []])
  })
})
