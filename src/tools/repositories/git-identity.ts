/** The name and email of the user's commits, for commands that cannot read the user's git configuration. */

import { homeFolder } from '@contextd/shared/files/home-folder'
import { outputOf } from '@contextd/shared/process'

import { createFindGit } from './find-git.ts'

/** The variables for a command in `folder`. `roots` are the folders to which agents write. */
export type GitIdentity = (folder: string, roots: readonly string[]) => Promise<Record<string, string>>

const parts = [
  { key: 'user.name', variables: ['GIT_AUTHOR_NAME', 'GIT_COMMITTER_NAME'] },
  { key: 'user.email', variables: ['GIT_AUTHOR_EMAIL', 'GIT_COMMITTER_EMAIL'] },
] as const

/** Far more than any name; the rest is a mistake. */
const maxBytes = 4096
const maxReadMs = 3000
/** A changed identity is used after this time at the latest. */
const knownForMs = 60_000

export function createGitIdentity(env: NodeJS.ProcessEnv, now: () => number): GitIdentity {
  const findGit = createFindGit(env)
  const known = new Map<
    string,
    { readonly untilMs: number; readonly variables: Promise<Record<string, string>> }
  >()
  return (folder, roots) => {
    const git = findGit(roots)
    if (git === undefined) return Promise.resolve({})
    const before = known.get(folder)
    if (before !== undefined && now() < before.untilMs) return before.variables
    const variables = readIdentity({ git, folder, env: userGitEnvironment(env) })
    known.set(folder, { untilMs: now() + knownForMs, variables })
    return variables
  }
}

/** Only what tells git where the user's own configuration is: no variable that names a program or a setting. */
export function userGitEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM, GIT_CONFIG_NOSYSTEM } = env
  return {
    PATH: '/usr/bin:/bin',
    LC_ALL: 'C',
    HOME: env.HOME ?? homeFolder(),
    XDG_CONFIG_HOME,
    GIT_CONFIG_GLOBAL,
    GIT_CONFIG_SYSTEM,
    GIT_CONFIG_NOSYSTEM,
  }
}

interface GitPlace {
  readonly git: string
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

async function readIdentity(place: GitPlace): Promise<Record<string, string>> {
  const found = await Promise.all(
    parts.map(async ({ key, variables }) => {
      const [local, user] = await Promise.all([
        // Variables would override what the repository itself sets, and git in the sandbox can read that.
        readSetting(place, ['--local', '--no-includes'], key),
        readUserSetting(place, key),
      ])
      return user === '' || local !== '' ? [] : variables.map((name) => [name, user] as const)
    }),
  )
  return Object.fromEntries(found.flat())
}

async function readUserSetting(place: GitPlace, key: string): Promise<string> {
  const own = await readSetting(place, ['--global', '--includes'], key)
  return own === '' ? readSetting(place, ['--system', '--includes'], key) : own
}

/**
 * Started in the folder, because the user's configuration may include a file only for some folders. `git config` reads
 * and prints: it starts no hook, filter, monitor or pager, whatever a repository contains.
 */
async function readSetting(
  { git, folder, env }: GitPlace,
  source: readonly string[],
  key: string,
): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    const args = ['--no-pager', 'config', ...source, '--null', '--get', key]
    const signal = AbortSignal.timeout(maxReadMs)
    for await (const chunk of outputOf(git, args, { cwd: folder, env, signal })) {
      chunks.push(chunk)
      size += chunk.length
      if (size > maxBytes) return ''
    }
  } catch {
    // Not set, or git cannot read its configuration: then git in the sandbox asks for an identity.
    return ''
  }
  return Buffer.concat(chunks).toString().replace(/\0$/, '').trim()
}
