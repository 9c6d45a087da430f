import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { describe, expect, onTestFinished, test } from 'vitest'

import type { MovedAside } from '../../sandbox/guard.ts'
import {
  createRepositoryGuard,
  type GuardReport,
  type RepositoryGuard,
  type RepositoryWatch,
} from './repository-guard.ts'

const silent: GuardReport = { onMoved: () => {}, onLeft: () => {} }
const hasGit = spawnSync('git', ['--version']).status === 0

interface Place {
  readonly workspace: string
  readonly journal: string
  readonly guard: RepositoryGuard
  readonly marker: string
  git(...args: string[]): string
  /** What a command does between the beginning and the end of a watch. Answers what was moved, seen from the workspace. */
  during(action: (watch: RepositoryWatch) => void | Promise<void>, gitAllowed?: string[]): Promise<string[]>
}

function place(): Place {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-guard-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [workspace, home] = [join(folder, 'work'), join(folder, 'home')]
  for (const path of [workspace, home]) mkdirSync(path)
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
  }
  const journal = join(folder, 'journal')
  const guard = createRepositoryGuard({ env, home, journal })
  return {
    workspace,
    journal,
    guard,
    marker: join(folder, 'marker'),
    git: (...args) => execFileSync('git', args, { cwd: workspace, env, encoding: 'utf8', stdio: 'pipe' }),
    async during(action, gitAllowed = []) {
      const reported: MovedAside[] = []
      const watch = await guard.begin(
        { folders: [{ path: workspace, access: 'write' }], gitAllowed },
        { ...silent, onMoved: (moved) => reported.push(...moved), onStubborn: () => {} },
      )
      await action(watch)
      const moved = await watch.end()
      expect(reported).toEqual(moved)
      return moved.map(({ path }) => relative(workspace, path))
    },
  }
}

describe.runIf(hasGit)('repositories', () => {
  test('the workspace does not become a repository that runs something', async () => {
    const { workspace, marker, git, during } = place()
    git('init', '-q')
    writeFileSync(join(workspace, 'a'), 'a')
    git('add', 'a')
    const attack = (): void => {
      writeFileSync(join(workspace, 'index'), readFileSync(join(workspace, '.git/index')))
      rmSync(join(workspace, '.git/HEAD'))
      for (const name of ['objects', 'refs']) mkdirSync(join(workspace, name))
      writeFileSync(join(workspace, 'HEAD'), 'ref: refs/heads/main\n')
      writeFileSync(
        join(workspace, 'config'),
        `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = "."\n\tfsmonitor = "touch ${marker}; false"\n`,
      )
    }
    expect(await during(attack)).toEqual(['config'])
    const status = (): unknown => spawnSync('git', ['status'], { cwd: workspace, stdio: 'ignore' })
    status()
    expect(existsSync(marker)).toBe(false)
    // The twin: with its settings back, it runs.
    const aside = readdirSync(workspace).find((name) => name.startsWith('config.blocked-'))
    writeFileSync(join(workspace, 'config'), readFileSync(join(workspace, aside!)))
    status()
    expect(existsSync(marker)).toBe(true)
  })

  test('what a command and the user make without commands in it stays', async () => {
    const { workspace, git, during } = place()
    const moved = await during(() => {
      // In another terminal, while a command runs.
      git('init', '-q')
      git('init', '-q', 'fixtures/one')
      git('init', '-q', '--bare', 'fixtures/remote.git')
      git('-C', 'fixtures/one', 'remote', 'add', 'origin', '../remote.git')
      git('commit', '-q', '--allow-empty', '-m', 'x')
      git('worktree', 'add', '-q', 'tree')
      git('clone', '-q', workspace, join(workspace, 'clone'))
    })
    expect(moved).toEqual([])
    expect(git('-C', 'tree', 'status', '--short')).toBe('')
  })

  test('settings that were there are put back as they were', async () => {
    const { workspace, git, during } = place()
    git('init', '-q', 'lib')
    git('-C', 'lib', 'config', 'alias.mine', '!echo mine')
    const config = join(workspace, 'lib/.git/config')
    const before = readFileSync(config, 'utf8')
    const moved = await during(({ held }) => {
      expect(held).toContain(config)
      // A new file, as git writes it: the read-only mount of the old one is gone by then.
      rmSync(config)
      writeFileSync(config, `${before}[core]\n\tpager = evil\n`)
    })
    expect(moved).toEqual(['lib/.git/config'])
    expect(readFileSync(config, 'utf8')).toBe(before)
  })

  test('what was read-only for the command is the user’s to change', async () => {
    const { workspace, git, during } = place()
    git('init', '-q')
    const hook = join(workspace, '.git/hooks/pre-commit')
    const moved = await during(({ held }) => {
      expect(held).toEqual(
        expect.arrayContaining([join(workspace, '.git/hooks'), join(workspace, '.git/config')]),
      )
      writeFileSync(hook, '#!/bin/sh\n')
      appendFileSync(join(workspace, '.git/config'), '[core]\n\tpager = less\n')
    })
    expect(moved).toEqual([])
    // The twin: in a repository that was made meanwhile nobody can tell whose it is.
    const inOther = await during(() => {
      git('init', '-q', 'other')
      writeFileSync(join(workspace, 'other/.git/hooks/pre-commit'), '#!/bin/sh\n')
    })
    expect(inOther).toEqual(['other/.git/hooks/pre-commit'])
  })

  test('a folder that a grant names may be changed', async () => {
    const { workspace, git, during } = place()
    const attack = (): void => {
      git('init', '-q', 'a')
      git('-C', 'a', 'config', 'core.pager', 'x')
    }
    expect(await during(attack, [join(workspace, 'a/.git')])).toEqual([])
    rmSync(join(workspace, 'a'), { recursive: true })
    expect(await during(attack)).toEqual(['a/.git/config'])
  })

  test.each([
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['nonsense', (path: string) => writeFileSync(path, '[[[\n')],
    ['more than anyone writes', (path: string) => writeFileSync(path, '#'.repeat(2 << 20))],
  ])('settings that git cannot be asked about do not stay: %s', async (_, put) => {
    const { workspace, git, during } = place()
    const moved = await during(() => {
      git('init', '-q', 'a')
      rmSync(join(workspace, 'a/.git/config'))
      put(join(workspace, 'a/.git/config'))
    })
    expect(moved).toEqual(['a/.git/config'])
  })

  test('a repository in a folder that was closed is caught when it is opened', async () => {
    const { workspace, git, during } = place()
    await during(() => {
      git('init', '-q', 'a/b')
      git('-C', 'a/b', 'config', 'core.pager', 'x')
      chmodSync(join(workspace, 'a'), 0)
    })
    const moved = await during(() => chmodSync(join(workspace, 'a'), 0o755))
    // As root nothing is closed.
    const expected = process.getuid?.() === 0 ? [] : ['a/b/.git/config']
    expect(moved).toEqual(expected)
  })

  test('a repository under a name that is not UTF-8 is found under another', async () => {
    const { workspace, git, during } = place()
    git('init', '-q', 'a')
    git('-C', 'a', 'config', 'core.pager', 'x')
    const source = join(workspace, '..', 'prepared')
    renameSync(join(workspace, 'a'), source)
    const moved = await during(() =>
      renameSync(source, Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from([0xff, 0xfe])])),
    )
    expect(moved).toHaveLength(2)
    expect(moved[1]).toMatch(/\.blocked-[0-9a-f]{8}\/\.git\/config$/)
  })

  test.each(['x', 'x/.git', 'x/.git/hooks', 'x/y'])(
    'what cannot be listed is looked into: %s',
    async (closed) => {
      const { workspace, git, during } = place()
      const moved = await during(() => {
        for (const name of ['x', 'x/y']) {
          git('init', '-q', name)
          git('-C', name, 'config', 'core.fsmonitor', './evil')
          writeFileSync(join(workspace, name, '.git/hooks/pre-commit'), '#!/bin/sh\n')
        }
        chmodSync(join(workspace, closed), 0o311)
      })
      const inside = ['config', 'hooks/pre-commit'].flatMap((file) => [`x/.git/${file}`, `x/y/.git/${file}`])
      expect(moved.toSorted()).toEqual(inside.toSorted())
    },
  )

  test('a hook with the longest name there is can be moved aside', async () => {
    const { workspace, git, during } = place()
    const name = `a/.git/hooks/${'é'.repeat(127)}`
    const moved = await during(() => {
      git('init', '-q', 'a')
      writeFileSync(join(workspace, name), '#!/bin/sh\n')
    })
    expect(moved).toEqual([name])
  })

  test('settings changed through a mapping, without a trace in the times of the file, are seen', async () => {
    const { workspace, git, during } = place()
    git('init', '-q', 'a')
    const config = join(workspace, 'a/.git/config')
    const before = readFileSync(config, 'utf8')
    const { atime, mtime } = statSync(config)
    const evil = `[core]\n\tpager = x\n`
    const moved = await during(() => {
      writeFileSync(config, evil + '#'.repeat(before.length - evil.length))
      utimesSync(config, atime, mtime)
    })
    expect(moved).toEqual(['a/.git/config'])
  })

  test('a file that has a second name is not taken for the user’s', async () => {
    const { workspace, git, during } = place()
    git('init', '-q')
    const config = join(workspace, '.git/config')
    linkSync(config, join(workspace, 'alias'))
    const before = readFileSync(config, 'utf8')
    const moved = await during(() => appendFileSync(join(workspace, 'alias'), '[core]\n\tpager = x\n'))
    expect([moved, readFileSync(config, 'utf8')]).toEqual([['.git/config'], before])
  })

  test('a folder that replaces another with the same time is searched', async () => {
    const { workspace, git, during } = place()
    for (const name of ['p', 'q']) mkdirSync(join(workspace, name, 'x'), { recursive: true })
    for (const name of ['p/x', 'q/x']) utimesSync(join(workspace, name), 1, 1)
    git('init', '-q', 'q/x')
    const moved = await during(async () => {
      await sleep(150)
      renameSync(join(workspace, 'p'), join(workspace, 'p2'))
      renameSync(join(workspace, 'q'), join(workspace, 'p'))
      git('-C', 'p/x', 'config', 'core.pager', 'x')
    })
    expect(moved).toEqual(['p/x/.git/config'])
  })

  test('files created by one command are not part of the baseline of another', async () => {
    const { workspace, git, during } = place()
    const evil = (): void => {
      git('init', '-q', 'd')
      git('-C', 'd', 'config', 'core.pager', 'x')
    }
    const moved = await during(async () => {
      evil()
      const second = await during(() => {
        rmSync(join(workspace, 'd'), { recursive: true })
        evil()
      })
      expect(second).toEqual(['d/.git/config'])
    })
    expect(moved).toEqual([])
  })

  test('no git is started from a folder that agents write to', async () => {
    const { workspace, marker, git, during } = place()
    const bin = join(workspace, 'node_modules/.bin')
    mkdirSync(bin, { recursive: true })
    const env = { PATH: `${bin}:${process.env.PATH}`, HOME: join(workspace, '..') }
    const guard = createRepositoryGuard({ env, home: env.HOME, journal: join(workspace, '../other') })
    const run = async (): Promise<void> => {
      const folders = [{ path: workspace, access: 'write' as const }]
      const watch = await guard.begin({ folders }, { ...silent, onStubborn: () => {} })
      git('init', '-q', 'd')
      await watch.end()
    }
    writeFileSync(join(bin, 'git'), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 })
    await run()
    expect(existsSync(marker)).toBe(false)
    // The twin: a shell with that PATH starts it.
    spawnSync('sh', ['-c', 'git status'], { env, cwd: workspace })
    expect(existsSync(marker)).toBe(true)
    expect(await during(() => {})).toEqual([])
  })

  test('strategies that are programs do not stay', async () => {
    const { workspace, git, during } = place()
    git('init', '-q')
    const plan = (file: string, text: string) => (): void => {
      mkdirSync(dirname(join(workspace, '.git', file)), { recursive: true })
      writeFileSync(join(workspace, '.git', file), text)
    }
    const options = (strategy: string): string => `[options]\n\tstrategy = ${strategy}\n`
    expect(await during(plan('rebase-merge/strategy', 'ort\n'))).toEqual([])
    expect(await during(plan('rebase-merge/strategy', 'x/y\n'))).toEqual(['.git/rebase-merge/strategy'])
    expect(await during(plan('sequencer/opts', options('ours')))).toEqual([])
    expect(await during(plan('sequencer/opts', options('x/y')))).toEqual(['.git/sequencer/opts'])
  })

  test('a rebase that would run commands when continued is moved aside', async () => {
    const { workspace, git, during } = place()
    git('init', '-q')
    const todo = join(workspace, '.git/rebase-merge/git-rebase-todo')
    const plan = (line: string) => (): void => {
      mkdirSync(join(workspace, '.git/rebase-merge'), { recursive: true })
      writeFileSync(todo, `pick 0123456 x\n${line}\n`)
    }
    expect(await during(plan('exec evil'))).toEqual(['.git/rebase-merge/git-rebase-todo'])
    expect(await during(plan('pick 89abcde y'))).toEqual([])
  })

  test('a file that safe_write may not write: what the settings of the user name', async () => {
    const { workspace, guard, git } = place()
    git('init', '-q')
    git('config', 'core.hooksPath', 'tools/hooks')
    git('config', 'alias.check', '!node tools/check.js --fast')
    mkdirSync(join(workspace, 'tools'))
    writeFileSync(join(workspace, 'tools/check.js'), '')
    const named = await guard.namedAround(join(workspace, 'tools/x'), workspace, [workspace])
    expect(named.map((path) => relative(workspace, path))).toEqual(
      expect.arrayContaining(['tools/check.js', 'tools/hooks']),
    )
  })

  test('what a command left whose contextd was killed is found by the next one', async () => {
    const { workspace, journal, guard, git } = place()
    const paths = { folders: [{ path: workspace, access: 'write' as const }] }
    await guard.begin(paths, { ...silent, onStubborn: () => {} })
    git('init', '-q', 'a')
    git('-C', 'a', 'config', 'core.pager', 'x')
    const [name] = readdirSync(journal)
    const moved: string[] = []
    const recover = (): Promise<void> =>
      guard.recover({
        ...silent,
        onMoved: (more) => moved.push(...more.map(({ path }) => relative(workspace, path))),
      })
    await recover()
    // Its process is alive: it looks after that itself.
    expect(moved).toEqual([])
    const { pid } = spawnSync('true')
    renameSync(join(journal, name!), join(journal, name!.replace(/^\d+-\d+/, `${pid}-1`)))
    await recover()
    expect([moved, readdirSync(journal)]).toEqual([['a/.git/config'], []])
  })

  test('what the user did after that is left alone', async () => {
    const { workspace, journal, guard, git } = place()
    const paths = { folders: [{ path: workspace, access: 'write' as const }] }
    await guard.begin(paths, { ...silent, onStubborn: () => {} })
    const [name] = readdirSync(journal)
    const file = join(journal, name!.replace(/^\d+-\d+/, `${process.pid}-1`))
    renameSync(join(journal, name!), file)
    utimesSync(file, 1, 1)
    git('init', '-q', 'a')
    git('-C', 'a', 'config', 'core.pager', 'x')
    const moved: unknown[] = []
    await guard.recover({ ...silent, onMoved: (more) => moved.push(...more) })
    expect([moved, readdirSync(journal)]).toEqual([[], []])
  })
})
