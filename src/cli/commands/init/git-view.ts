/** What git makes of files that are for the user alone. Git is asked, because its rules have many sources. */

import { relative } from 'node:path'

import { outputOf, ProgramError } from '@contextd/shared/process'
import { createFindGit } from '../../../tools/repositories/find-git.ts'
import { userGitEnvironment } from '../../../tools/repositories/git-identity.ts'

export interface GitView {
  /** Files that git would commit although they are excluded, each with the reason. */
  readonly committed: ReadonlyMap<string, string>
  /** Why git could not say. */
  readonly problem?: string
}

const maxMs = 5000

/** A file that is tracked, or that a `.gitignore` takes back in: that has precedence over `info/exclude`. */
export async function filesThatGitCommits(
  paths: readonly string[],
  project: string,
  env: NodeJS.ProcessEnv,
): Promise<GitView> {
  if (paths.length === 0) return { committed: new Map() }
  const git = createFindGit(env)([project])
  if (git === undefined) return { committed: new Map(), problem: 'git was not found' }
  const names = new Map(paths.map((path) => [relative(project, path), path]))
  // Else git would start a monitor, and a program to fetch what a partial clone lacks.
  const own = { ...userGitEnvironment(env), GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' }
  const base = ['-c', 'core.fsmonitor=false', '--no-pager', '--no-optional-locks']
  const ask = async (args: readonly string[], input = ''): Promise<string[]> => {
    const chunks: Buffer[] = []
    const options = { cwd: project, env: own, input, signal: AbortSignal.timeout(maxMs) }
    try {
      for await (const chunk of outputOf(git, [...base, ...args], options)) chunks.push(chunk)
    } catch (error) {
      // check-ignore ends with 1 if none is ignored.
      if (!(error instanceof ProgramError) || error.complaint !== '' || chunks.length === 0) throw error
    }
    return Buffer.concat(chunks).toString().split('\0')
  }
  try {
    const tracked = await ask(['--literal-pathspecs', 'ls-files', '-z', '--', ...names.keys()])
    const ignored = await ask(
      ['check-ignore', '-z', '--verbose', '--non-matching', '--no-index', '--stdin'],
      Array.from(names.keys(), (name) => `${name}\0`).join(''),
    )
    const committed = new Map<string, string>()
    for (const name of tracked) {
      const path = names.get(name)
      if (path !== undefined) {
        committed.set(path, `git tracks it: \`git rm --cached ${name}\` ends that, and deletes it for others`)
      }
    }
    for (let at = 0; at + 3 < ignored.length; at += 4) {
      const [source = '', line = '', pattern = '', name = ''] = ignored.slice(at, at + 4)
      const path = names.get(name)
      if (path === undefined || committed.has(path) || !pattern.startsWith('!')) continue
      committed.set(path, `${source}:${line} (${pattern}) has git commit it`)
    }
    return { committed }
  } catch (error) {
    const complaint = error instanceof ProgramError ? error.complaint.split('\n')[0] : undefined
    return { committed: new Map(), problem: complaint || (error as Error).message }
  }
}
