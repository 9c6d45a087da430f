/** Asks git for the content of its configuration files, without running anything they name. */

import { createHash } from 'node:crypto'
import { join } from 'node:path'

import { homeFolder } from '@contextd/shared/files/home-folder'
import { outputOf } from '@contextd/shared/process'
import { readSmallFile } from '@contextd/shared/files/small-file'
import { createFindGit } from './find-git.ts'
import type { GitSetting } from './harmless-settings.ts'

export interface GitSettings {
  /** The settings of one file, without includes; undefined if git cannot read it. */
  inFile(file: string, terms: ReadTerms): Promise<readonly GitSetting[] | undefined>
  /** The files that git reads in every repository: the user's and the system's. */
  userFiles(terms: Pick<ReadTerms, 'roots'>): Promise<readonly string[]>
}

export interface ReadTerms {
  /** Folders that agents write to: no git is started from there. */
  readonly roots: readonly string[]
  /** How often git may still be started; a command can create any number of files. */
  readonly budget: { left: number }
}

/** A malicious file may take git long to read, and produce much more output than its size. */
const maxReadMs = 5000
const maxOutputBytes = 4 << 20
const maxKnown = 10_000

export function createGitSettings(env: NodeJS.ProcessEnv): GitSettings {
  // By content, not by time: a memory-mapped file changes without changing its times.
  const known = new Map<string, Promise<readonly GitSetting[] | undefined>>()
  const gitFor = createFindGit(env)
  let asked: Promise<readonly string[]> | undefined
  return {
    userFiles: ({ roots }) => (asked ??= userFiles(env, gitFor(roots))),
    async inFile(file, { roots, budget }) {
      const content = readSmallFile(file)
      if (content.kind !== 'bytes') return undefined
      const hash = createHash('sha256').update(content.bytes).digest('base64')
      const before = known.get(hash)
      if (before !== undefined) return before
      const git = gitFor(roots)
      if (git === undefined || budget.left-- <= 0) return undefined
      if (known.size >= maxKnown) known.clear()
      const reading = read(git, content.bytes).catch(() => undefined)
      known.set(hash, reading)
      return reading
    },
  }
}

/** Isolates git from the settings of the repository, the user and the system. */
const alone = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CEILING_DIRECTORIES: '/',
  GIT_DIR: '/nonexistent',
}

async function read(git: string, bytes: Buffer): Promise<GitSetting[]> {
  const args = ['--file', '-', '--no-includes', '--null', '--list']
  return (await ask(git, args, { HOME: '/nonexistent', ...alone }, bytes)).map((entry) => {
    // A name without a value means "true".
    const at = entry.indexOf('\n')
    return at === -1 ? { key: entry, value: 'true' } : { key: entry.slice(0, at), value: entry.slice(at + 1) }
  })
}

/** `git config` reads files and prints: unlike most commands it starts no hook, monitor, filter or pager. */
async function ask(
  git: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input?: Buffer,
): Promise<string[]> {
  const chunks: Buffer[] = []
  let size = 0
  const output = outputOf(git, ['--no-pager', 'config', ...args], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', ...env },
    ...(input !== undefined && { input }),
    signal: AbortSignal.timeout(maxReadMs),
  })
  for await (const chunk of output) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxOutputBytes) throw new Error('git printed too many settings')
  }
  return Buffer.concat(chunks)
    .toString()
    .split('\0')
    .filter((entry) => entry !== '')
}

/** The usual paths, and those that this git reports. */
async function userFiles(env: NodeJS.ProcessEnv, git: string | undefined): Promise<string[]> {
  const home = env.HOME ?? homeFolder()
  const { XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM } = env
  const usual = [join(home, '.gitconfig'), join(XDG_CONFIG_HOME ?? join(home, '.config'), 'git/config')]
  const given = { XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM }
  const list = ['--show-origin', '--name-only', '--includes', '--null', '--list']
  const place = { HOME: home, ...given, GIT_CEILING_DIRECTORIES: '/', GIT_DIR: '/nonexistent' }
  const found = git === undefined ? [] : await ask(git, list, place).catch(() => [])
  const origins = found.filter((entry) => entry.startsWith('file:')).map((entry) => entry.slice(5))
  return [
    ...new Set([
      GIT_CONFIG_SYSTEM ?? '/etc/gitconfig',
      ...(GIT_CONFIG_GLOBAL === undefined ? usual : [GIT_CONFIG_GLOBAL]),
      ...origins,
    ]),
  ]
}
