/** Ways in which a workspace and git's folders lie to each other. Everything here is done by the user. */

import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Which git to test with; another one can be named. */
const git = process.env.CONTEXTD_TEST_GIT ?? 'git'

export interface Scene {
  /** Private to this cell, and outside of the workspace. */
  readonly folder: string
  readonly workspace: string
  readonly home: string
}

export interface Layout {
  readonly name: string
  /** Folders in which the user runs git afterwards, seen from the workspace. */
  readonly visited: readonly string[]
  make(scene: Scene): void
}

function userEnv({ home }: Scene): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
    // What a person would have as an editor; without one git would ask the terminal.
    VISUAL: '',
  }
}

export function runGit(scene: Scene, cwd: string, ...args: string[]): void {
  execFileSync(git, args, { cwd, env: userEnv(scene), stdio: 'pipe' })
}

function repository(scene: Scene, folder: string): void {
  mkdirSync(folder, { recursive: true })
  runGit(scene, folder, 'init', '-q', '-b', 'main')
  writeFileSync(join(folder, 'a.txt'), 'one\n')
  writeFileSync(join(folder, 'b.bin'), 'two\n')
  mkdirSync(join(folder, 'docs'))
  writeFileSync(join(folder, 'docs/readme.md'), 'three\n')
  runGit(scene, folder, 'add', '-A')
  runGit(scene, folder, 'commit', '-q', '-m', 'first')
  // Fetching needs something to fetch from.
  runGit(scene, folder, 'clone', '-q', '--bare', folder, join(scene.folder, 'remote.git'))
  runGit(scene, folder, 'remote', 'add', 'origin', join(scene.folder, 'remote.git'))
}

export const layouts: readonly Layout[] = [
  { name: 'a repository', visited: ['.', 'docs'], make: (scene) => repository(scene, scene.workspace) },
  {
    name: 'no repository',
    visited: ['.', 'docs'],
    make: ({ workspace }) => mkdirSync(join(workspace, 'docs'), { recursive: true }),
  },
  {
    name: 'a linked work tree of a repository elsewhere',
    visited: ['.'],
    make(scene) {
      const main = join(scene.folder, 'main')
      repository(scene, main)
      runGit(scene, main, 'worktree', 'add', '-q', scene.workspace)
    },
  },
  {
    name: 'a linked work tree inside',
    visited: ['.', 'tree'],
    make(scene) {
      repository(scene, scene.workspace)
      runGit(scene, scene.workspace, 'worktree', 'add', '-q', 'tree')
    },
  },
  {
    name: 'a submodule',
    visited: ['.', 'sub'],
    make(scene) {
      const other = { ...scene, folder: join(scene.folder, 'other') }
      repository(other, join(scene.folder, 'library'))
      repository(scene, scene.workspace)
      const local = ['-c', 'protocol.file.allow=always']
      runGit(scene, scene.workspace, ...local, 'submodule', 'add', '-q', join(scene.folder, 'library'), 'sub')
      runGit(scene, scene.workspace, 'commit', '-q', '-m', 'sub')
    },
  },
  {
    name: 'another repository inside',
    visited: ['.', 'vendor/lib'],
    make(scene) {
      repository(scene, scene.workspace)
      repository({ ...scene, folder: join(scene.folder, 'other') }, join(scene.workspace, 'vendor/lib'))
      writeFileSync(join(scene.workspace, '.gitignore'), 'vendor\n')
    },
  },
  {
    name: 'a folder of a larger repository',
    visited: ['.', '..'],
    make(scene) {
      repository(scene, join(scene.workspace, '..'))
      mkdirSync(scene.workspace, { recursive: true })
      writeFileSync(join(scene.workspace, 'c.txt'), 'four\n')
    },
  },
]

/** What the user does next, in every folder: some of it fails in some layouts, as it does for people. */
export function useGit(scene: Scene, folders: readonly string[]): void {
  const env = userEnv(scene)
  for (const folder of folders) {
    const cwd = join(scene.workspace, folder)
    const run = (...args: string[]): void =>
      void spawnSync(git, args, { cwd, env, stdio: 'pipe', timeout: 20_000 })
    try {
      appendFileSync(join(cwd, 'a.txt'), 'more\n')
      appendFileSync(join(cwd, 'b.bin'), 'more\n')
    } catch {
      // Not in this layout.
    }
    run('status')
    run('diff')
    run('log', '-p', '-1')
    run('add', 'a.txt', 'b.bin')
    run('commit', '-m', 'change')
    run('commit', '--allow-empty')
    run('checkout', '-q', '-b', 'other')
    run('checkout', '-q', '-')
    run('fetch', '-q')
    run('stash', 'list')
  }
}
