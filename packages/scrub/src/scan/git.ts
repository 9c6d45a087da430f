/** Asks git, in a repository that may be a stranger's: nothing that its configuration names is run. */

import { CommonError } from '@contextd/shared/errors/common-error'
import { outputOf, ProgramError } from '@contextd/shared/process'

export interface ScannedRepository {
  /** A folder in the repository. */
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

const harmless = [
  '--no-pager',
  '--literal-pathspecs',
  ...[
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'core.pager=cat',
    'core.attributesFile=/dev/null',
    // Files that anybody committed can look like a repository, and say what there is to be scanned.
    'safe.bareRepository=explicit',
  ].flatMap((setting) => ['-c', setting]),
]

/** Variables that would lead to another repository, run something, or write somewhere. */
const misleading =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|EXTERNAL_DIFF|DIFF_OPTS|TRACE.*|PAGER|NAMESPACE)$/
/** In a hook, git says with these what is about to be committed. */
const ofHooks = /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY)$/

function environment(env: NodeJS.ProcessEnv, inHook: boolean): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name]) => !misleading.test(name) || (inHook && ofHooks.test(name)),
  )
  return {
    ...Object.fromEntries(kept),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    // What is there is looked at, not what is put in its place.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: '/dev/null',
    // An object that is missing would be fetched by whatever the configuration names.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  }
}

/** What git prints. `inHook`: it is asked about what is staged, where a hook may mean another index. */
export async function* git(
  { folder, env }: ScannedRepository,
  args: readonly string[],
  { input, inHook = false }: { input?: string; inHook?: boolean } = {},
): AsyncGenerator<Buffer, void> {
  try {
    const options = { cwd: folder, env: environment(env, inHook), ...(input !== undefined && { input }) }
    yield* outputOf('git', [...harmless, ...args], options)
  } catch (error) {
    throw error instanceof ProgramError ? gitFailed(error) : error
  }
}

/** Undefined where git says no. */
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
      hint: 'Install git, or scan the files themselves: without --git-range and --staged it is not needed.',
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
      ? 'The repository belongs to another user: name it in safe.directory of your git configuration.'
      : 'Name a folder of a repository, or scan files without --git-range and --staged.',
  })
}
