/** Asks git what is in its configuration files, in such a way that asking runs nothing. */

import { lstatSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

import { homeFolder } from '../../platform/home-folder.ts'
import { outputOf } from '../../platform/process.ts'
import type { GitSetting } from './harmless-settings.ts'

export interface GitSettings {
  /** The settings in one file, without what it includes; undefined where git cannot read it. */
  inFile(file: string): Promise<readonly GitSetting[] | undefined>
  /** The files git reads in every repository: those of the user and of the machine. */
  userFiles(): Promise<readonly string[]>
}

/** A hostile file may take git long to read. */
const maxReadMs = 5000
const maxFileBytes = 1 << 20

export function createGitSettings(env: NodeJS.ProcessEnv): GitSettings {
  const known = new Map<string, { readonly version: string; readonly settings: readonly GitSetting[] }>()
  // Not from a folder such as `node_modules/.bin`, which depends on where we are.
  const path = (env.PATH ?? '/usr/bin:/bin').split(delimiter).filter(isAbsolute).join(delimiter)
  let asked: Promise<readonly string[]> | undefined
  return {
    userFiles: () => (asked ??= userFiles(env, path)),
    async inFile(file) {
      const version = versionOf(file)
      if (version === undefined) return undefined
      const before = known.get(file)
      if (before?.version === version) return before.settings
      try {
        const settings = await read(file, path)
        known.set(file, { version, settings })
        return settings
      } catch {
        return undefined
      }
    },
  }
}

/** What was read is still right while this is the same: no program can set the time of the last change. */
function versionOf(file: string): string | undefined {
  try {
    const stat = lstatSync(file, { bigint: true })
    if (!stat.isFile() || stat.size > maxFileBytes) return undefined
    return `${stat.dev} ${stat.ino} ${stat.size} ${stat.ctimeNs}`
  } catch {
    return undefined
  }
}

/** Nothing of the repository around, of the user or of the machine has a say in how git reads one file. */
const alone = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CEILING_DIRECTORIES: '/',
  GIT_DIR: '/nonexistent',
}

async function read(file: string, path: string): Promise<GitSetting[]> {
  const args = ['--file', file, '--no-includes', '--null', '--list']
  return (await ask(args, { PATH: path, HOME: '/nonexistent', ...alone })).map((entry) => {
    // A name without a value means "true".
    const at = entry.indexOf('\n')
    return at === -1 ? { key: entry, value: 'true' } : { key: entry.slice(0, at), value: entry.slice(at + 1) }
  })
}

/** `git config` reads files and prints: unlike most commands it starts no hook, monitor, filter or pager. */
async function ask(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string[]> {
  const signal = AbortSignal.timeout(maxReadMs)
  const chunks: Buffer[] = []
  const output = outputOf('git', ['--no-pager', 'config', ...args], {
    cwd: '/',
    env: { LC_ALL: 'C', ...env },
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
