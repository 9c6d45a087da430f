/**
 * Runs ripgrep in a sandbox without network that shows what the call may read, read-only, and nothing else. Its
 * configuration files are not read.
 */

import { ContextdError } from '../../core/errors/errors.ts'
import type { Ended, Sandbox, SandboxLimits } from '../../sandbox/sandbox.ts'
import { isInFolder } from '../files/path-pattern.ts'
import { foldersFor, type CommandView } from '../shell/confinement.ts'
import { timeLeft } from '../time-left.ts'
import { readCounts, readLines, readNames } from './ripgrep-output.ts'
import {
  maxLineBytes,
  patternRefused,
  type SearchedFile,
  type SearchEngine,
  type SearchFound,
  type SearchMode,
  type SearchPlace,
} from './search.ts'

export interface RipgrepOptions {
  readonly sandbox: Pick<Sandbox, 'run'>
  readonly limits: SandboxLimits
  /** Folders of contextd, which it does not see. */
  readonly ownFolders: readonly string[]
  /** The path of the program. */
  readonly program: string
}

const maxOutputBytes = 8 * 1_048_576

const always = [
  '--no-config',
  // Problems with single files; those with the pattern are still reported.
  '--no-messages',
  '--color=never',
  '--hidden',
  '--no-ignore-global',
  '--no-ignore-dot',
  '--no-require-git',
  '--glob=!.git',
  '--glob=!*\n*',
  '--null',
]

const byMode: Readonly<Record<SearchMode, readonly string[]>> = {
  content: [
    '--no-heading',
    '--with-filename',
    '--line-number',
    '--byte-offset',
    '--no-context-separator',
    `--max-columns=${maxLineBytes}`,
  ],
  files: ['--files-with-matches'],
  count: ['--count', '--with-filename'],
}

/** Undefined if the kernel cannot be given exactly what this call may read of the folder. */
export function ripgrepFor(options: RipgrepOptions, place: SearchPlace): SearchEngine | undefined {
  const view = viewFor(options, place)
  if (view === undefined) return undefined
  const run = async (args: readonly string[]): Promise<Ended> => runRipgrep(options, view, place, args)
  return {
    async list(_, namePattern) {
      const ended = await run(['--files', ...typeArguments(namePattern), './'])
      return { items: readNames(textOf(ended)), notes: notesOn(ended) }
    },
    async grep({ pattern, mode, context, namePattern }): Promise<SearchFound<SearchedFile>> {
      const around = mode === 'content' && context > 0 ? [`--context=${context}`] : []
      const ended = await run([
        '--crlf',
        ...byMode[mode],
        ...around,
        ...typeArguments(namePattern),
        `--regexp=${pattern}`,
        './',
      ])
      checkPattern(ended)
      const output = textOf(ended)
      const items =
        mode === 'files'
          ? readNames(output).map((name) => ({ name, count: 1, lines: [] }))
          : mode === 'count'
            ? readCounts(output)
            : readLines(output)
      return { items, notes: notesOn(ended) }
    },
  }
}

function viewFor(
  { ownFolders }: RipgrepOptions,
  { call, access, folder }: SearchPlace,
): CommandView | undefined {
  const grants = call.grants.filter(({ kind }) => kind === 'fs:read')
  try {
    const view = foldersFor({ grants, workspace: access.workspace, ownFolders, protect: [] })
    const isShown = view.folders.some(({ path }) => isInFolder(folder, path))
    return isShown && !view.hidden.some((path) => isInFolder(folder, path)) ? view : undefined
  } catch (error) {
    if (error instanceof ContextdError && error.code === 'SANDBOX_UNAVAILABLE') return undefined
    throw error
  }
}

async function runRipgrep(
  { sandbox, limits, program }: RipgrepOptions,
  view: CommandView,
  { call, folder, file, isInWorkspace }: SearchPlace,
  args: readonly string[],
): Promise<Ended> {
  const confinement = {
    ...view,
    folders: [{ path: program, access: 'read' as const }, ...view.folders],
    programs: [],
    limits: {
      ...limits,
      timeMs: Math.max(1, Math.min(limits.timeMs, timeLeft(call, Date.now()))),
      outputBytes: maxOutputBytes,
    },
  }
  const target = file === undefined ? args : [...args.slice(0, -1), `./${file}`]
  const around = isInWorkspace ? [] : ['--no-ignore-parent']
  const run = (order: readonly string[]): Promise<Ended> =>
    sandbox.run(
      { run: [program, ...always, ...around, ...order, ...target], cwd: folder, env: {} },
      confinement,
      { signal: call.signal },
    )
  const ended = await run([])
  // Sorting takes a single thread, and is needed only so that the same files are always shown.
  return ended.limit === 'output' ? run(['--sort=path']) : ended
}

/** ripgrep applies a type in addition to ignore files, unlike `--glob`, which overrides them. */
function typeArguments(namePattern: string | undefined): string[] {
  return namePattern === undefined ? [] : [`--type-add=wanted:${namePattern}`, '--type=wanted']
}

function textOf({ stdout }: Ended): string {
  return stdout.toString()
}

/** Throws if ripgrep does not accept the pattern, with its reason. */
function checkPattern({ exitCode, stderr }: Ended): void {
  const complaint = stderr.toString().trim()
  if (exitCode !== 2 || complaint === '') return
  const reason = /^error: (.*)$/m.exec(complaint)?.[1] ?? complaint.split('\n')[0]!.replace(/^rg: /, '')
  throw patternRefused(`a regular expression: ${reason}`)
}

/** Throws if it did not run at all. */
function notesOn({ limit, exitCode, stderr }: Ended): string[] {
  if (limit === 'output') return [`Stopped after ${maxOutputBytes >> 20} MB of results.`]
  if (limit !== undefined) return [`Stopped at the limit on ${limit}.`]
  if (exitCode <= 2) return []
  throw new ContextdError('SANDBOX_UNAVAILABLE', {
    cause: `ripgrep ended with ${exitCode}: ${stderr.toString().trim().split('\n')[0]}`,
  })
}
