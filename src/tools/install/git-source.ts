/**
 * A tool from a git repository. The repository is untrusted: nothing in it is run, and no file is checked out; the
 * bytes are read directly from its objects.
 */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { packageLimits } from '../plugins/package-files.ts'
import { shownPath } from '@contextd/shared/archives/archive-entry'
import { refused, sourceUnavailable } from './problems.ts'
import { runProgram } from './programs.ts'
import type { ToolSource, SourceName } from './source.ts'
import { createTree, writeTree, type Tree } from './tree.ts'

type GitName = Extract<SourceName, { kind: 'git' }>

export interface GitLocation {
  /** Private, for git's own files. */
  readonly work: string
  readonly env: NodeJS.ProcessEnv
}

/** No configuration may run a program; the rest limits what a server can make git do. */
const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.attributesFile=/dev/null',
  'core.askPass=',
  'credential.helper=',
  'protocol.ext.allow=never',
  'protocol.version=2',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'transfer.bundleURI=false',
  // Everything in one pack file, so that the limit on file size limits the whole download.
  'fetch.unpackLimit=1',
  'core.bigFileThreshold=32m',
  'pack.threads=1',
  'gc.auto=0',
  'maintenance.auto=false',
  'http.followRedirects=false',
  'http.lowSpeedLimit=100',
  'http.lowSpeedTime=30',
].flatMap((setting) => ['-c', setting])

/** The environment variables passed to git: proxies, and the keys of the ssh agent. */
const passedOn =
  /^(?:PATH|USER|LOGNAME|SSH_AUTH_SOCK|SSL_CERT_FILE|SSL_CERT_DIR|GIT_SSL_CAINFO|(?:https?|all|no)_proxy)$/i

/** A list of names; large repositories have some thousand. */
const maxListBytes = 4 * 1_048_576
const here = 'refs/contextd/fetched'

type Git = (args: readonly string[], options?: { input?: string; maxBytes?: number }) => Promise<Buffer>

export function gitSource({ url, ref, folder }: GitName, place: GitLocation): ToolSource {
  const git = openGit(url, place)
  return {
    async resolve() {
      const { commit, wanted } = await findCommit(git, url, ref)
      return {
        revision: commit,
        async fetch(into) {
          const flags = ['-q', '--depth=1', '--no-tags', '--no-recurse-submodules']
          await git(['fetch', ...flags, '--', url, `+${wanted}:${here}`])
          const got = (await git(['rev-parse', '--verify', `${here}^{commit}`])).toString().trim()
          if (got !== commit)
            throw sourceUnavailable('it changed while it was fetched', 'Run the command again.')
          writeTree(into, await readFiles(git, folder === undefined ? commit : `${commit}:${folder}`))
        },
      }
    },
  }
}

function openGit(url: string, { work, env }: GitLocation): Git {
  const home = join(work, 'home')
  const folder = join(work, 'git')
  const [protocol = 'ssh'] = /^[a-z]+(?=:\/\/)/.exec(url) ?? []
  const own = {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => passedOn.test(name))),
    // The only way before 2.32 to ignore the user's configuration.
    HOME: home,
    XDG_CONFIG_HOME: home,
    TMPDIR: work,
    LC_ALL: 'C',
    GIT_DIR: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ALLOW_PROTOCOL: protocol,
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_LFS_SKIP_SMUDGE: '1',
    // Must not prompt on our terminal.
    GIT_SSH_COMMAND: 'ssh -oBatchMode=yes -oConnectTimeout=30',
  }
  const run: Git = (args, { input, maxBytes = maxListBytes } = {}) =>
    runProgram(
      {
        program: 'git',
        args: [...settings, ...args],
        cwd: work,
        env: own,
        maxBytes,
        ...(input !== undefined && { input }),
      },
      explain,
    )
  let made: Promise<Buffer> | undefined
  return async (args, options) => {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    await (made ??= run(['init', '-q', '--bare', '--template='], {}))
    return run(args, options)
  }
}

/** Messages of git may repeat URLs and more; known cases are replaced by our own words. */
function explain(complaint: string): string {
  if (/not found|does not exist|does not appear to be a git repository/i.test(complaint))
    return 'there is no such repository, or you have no access to it'
  if (
    /could not read (?:Username|Password)|Authentication failed|Permission denied|terminal prompts disabled/i.test(
      complaint,
    )
  )
    return 'you have no access to the repository; with ssh, git uses the keys of your agent'
  if (/Not a valid object name|path '[^']*' does not exist in/i.test(complaint))
    return 'there is no such folder in it'
  if (/couldn't find remote ref|not our ref|no such remote ref/i.test(complaint))
    return 'there is no such tag, branch or commit'
  if (
    /Could not resolve host|unable to (?:access|look up)|Could not read from remote|Connection/i.test(
      complaint,
    )
  )
    return 'the repository cannot be reached'
  if (/dumb http transport/i.test(complaint))
    return 'the server uses an old protocol that cannot fetch a single version'
  return 'git could not fetch it'
}

interface Found {
  readonly commit: string
  /** The ref to fetch it by. */
  readonly wanted: string
}

const commitPattern = /^[0-9a-f]{40}$/

async function findCommit(git: Git, url: string, ref: string | undefined): Promise<Found> {
  if (ref !== undefined && commitPattern.test(ref)) return { commit: ref, wanted: ref }
  // A tag is preferred to a branch of the same name, and the target of an annotated tag (^{}) to the tag.
  const names = ref === undefined ? ['HEAD'] : [`refs/tags/${ref}`, `refs/heads/${ref}`]
  const patterns = names.flatMap((name) => [name, `${name}^{}`])
  const list = (await git(['ls-remote', '--', url, ...patterns])).toString()
  const known = new Map(list.split('\n').map((line) => line.split('\t').toReversed() as [string, string]))
  for (const name of names) {
    const commit = known.get(`${name}^{}`) ?? known.get(name)
    if (commit !== undefined && commitPattern.test(commit)) return { commit, wanted: name }
  }
  throw sourceUnavailable(
    'there is no such tag or branch',
    'Name a tag, a branch or a whole commit id behind @.',
  )
}

interface Listed {
  readonly object: string
  readonly size: number
  put(bytes: Buffer): void
}

async function readFiles(git: Git, place: string) {
  const tree = createTree()
  const list = await git(['ls-tree', '-r', '-z', '-l', '--full-tree', place])
  const listed = list
    .toString()
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => admitted(line, tree))
  if (listed.length === 0) throw sourceUnavailable('it contains no files')
  const input = listed.map(({ object }) => `${object}\n`).join('')
  const maxBytes = packageLimits.bytes + 256 * listed.length
  const bytes = await git(['cat-file', '--batch'], { input, maxBytes })
  let at = 0
  for (const { object, size, put } of listed) {
    const start = bytes.indexOf('\n', at) + 1
    if (bytes.subarray(at, start).toString() !== `${object} blob ${size}\n`)
      throw sourceUnavailable('git could not fetch it')
    put(Buffer.from(bytes.subarray(start, start + size)))
    at = start + size + 1
  }
  return tree.files()
}

const linePattern = /^(\d{6}) (\w+) ([0-9a-f]{40,64}) +(\d+|-)\t(.+)$/s

function admitted(line: string, tree: Tree): Listed {
  const [, mode, type, object = '', size, path = ''] = linePattern.exec(line) ?? []
  if (type === 'commit') throw refused(`${shownPath(path)} is a submodule; name its repository instead`)
  if (mode === '120000') throw refused(`${shownPath(path)} is a link`)
  if (type !== 'blob') throw refused(`${shownPath(path)} is not a regular file`)
  const entry = { path, kind: 'file', size: Number(size), mode: mode === '100755' ? 0o755 : 0o644 } as const
  return { object, size: entry.size, put: tree.admit(entry) }
}
