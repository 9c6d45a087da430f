/** Asks git what is in its configuration files, in such a way that asking runs nothing. */

import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

import { homeFolder } from '../../platform/home-folder.ts'
import { outputOf } from '../../platform/process.ts'
import { readSmallFile } from '../../platform/small-file.ts'
import type { GitSetting } from './harmless-settings.ts'

export interface GitSettings {
  /** The settings in one file, without what it includes; undefined where git cannot read it. */
  inFile(file: string): Promise<readonly GitSetting[] | undefined>
  /** The files git reads in every repository: those of the user and of the machine. */
  userFiles(): Promise<readonly string[]>
}

/** A hostile file may take git long to read. */
const maxReadMs = 5000
const maxKnown = 10_000

export function createGitSettings(env: NodeJS.ProcessEnv): GitSettings {
  // By what a file says, not by its times: a mapped file changes without them.
  const known = new Map<string, Promise<readonly GitSetting[] | undefined>>()
  // Not from a folder such as `node_modules/.bin`, which depends on where we are.
  const path = (env.PATH ?? '/usr/bin:/bin').split(delimiter).filter(isAbsolute).join(delimiter)
  let asked: Promise<readonly string[]> | undefined
  return {
    userFiles: () => (asked ??= userFiles(env, path)),
    async inFile(file) {
      const bytes = bytesOf(file)
      if (bytes === undefined) return undefined
      const hash = createHash('sha256').update(bytes).digest('base64')
      const before = known.get(hash)
      if (before !== undefined) return before
      if (known.size >= maxKnown) known.clear()
      const reading = read(bytes, path).catch(() => undefined)
      known.set(hash, reading)
      return reading
    },
  }
}

function bytesOf(file: string): Buffer | undefined {
  try {
    if (!lstatSync(file).isFile()) return undefined
  } catch {
    return undefined
  }
  const content = readSmallFile(file)
  return content.kind === 'bytes' ? content.bytes : undefined
}

/** Nothing of the repository around, of the user or of the machine has a say in how git reads one file. */
const alone = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CEILING_DIRECTORIES: '/',
  GIT_DIR: '/nonexistent',
}

async function read(bytes: Buffer, path: string): Promise<GitSetting[]> {
  const args = ['--file', '-', '--no-includes', '--null', '--list']
  return (await ask(args, { PATH: path, HOME: '/nonexistent', ...alone }, bytes)).map((entry) => {
    // A name without a value means "true".
    const at = entry.indexOf('\n')
    return at === -1 ? { key: entry, value: 'true' } : { key: entry.slice(0, at), value: entry.slice(at + 1) }
  })
}

/** `git config` reads files and prints: unlike most commands it starts no hook, monitor, filter or pager. */
async function ask(args: readonly string[], env: NodeJS.ProcessEnv, input?: Buffer): Promise<string[]> {
  const signal = AbortSignal.timeout(maxReadMs)
  const chunks: Buffer[] = []
  const output = outputOf('git', ['--no-pager', 'config', ...args], {
    cwd: '/',
    env: { LC_ALL: 'C', ...env },
    ...(input !== undefined && { input }),
    signal,
  })
  for await (const chunk of output) chunks.push(chunk)
  return Buffer.concat(chunks)
    .toString()
    .split('\0')
    .filter((entry) => entry !== '')
}

/** Where they usually are, and where this git says that it found some. */
async function userFiles(env: NodeJS.ProcessEnv, path: string): Promise<string[]> {
  const home = env.HOME ?? homeFolder()
  const { XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM } = env
  const usual = [join(home, '.gitconfig'), join(XDG_CONFIG_HOME ?? join(home, '.config'), 'git/config')]
  const given = { XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM }
  const found = await ask(['--show-origin', '--name-only', '--includes', '--null', '--list'], {
    PATH: path,
    HOME: home,
    ...given,
    GIT_CEILING_DIRECTORIES: '/',
    GIT_DIR: '/nonexistent',
  }).catch(() => [])
  const origins = found.filter((entry) => entry.startsWith('file:')).map((entry) => entry.slice(5))
  return [
    ...new Set([
      GIT_CONFIG_SYSTEM ?? '/etc/gitconfig',
      ...(GIT_CONFIG_GLOBAL === undefined ? usual : [GIT_CONFIG_GLOBAL]),
      ...origins,
    ]),
  ]
}
