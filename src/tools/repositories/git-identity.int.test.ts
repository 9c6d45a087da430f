import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, onTestFinished, test } from 'vitest'

import { createGitIdentity, type GitIdentity } from './git-identity.ts'

interface Place {
  readonly home: string
  readonly workspace: string
  readonly identity: GitIdentity
  readonly clock: { now: number }
  git(...args: string[]): string
}

function place(): Place {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-identity-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [home, workspace] = [join(folder, 'home'), join(folder, 'work')]
  for (const path of [home, workspace]) mkdirSync(path)
  const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
  const clock = { now: 0 }
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: workspace, env, encoding: 'utf8', stdio: 'pipe' })
  git('init', '--quiet')
  return { home, workspace, clock, git, identity: createGitIdentity(env, () => clock.now) }
}

const ada = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
}
const config = '[user]\nname = Ada\nemail = ada@example.com\nsigningKey = ABC\n'

describe.runIf(spawnSync('git', ['--version']).status === 0)('the identity of commits', () => {
  test("is the user's name and email, and nothing else of the configuration", async () => {
    const { home, workspace, identity } = place()
    writeFileSync(join(home, '.gitconfig'), config)
    expect(await identity(workspace, [workspace])).toEqual(ada)
  })

  test('is empty where git has none', async () => {
    const { workspace, identity } = place()
    expect(await identity(workspace, [workspace])).toEqual({})
  })

  test('follows the conditional includes of the user', async () => {
    const { home, workspace, identity } = place()
    writeFileSync(join(home, 'other'), '[user]\nemail = ada@work.example\n')
    writeFileSync(join(home, '.gitconfig'), `${config}[includeIf "gitdir:${workspace}/"]\npath = ~/other\n`)
    expect(await identity(workspace, [workspace])).toMatchObject({ GIT_AUTHOR_EMAIL: 'ada@work.example' })
    const elsewhere = join(home, 'elsewhere')
    mkdirSync(elsewhere)
    expect(await identity(elsewhere, [elsewhere])).toEqual(ada)
  })

  test('leaves what the repository itself sets to git in the sandbox', async () => {
    const { home, workspace, git, identity } = place()
    writeFileSync(join(home, '.gitconfig'), config)
    git('config', 'user.email', 'ada@project.example')
    expect(await identity(workspace, [workspace])).toEqual({
      GIT_AUTHOR_NAME: 'Ada',
      GIT_COMMITTER_NAME: 'Ada',
    })
  })

  test('a repository cannot set it, or run a program while it is read', async () => {
    const { home, workspace, git, identity } = place()
    writeFileSync(join(home, '.gitconfig'), config)
    const [marker, program] = [join(home, 'marker'), join(workspace, 'program')]
    writeFileSync(program, `#!/bin/sh\ntouch ${marker}\n`)
    chmodSync(program, 0o755)
    writeFileSync(join(workspace, 'evil'), '[user]\nname = Eve\nemail = eve@example.com\n')
    for (const key of ['core.fsmonitor', 'core.pager', 'core.editor', 'core.sshCommand', 'credential.helper'])
      git('config', key, program)
    git('config', 'alias.config', `!${program}`)
    git('config', 'pager.config', program)
    git('config', 'include.path', join(workspace, 'evil'))
    expect(await identity(workspace, [workspace])).toEqual(ada)
    expect(existsSync(marker)).toBe(false)
    // The twin: git itself takes both from this repository.
    expect(git('config', '--get', 'user.name')).toBe('Eve\n')
    git('status')
    expect(existsSync(marker)).toBe(true)
  })

  test('a git in a folder to which agents write is not started', async () => {
    const { home, workspace } = place()
    writeFileSync(join(home, '.gitconfig'), config)
    const marker = join(home, 'marker')
    writeFileSync(join(workspace, 'git'), `#!/bin/sh\ntouch ${marker}\n`)
    chmodSync(join(workspace, 'git'), 0o755)
    const env = { PATH: workspace, HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
    expect(await createGitIdentity(env, () => 0)(workspace, [workspace])).toEqual({})
    expect(existsSync(marker)).toBe(false)
    // The twin: it is the git on PATH.
    await createGitIdentity(env, () => 0)(workspace, [])
    expect(existsSync(marker)).toBe(true)
  })

  test('is read again after a minute', async () => {
    const { home, workspace, clock, identity } = place()
    writeFileSync(join(home, '.gitconfig'), config)
    expect(await identity(workspace, [workspace])).toEqual(ada)
    writeFileSync(join(home, '.gitconfig'), '[user]\nname = Grace\n')
    clock.now = 59_999
    expect(await identity(workspace, [workspace])).toEqual(ada)
    clock.now = 60_000
    expect(await identity(workspace, [workspace])).toEqual({
      GIT_AUTHOR_NAME: 'Grace',
      GIT_COMMITTER_NAME: 'Grace',
    })
  })
})
