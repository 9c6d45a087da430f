/** Runs git in a repository that may not be trusted: nothing that its configuration names is executed. */

import { CommonError } from '@contextd/shared/errors/common-error'
import { outputOf, ProgramError } from '@contextd/shared/process'

export interface ScannedRepository {
  /** A folder in the repository. */
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

const safeOptions = [
  '--no-pager',
  '--literal-pathspecs',
  ...[
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'core.pager=cat',
    'core.attributesFile=/dev/null',
    // Committed files can look like a bare repository and redirect the scan.
    'safe.bareRepository=explicit',
  ].flatMap((setting) => ['-c', setting]),
]

/** Variables that select another repository, run a program, or write a file. */
const unsafeVariables =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|EXTERNAL_DIFF|DIFF_OPTS|TRACE.*|PAGER|NAMESPACE)$/
/** git sets these in hooks to identify what is about to be committed. */
const hookVariables = /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY)$/

function environment(env: NodeJS.ProcessEnv, inHook: boolean): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name]) => !unsafeVariables.test(name) || (inHook && hookVariables.test(name)),
  )
  return {
    ...Object.fromEntries(kept),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    // Replacement objects could hide what commits really contain.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: '/dev/null',
    // Fetching a missing object could run a program that the configuration names.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  }
}

/** The output of git. With `inHook`, the variables that git sets in hooks apply, such as the index to use. */
export async function* git(
  { folder, env }: ScannedRepository,
  args: readonly string[],
  { input, inHook = false }: { input?: string; inHook?: boolean } = {},
): AsyncGenerator<Buffer, void> {
  try {
    const options = { cwd: folder, env: environment(env, inHook), ...(input !== undefined && { input }) }
    yield* outputOf('git', [...safeOptions, ...args], options)
  } catch (error) {
    throw error instanceof ProgramError ? gitFailed(error) : error
  }
}

/** Undefined if git ran and failed. */
export async function askGit(
  place: ScannedRepository,
  args: readonly string[],
  options: { input?: string; inHook?: boolean } = {},
): Promise<string | undefined> {
  const parts: Buffer[] = []
  try {
    for await (const part of git(place, args, options)) parts.push(part)
  } catch (error) {
    if (error instanceof GitRefusal) return undefined
    throw error
  }
  return Buffer.concat(parts).toString('latin1')
}

/** git ran and failed. */
class GitRefusal extends Error {
  override name = 'GitRefusal'
}

function gitFailed({ kind, complaint, message }: ProgramError): Error {
  if (kind === 'missing') {
    return new CommonError('NOT_FOUND', {
      what: 'git on this machine',
      hint: 'Install git, or scan files without --git-range and --staged, which does not need git.',
    })
  }
  const line = complaint.split('\n').find((text) => /^(?:fatal|error):/.test(text)) ?? message
  return new GitRefusal(`git: ${line.replace(/^(?:fatal|error): /, '')}`)
}

/** The top folder of the repository. */
export async function repositoryOf(place: ScannedRepository, inHook: boolean): Promise<string> {
  let complaint = ''
  try {
    const parts: Buffer[] = []
    for await (const part of git(place, ['rev-parse', '--show-toplevel'], { inHook })) parts.push(part)
    const folder = Buffer.concat(parts).toString('utf8').replace(/\n$/, '')
    if (folder !== '') return folder
  } catch (error) {
    if (!(error instanceof GitRefusal)) throw error
    complaint = error.message
  }
  throw new CommonError('NOT_FOUND', {
    what: 'git repository with a working tree here',
    hint: /dubious ownership/.test(complaint)
      ? 'The repository belongs to another user. Add it to safe.directory in your git configuration.'
      : 'Specify a folder in a repository, or scan files without --git-range and --staged.',
  })
}
