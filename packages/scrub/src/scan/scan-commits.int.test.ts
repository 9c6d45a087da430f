import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { CommonError } from '@contextd/shared/errors/common-error'
import { scan, type ScanOptions, type ScanReport } from './scan.ts'

const random = seededRandom(17)
const pat = (): string => makeSample('ghp_{alnum:36}', random).text

let folder: string
let home: string
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-git-')))
  folder = join(home, 'repository')
  mkdirSync(folder)
  git('init', '-q', '-b', 'main')
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

function environment(): NodeJS.ProcessEnv {
  const who = {
    GIT_AUTHOR_NAME: 'n',
    GIT_AUTHOR_EMAIL: 'e',
    GIT_COMMITTER_NAME: 'n',
    GIT_COMMITTER_EMAIL: 'e',
  }
  return { PATH: process.env.PATH, HOME: home, CONTEXTD_HOME: join(home, 'contextd'), ...who }
}

function git(...args: string[]): string {
  return execFileSync('git', args, {
    cwd: folder,
    env: environment(),
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim()
}

function write(name: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), content)
}

function commit(files: Record<string, string | Uint8Array>): string {
  for (const [name, content] of Object.entries(files)) write(name, content)
  git('add', '-Af')
  git('commit', '-q', '-m', 'x')
  return git('rev-parse', 'HEAD')
}

function run(options: Partial<ScanOptions> = {}): Promise<ScanReport> {
  return scan({
    env: environment(),
    cwd: folder,
    paths: ['.'],
    stdin: [],
    decode: true,
    useIgnoreFiles: true,
    ...options,
  })
}

const inRange = (range: string, options: Partial<ScanOptions> = {}): Promise<ScanReport> =>
  run({ changes: { range }, ...options })
const places = ({ findings }: ScanReport): string[] =>
  findings.map(({ commit = '-', file, line }) => `${commit.slice(0, 7)} ${file}:${line}`)

async function failure(scanning: Promise<unknown>): Promise<CommonError> {
  const error: unknown = await scanning.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  )
  if (error instanceof CommonError) return error
  throw error
}

describe('a range of commits', () => {
  test('each added line, with its commit, even if it was removed later', async () => {
    const first = commit({ 'a.txt': `one\n${pat()}\n`, 'sub/b.txt': 'plain\n' })
    const second = commit({ 'a.txt': 'one\n', 'sub/b.txt': `plain\n\nkey ${pat()}\n` })
    const third = commit({ 'ünï code "x".txt': `${pat()}\n` })
    const report = await inRange('HEAD')
    expect(places(report)).toEqual([
      `${first.slice(0, 7)} a.txt:2`,
      `${second.slice(0, 7)} sub/b.txt:3`,
      `${third.slice(0, 7)} ünï code "x".txt:1`,
    ])
    expect(report).toMatchObject({ commits: 3, files: 5 })
    expect(report.findings[0]).toMatchObject({ commit: first, fingerprint: `${first}:a.txt:github-pat:2` })
    expect(report.findings[0]).not.toHaveProperty('start')
    expect(places(await inRange('HEAD~1..HEAD'))).toEqual([`${third.slice(0, 7)} ünï code "x".txt:1`])
    expect(places(await inRange('HEAD', { paths: ['sub'] }))).toEqual([`${second.slice(0, 7)} sub/b.txt:3`])
  })

  test('existing lines are used as context, and not reported', async () => {
    const password = makeSample('{alnum:20}', random).text
    commit({ 'c.yaml': `a: ${pat()}\npassword:\n  old\nz: 1\n` })
    commit({ 'c.yaml': `a: x\nb: ${pat()}\n` })
    commit({ 'c.yaml': `a: x\nb: y\n` })
    const last = commit({ 'c.yaml': `a: x\nb: y\napi_key: ${password}\n` })
    const report = await inRange('HEAD~1..HEAD')
    expect(places(report)).toEqual([`${last.slice(0, 7)} c.yaml:3`])
  })

  test('lines that only a merge adds', async () => {
    commit({ a: '1\n2\n3\n' })
    git('checkout', '-q', '-b', 'side')
    commit({ a: '1\n2\nside\n' })
    git('checkout', '-q', 'main')
    commit({ a: 'main\n2\n3\n' })
    git('merge', '-q', '--no-commit', '--no-ff', 'side')
    const merge = commit({ a: `main\n${pat()}\nside\n` })
    expect(places(await inRange('HEAD~1..HEAD'))).toEqual([`${merge.slice(0, 7)} a:2`])
  })

  test('binaries, and text that an attribute marks as binary', async () => {
    const binary = Buffer.concat([Buffer.alloc(300), Buffer.from(`key=${pat()}`), Buffer.alloc(300)])
    commit({
      '.gitattributes': '*.env -diff\n*.txt binary diff=evil\n',
      'a.env': pat(),
      'b.txt': pat(),
      c: binary,
    })
    const report = await inRange('HEAD')
    expect(report.findings.map(({ file, binary = false }) => [file, binary])).toEqual([
      ['a.env', false],
      ['b.txt', false],
      ['c', true],
    ])
  })

  test('a file that is a secret by its name, in the commit that adds it', async () => {
    const first = commit({ 'x.p12': 'abc' })
    commit({ 'x.p12': 'abcd' })
    git('mv', 'x.p12', 'y.p12')
    const third = commit({})
    expect(places(await inRange('HEAD'))).toEqual([`${first.slice(0, 7)} x.p12:0`])
    expect(third).toHaveLength(40)
  })

  test('a moved file is not new', async () => {
    commit({ a: `${'line\n'.repeat(50)}${pat()}\n` })
    renameSync(join(folder, 'a'), join(folder, 'b'))
    commit({})
    expect(places(await inRange('HEAD~1..HEAD'))).toEqual([])
    expect((await inRange('HEAD')).findings).toHaveLength(1)
  })

  test('a fingerprint with a commit in the ignore file', async () => {
    const first = commit({ a: pat() })
    write('.gitleaksignore', `${first}:a:github-pat:1\n`)
    expect(await inRange('HEAD')).toMatchObject({ findings: [], allowed: 1 })
  })

  test.each(['nope..HEAD', 'a..b..c', '', 'HEAD@{99}'])('%j is not a range', async (range) => {
    commit({ a: 'x' })
    expect((await failure(inRange(range))).code).toBe('NOT_FOUND')
  })

  test('an option is not a range', async () => {
    commit({ a: 'x' })
    const target = join(home, 'written')
    expect((await failure(inRange(`--output=${target}`))).code).toBe('USAGE')
    expect(existsSync(target)).toBe(false)
  })

  test('outside a repository', async () => {
    mkdirSync(join(home, 'plain'))
    expect(await failure(inRange('HEAD', { cwd: join(home, 'plain') }))).toMatchObject({ code: 'NOT_FOUND' })
    const other = join(home, 'other')
    mkdirSync(other)
    commit({ a: 'x' })
    expect((await failure(inRange('HEAD', { paths: ['.', other] }))).code).toBe('USAGE')
    expect((await failure(inRange('HEAD', { paths: ['-'] }))).code).toBe('USAGE')
  })

  test('without git', async () => {
    commit({ a: 'x' })
    const env = { ...environment(), PATH: join(home, 'empty') }
    const { message } = await failure(inRange('HEAD', { env }))
    expect(message).toBe('There is no git on this machine')
  })
})

describe('staged changes', () => {
  test('are scanned, and nothing else', async () => {
    commit({ a: `${pat()}\n`, b: 'x\n' })
    write('b', `x\n${pat()}\n`)
    git('add', 'b')
    write('c', pat())
    const report = await run({ changes: 'staged' })
    expect(places(report)).toEqual(['- b:2'])
    expect(report.findings[0]?.fingerprint).toBe('b:github-pat:2')
  })

  test('before the first commit', async () => {
    write('a', pat())
    git('add', 'a')
    expect(places(await run({ changes: 'staged' }))).toEqual(['- a:1'])
  })

  test('in the index that a hook receives', async () => {
    commit({ a: 'x\n' })
    write('a', `${pat()}\n`)
    const index = join(home, 'index')
    const env = { ...environment(), GIT_INDEX_FILE: index }
    execFileSync('git', ['read-tree', 'HEAD'], { cwd: folder, env })
    execFileSync('git', ['add', 'a'], { cwd: folder, env })
    expect(places(await run({ changes: 'staged', env }))).toEqual(['- a:1'])
    expect(places(await run({ changes: 'staged' }))).toEqual([])
  })
})

describe('a hostile repository', () => {
  test('files that look like a bare repository are not one', async () => {
    const first = commit({ a: 'x' })
    const inside = join(folder, 'inside')
    commit({ 'inside/b': pat() })
    const range = `${first}..HEAD`
    expect((await inRange(range, { cwd: inside })).findings).toHaveLength(1)
    git('init', '-q', '--bare', '-b', 'main', inside)
    git('push', '-q', inside, `${first}:refs/heads/main`)
    git('-C', inside, 'config', 'core.bare', 'false')
    git('-C', inside, 'config', 'core.worktree', inside)
    // git takes it for one in which nothing was committed since.
    expect(git('-C', inside, 'log', '--oneline', range)).toBe('')
    expect(await failure(inRange(range, { cwd: inside }))).toMatchObject({ code: 'NOT_FOUND' })
  })

  test('runs nothing that its configuration names', async () => {
    const marker = join(home, 'ran')
    const program = join(home, 'evil.sh')
    writeFileSync(program, `#!/bin/sh\ntouch ${marker}\ncat "$@" 2>/dev/null\n`)
    chmodSync(program, 0o755)
    commit({ '.gitattributes': '* diff=evil filter=evil\n', a: 'x\n' })
    const last = commit({ a: `${pat()}\n`, '.gitignore': 'a\n' })
    for (const [key, value] of Object.entries({
      'core.fsmonitor': program,
      'core.pager': program,
      'core.editor': program,
      'core.sshCommand': program,
      'diff.external': program,
      'diff.evil.command': program,
      'diff.evil.textconv': program,
      'filter.evil.clean': program,
      'filter.evil.smudge': program,
      'gpg.program': program,
      'log.showSignature': 'true',
      'color.ui': 'always',
      'diff.noprefix': 'true',
      'diff.context': '0',
      'log.showRoot': 'false',
      'diff.suppressBlankEmpty': 'true',
    }))
      git('config', key, value)
    expect(places(await inRange('HEAD'))).toEqual([`${last.slice(0, 7)} a:1`])
    git('-c', 'core.fsmonitor=false', 'rm', '-q', '--cached', 'a')
    rmSync(marker, { force: true })
    expect((await run({ changes: 'staged' })).findings).toEqual([])
    expect(places(await run())).toEqual([])
    expect(existsSync(marker)).toBe(false)
    // The probe works: git as it is does run it.
    spawnSync('git', ['diff', 'HEAD~1', 'HEAD'], { cwd: folder, env: environment() })
    expect(existsSync(marker)).toBe(true)
  })

  test('fetches nothing, and a missing object ends the scan', async () => {
    const marker = join(home, 'ran')
    commit({ a: 'x\n' })
    const object = git('rev-parse', 'HEAD:a')
    rmSync(join(folder, 'a'))
    rmSync(join(folder, '.git/objects', object.slice(0, 2), object.slice(2)))
    for (const [key, value] of Object.entries({
      'core.repositoryFormatVersion': '1',
      'extensions.partialClone': 'origin',
      'remote.origin.url': `ext::sh -c touch% ${marker}`,
      'remote.origin.promisor': 'true',
      'protocol.ext.allow': 'always',
    }))
      git('config', key, value)
    await expect(inRange('HEAD')).rejects.toThrow(/^git: /)
    expect(existsSync(marker)).toBe(false)
    // The probe works: git as it is does run it.
    spawnSync('git', ['show', 'HEAD'], { cwd: folder, env: environment() })
    expect(existsSync(marker)).toBe(true)
  })

  test('cannot hide a commit behind a replacement object', async () => {
    const real = commit({ a: pat() })
    const empty = git('hash-object', '-t', 'tree', '-w', '/dev/null')
    git('replace', '-f', real, git('commit-tree', '-m', 'x', empty))
    expect(git('show', real)).not.toContain('ghp_')
    expect((await inRange(real)).findings).toHaveLength(1)
  })

  test('does not lead to files outside by an ignored tracked file', async () => {
    write('.gitignore', 'away/\n')
    write('away/secret', pat())
    git('add', '-f', '.gitignore', 'away/secret')
    expect(places(await run())).toEqual(['- away/secret:1'])
    renameSync(join(folder, 'away'), join(home, 'outside'))
    symlinkSync(join(home, 'outside'), join(folder, 'away'))
    expect(places(await run())).toEqual([])
  })
})

describe('a folder in a repository', () => {
  test('ignored but tracked files', async () => {
    write('.gitignore', '*.env\nbuild/\n')
    write('left.env', pat())
    write('sub/in.env', pat())
    write('build/x', pat())
    git('add', '-f', '.gitignore', 'sub/in.env', 'build/x')
    expect(places(await run()).sort()).toEqual(['- build/x:1', '- sub/in.env:1'])
    expect(places(await run({ paths: ['sub'] }))).toEqual(['- sub/in.env:1'])
    rmSync(join(folder, 'build/x'))
    expect(await run()).toMatchObject({ warnings: [] })
  })

  test('the repository above is the root of names, and its ignore files apply', async () => {
    write('.git/info/exclude', 'excluded\n')
    for (const name of ['sub/out', 'sub/in', 'sub/excluded', 'sub/deep/.git/config']) write(name, pat())
    write('.gitignore', '/sub/out\n')
    expect(await run({ paths: ['sub'] })).toMatchObject({ root: folder, findings: [{ file: 'sub/in' }] })
  })

  test('without git reports what it could not find out', async () => {
    write('.gitignore', 'x\n')
    write('x', pat())
    const env = { ...environment(), PATH: join(home, 'empty') }
    expect((await run({ env })).warnings).toMatchObject([
      { message: expect.stringContaining('git') as string },
    ])
  })

  test('pipes and sockets are skipped', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')])
    write('a', pat())
    expect(await run()).toMatchObject({
      findings: [{ file: 'a' }],
      skipped: [{ file: 'pipe', why: 'is not a regular file' }],
    })
    expect(await run({ paths: ['pipe'] })).toMatchObject({ files: 0, skipped: [{ file: 'pipe' }] })
  })
})
