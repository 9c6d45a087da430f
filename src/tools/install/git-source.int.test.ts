import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { temporaryFolder } from '../../../test/support/audit.ts'
import { webServers } from '../../../test/support/web-servers.ts'
import { openSource } from './open-source.ts'
import { parseSource } from './source.ts'

const hasGit = spawnSync('git', ['--version']).status === 0
const execPath = hasGit ? execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim() : ''
const backend = join(execPath, 'git-http-backend')
const web = webServers()

const author = { name: 'Ada', email: 'ada@example.com' }
const environment = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: author.name,
  GIT_AUTHOR_EMAIL: author.email,
  GIT_COMMITTER_NAME: author.name,
  GIT_COMMITTER_EMAIL: author.email,
}

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', ['-c', 'init.defaultBranch=main', '-c', 'protocol.file.allow=always', ...args], {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim()
}

interface Repository {
  readonly folder: string
  commit(files: Readonly<Record<string, string>>): string
}

function repository(files: Readonly<Record<string, string>>): Repository {
  const folder = join(temporaryFolder(), 'repository')
  mkdirSync(folder)
  git(folder, 'init', '-q')
  const commit = (more: Readonly<Record<string, string>>): string => {
    for (const [path, text] of Object.entries(more)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
      if (text.startsWith('#!')) chmodSync(join(folder, path), 0o755)
    }
    git(folder, 'add', '-A')
    git(folder, 'commit', '-q', '-m', 'more')
    return git(folder, 'rev-parse', 'HEAD')
  }
  commit(files)
  return { folder, commit }
}

interface Fetched {
  readonly revision: string
  readonly into: string
  readonly files: Readonly<Record<string, string>>
}

async function fetch(source: string, env: NodeJS.ProcessEnv = { PATH: process.env.PATH }): Promise<Fetched> {
  const place = temporaryFolder()
  const [work, into] = [join(place, 'work'), join(place, 'into')]
  mkdirSync(work)
  mkdirSync(into)
  const resolved = await openSource(parseSource(source), { project: place, env, work }).resolve()
  await resolved.fetch(into)
  const paths = readdirSync(into, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(into, path)).isFile(),
  )
  return {
    revision: resolved.revision,
    into,
    files: Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(into, path), 'utf8')])),
  }
}

const script = '#!/bin/sh\necho hello\n'

describe.runIf(hasGit)('a git repository (needs git)', () => {
  it('gives its newest commit, with bytes and permissions', async () => {
    const { folder, commit } = repository({ 'run.sh': script, 'lib/a.txt': 'a\r\n' })
    const { revision, files, into } = await fetch(`git::file://${folder}`)
    expect(files).toEqual({ 'run.sh': script, 'lib/a.txt': 'a\r\n' })
    expect(revision).toBe(git(folder, 'rev-parse', 'HEAD'))
    expect(statSync(join(into, 'run.sh')).mode & 0o111).not.toBe(0)
    expect(statSync(join(into, 'lib/a.txt')).mode & 0o111).toBe(0)
    const newer = commit({ 'b.txt': 'b' })
    expect((await fetch(`git::file://${folder}`)).revision).toBe(newer)
  })

  it('gives a tag, a branch, a commit and a folder of it', async () => {
    const { folder, commit } = repository({ 'tools/weather/run.sh': script, 'README.md': 'x' })
    const first = git(folder, 'rev-parse', 'HEAD')
    git(folder, 'tag', '-a', 'v1', '-m', 'one')
    git(folder, 'tag', 'light')
    git(folder, 'branch', 'feature/new')
    commit({ 'README.md': 'y' })
    for (const ref of ['v1', 'light', 'feature/new', first]) {
      const { revision, files } = await fetch(`git::file://${folder}@${ref}//tools/weather`)
      expect([ref, revision, files]).toEqual([ref, first, { 'run.sh': script }])
    }
    expect((await fetch(`git::file://${folder}@main`)).files['README.md']).toBe('y')
  })

  it.each([
    ['a tag', '@v9', /no such tag or branch/],
    ['a commit', `@${'0'.repeat(39)}1`, /no such tag, branch or commit|could not fetch/],
    ['a folder', '//none', /no such folder/],
    ['a file as a folder', '//run.sh', /no such folder|could not fetch/],
  ])('says that it does not have such %s', async (_, rest, why) => {
    const { folder } = repository({ 'run.sh': script })
    await expect(fetch(`git::file://${folder}${rest}`)).rejects.toMatchObject({
      code: 'SOURCE_UNAVAILABLE',
      message: expect.stringMatching(why) as string,
    })
  })

  it('that is not there is said to be so', async () => {
    await expect(fetch(`git::file://${temporaryFolder()}/none`)).rejects.toThrow(/no such repository/)
  })

  it('runs nothing that the repository or the user brings along', async () => {
    const { folder, commit } = repository({ 'run.sh': script })
    const marker = join(temporaryFolder(), 'marker')
    const evil = `touch ${marker}`
    commit({
      '.gitattributes': '*.sh filter=evil ident\n*.txt export-subst export-ignore\n*.lf filter=lfs\n',
      'a.txt': '$Format:%H$\n',
      'b.sh': '# $Id$\n',
      '.gitmodules': '',
    })
    for (const name of [
      'post-checkout',
      'post-merge',
      'reference-transaction',
      'pre-auto-gc',
      'fsmonitor-watchman',
    ]) {
      const hook = join(folder, '.git/hooks', name)
      mkdirSync(dirname(hook), { recursive: true })
      writeFileSync(hook, `#!/bin/sh\n${evil}-${name}\n`)
      chmodSync(hook, 0o755)
    }
    git(folder, 'config', 'filter.evil.smudge', `${evil}; cat`)
    git(folder, 'config', 'core.fsmonitor', evil)
    git(folder, 'config', 'uploadpack.packObjectsHook', `${evil}; exec`)
    const home = temporaryFolder()
    const user = `[core]\n\tfsmonitor = ${evil}\n\tsshCommand = ${evil}\n[filter "evil"]\n\tsmudge = ${evil}; cat\n[url "file:///nowhere/"]\n\tinsteadOf = file:///\n[credential]\n\thelper = !${evil}\n`
    writeFileSync(join(home, '.gitconfig'), user)
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      GIT_EXTERNAL_DIFF: evil,
      GIT_ASKPASS: evil,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: evil,
      GIT_DIR: folder,
    }
    const { files } = await fetch(`git::file://${folder}`, env)
    expect(readdirSync(dirname(marker))).toEqual([])
    // No filter: the very bytes of the repository.
    expect(files).toMatchObject({ 'a.txt': '$Format:%H$\n', 'b.sh': '# $Id$\n', 'run.sh': script })
    // With a checkout in its own configuration they do run: the probe would notice.
    git(folder, 'rm', '-q', '--cached', 'b.sh')
    spawnSync('git', ['checkout-index', '-f', '-a'], { cwd: folder, env: environment })
    expect(readdirSync(dirname(marker)).length).toBeGreaterThan(0)
  })

  it('with a link in it is refused', async () => {
    const { folder, commit } = repository({ 'run.sh': script })
    const good = git(folder, 'rev-parse', 'HEAD')
    symlinkSync('/etc/passwd', join(folder, 'link'))
    commit({})
    await expect(fetch(`git::file://${folder}`)).rejects.toMatchObject({
      code: 'ARCHIVE_REFUSED',
      message: expect.stringMatching(/link is a link/) as string,
    })
    expect((await fetch(`git::file://${folder}@${good}`)).files).toEqual({ 'run.sh': script })
  })

  it('with a submodule in it is refused, and the submodule is not fetched', async () => {
    const inner = repository({ 'a.txt': 'a' })
    const outer = repository({ 'run.sh': script })
    git(outer.folder, 'submodule', 'add', '-q', `file://${inner.folder}`, 'sub')
    outer.commit({})
    await expect(fetch(`git::file://${outer.folder}`)).rejects.toMatchObject({
      message: expect.stringMatching(/sub is a submodule/) as string,
    })
  })

  it('with paths in it that lead elsewhere is refused', async () => {
    const { folder } = repository({ 'run.sh': script })
    const blob = git(folder, 'rev-parse', 'HEAD:run.sh')
    for (const name of ['..', '.git', 'a\\b']) {
      const entry = `100644 blob ${blob}\t${name}\n`
      const tree = spawnSync('git', ['mktree'], {
        cwd: folder,
        env: environment,
        input: entry,
        encoding: 'utf8',
      })
      const commit = git(folder, 'commit-tree', '-m', 'bad', tree.stdout.trim())
      git(folder, 'update-ref', 'refs/heads/bad', commit)
      await expect(fetch(`git::file://${folder}@bad`)).rejects.toMatchObject({
        code: expect.stringMatching(/ARCHIVE_REFUSED|SOURCE_UNAVAILABLE/) as string,
      })
    }
  })

  it('with more in it than a tool needs is refused before it is read', async () => {
    const many = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`f${n}`, `${n}`]))
    const { folder } = repository({ ...many, 'tool/run.sh': script })
    await expect(fetch(`git::file://${folder}`)).rejects.toThrow(/more than 200/)
    expect((await fetch(`git::file://${folder}//tool`)).files).toEqual({ 'run.sh': script })
    const large = repository({ zeros: '\0'.repeat(40 * 1_048_576) })
    await expect(fetch(`git::file://${large.folder}`)).rejects.toThrow(/larger than/)
  })

  it('is held to the hash of its files where one is given', async () => {
    const { folder } = repository({ 'run.sh': script })
    let found = ''
    await fetch(`git::file://${folder}#sha256=${'0'.repeat(64)}`).catch(
      (error: { code: string; details: { found: string } }) => {
        expect(error.code).toBe('SHA256_MISMATCH')
        found = error.details.found
      },
    )
    expect((await fetch(`git::file://${folder}#sha256=${found}`)).files).toEqual({ 'run.sh': script })
  })
})

describe.runIf(hasGit && existsSync(backend))('over smart HTTP (needs git http-backend)', () => {
  const serve = async (root: string, seen: string[] = []): Promise<number> => web.serve(cgi(root, seen))

  it('gives what it has', async () => {
    const { folder } = repository({ 'tool/run.sh': script })
    const first = git(folder, 'rev-parse', 'HEAD')
    const port = await serve(folder)
    const { revision, files } = await fetch(`git::http://127.0.0.1:${port}/.git@main//tool`)
    expect([revision, files]).toEqual([first, { 'run.sh': script }])
    expect((await fetch(`git::http://127.0.0.1:${port}/.git@${first}//tool`)).files).toEqual({
      'run.sh': script,
    })
    await expect(fetch(`git::http://127.0.0.1:${port}/none.git`)).rejects.toMatchObject({
      code: 'SOURCE_UNAVAILABLE',
    })
  })

  it('does not follow it elsewhere', async () => {
    const { folder } = repository({ 'run.sh': script })
    const seen: string[] = []
    const inside = await serve(folder, seen)
    const port = await web.serve((request, response) => {
      response.writeHead(301, { location: `http://127.0.0.1:${inside}${request.url}` })
      response.end()
    })
    await expect(fetch(`git::http://127.0.0.1:${port}/.git`)).rejects.toMatchObject({
      code: 'SOURCE_UNAVAILABLE',
    })
    expect(seen).toEqual([])
    await fetch(`git::http://127.0.0.1:${inside}/.git`)
    expect(seen.length).toBeGreaterThan(0)
  })

  it('never prompts for a password', async () => {
    const port = await web.serve((_, response) => {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' })
      response.end()
    })
    await expect(fetch(`git::http://127.0.0.1:${port}/.git`)).rejects.toThrow(/no access/)
  })
})

/** As a web server runs it. */
function cgi(root: string, seen: string[]): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const url = new URL(request.url ?? '/', 'http://x')
    seen.push(url.pathname)
    const child = spawn(backend, [], {
      env: {
        ...environment,
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        ...(request.headers['content-encoding'] !== undefined && {
          HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
        }),
      },
    })
    request.pipe(child.stdin)
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('close', () => {
      const all = Buffer.concat(chunks)
      const end = all.indexOf('\r\n\r\n')
      for (const line of all.subarray(0, end).toString().split('\r\n')) {
        const [name = '', value = ''] = line.split(': ')
        if (name === 'Status') response.statusCode = Number.parseInt(value, 10)
        else response.setHeader(name, value)
      }
      response.end(all.subarray(end + 4))
    })
  }
}
