import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { filesThatGitCommits } from './git-view.ts'

let project: string
beforeEach(() => (project = mkdtempSync(join(tmpdir(), 'contextd-git-view-'))))
afterEach(() => rmSync(project, { recursive: true, force: true }))

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: project })
    .toString()
    .trim()

/** A partial clone without the folder `.claude`: to list what is in it, git fetches it with a program of the repository. */
function partialClone(): string {
  const marker = join(project, 'it-ran')
  git('init', '-q')
  for (const folder of ['.claude', 'src']) {
    mkdirSync(join(project, folder))
    writeFileSync(join(project, folder, 'a'), folder)
  }
  git('add', '-A')
  git('commit', '-qm', 'first')
  git('sparse-checkout', 'set', '--cone', '--sparse-index', 'src')
  const tree = git('rev-parse', 'HEAD:.claude')
  rmSync(join(project, '.git/objects', tree.slice(0, 2), tree.slice(2)))
  git('config', 'core.repositoryFormatVersion', '1')
  git('config', 'extensions.partialClone', 'origin')
  git('config', 'remote.origin.promisor', 'true')
  git('config', 'remote.origin.url', 'ssh://localhost/none')
  git('config', 'core.sshCommand', `touch '${marker}';#`)
  return marker
}

test('git starts no program of the repository', async () => {
  const marker = partialClone()
  const files = ['.claude/settings.local.json', '.opencode/plugin/contextd.js']
  const paths = files.map((file) => join(project, file))
  await filesThatGitCommits(paths, project, process.env)
  expect(existsSync(marker)).toBe(false)
  // The control: without our settings it does.
  spawnSync('git', ['ls-files', '--', ...files], { cwd: project })
  expect(existsSync(marker)).toBe(true)
})
