/** Who gets each file that `ctxd init` writes: git ignores those that are for this user alone. */

import { join, relative } from 'node:path'

import type { ClientFile, Remembered } from '../../../clients/init/client-file.ts'
import { lineFile } from '../../../clients/init/line-file.ts'
import type { FileAudience } from '../../../clients/init/layout.ts'
import { findGitFolder, type GitFolder } from '../../../platform/files/git-folder.ts'
import { readFileText } from '@contextd/shared/changes/change'
import { isWithin } from '@contextd/shared/files/within'
import type { CliIo } from '@contextd/shared/cli/output'
import { filesThatGitCommits } from './git-view.ts'

export interface Audiences {
  readonly of: (path: string) => FileAudience
  readonly notes: readonly string[]
}

const comment = '# Written by ctxd init for you alone; ctxd init --undo removes these lines'

/** Tells git to ignore the personal files, and still those of an earlier run for a client that is not set up now. */
export function excludeFiles(
  files: readonly ClientFile[],
  replaced: readonly ClientFile[],
  journal: readonly Remembered[],
  project: string | undefined,
): ClientFile[] {
  const git = project === undefined ? undefined : findGitFolder(project)
  if (git === undefined) return []
  const path = excludePath(git)
  // Its folder may be above the project.
  readFileText(path, git.common)
  const planned = new Set([...files, ...replaced].map((file) => lineFor(file.ignored ?? file.path, git)))
  const earlier = journal.find((one) => one.path === path)
  const others = addedLines(earlier).filter((line) => !planned.has(line) && line !== comment)
  const own = files.flatMap(({ ignored }) => (ignored === undefined ? [] : [lineFor(ignored, git)]))
  const lines = [...new Set([...others, ...own])]
  return lines.length === 0 ? [] : [marked(lineFile(path, [comment, ...lines]))]
}

/** For removing our lines, where the original is unknown. */
export function anyExcludeFile(files: readonly ClientFile[], project: string | undefined): ClientFile[] {
  const git = project === undefined ? undefined : findGitFolder(project)
  if (git === undefined) return []
  return [marked(lineFile(excludePath(git), [comment, ...files.map(({ path }) => lineFor(path, git))]))]
}

/** Anyone could have written the other lines. */
function marked(file: ClientFile): ClientFile {
  return { ...file, clear: (now) => (now.includes(comment) ? file.clear(now) : now) }
}

export async function findAudiences(
  changed: readonly string[],
  files: readonly ClientFile[],
  journal: readonly Remembered[],
  project: string | undefined,
  io: CliIo,
): Promise<Audiences> {
  if (project === undefined) return { of: () => 'user', notes: [] }
  const git = findGitFolder(project)
  const exclude = git && excludePath(git)
  const known = git === undefined ? [] : addedLines(journal.find(({ path }) => path === exclude))
  const ignored = [
    ...files.flatMap((file) => file.ignored ?? []),
    ...known.flatMap((line) => (line.startsWith('/') && git ? [join(git.root, line)] : [])),
  ]
  const isIgnored = (path: string): boolean => ignored.some((folder) => isWithin(folder, path))
  const personal = changed.filter((path) => isWithin(project, path) && path !== exclude && isIgnored(path))
  const view = git === undefined ? undefined : await filesThatGitCommits(personal, project, io.env)
  return {
    of(path) {
      if (path === exclude) return 'personal'
      if (!isWithin(project, path)) return 'user'
      return isIgnored(path) && view?.committed.has(path) !== true ? 'personal' : 'committed'
    },
    notes: [
      ...(git === undefined && personal.length > 0
        ? [
            'this is not a git repository: if it becomes one, run `ctxd init` again to have git ignore your personal files',
          ]
        : []),
      ...Array.from(view?.committed ?? [], ([path, why]) => `${path} is for you alone, but ${why}`),
      ...(view?.problem === undefined || personal.length === 0
        ? []
        : [`it is not known whether git ignores your personal files: ${view.problem}`]),
    ],
  }
}

function excludePath(git: GitFolder): string {
  return join(git.common, 'info', 'exclude')
}

function lineFor(path: string, git: GitFolder): string {
  return `/${relative(git.root, path).replaceAll('\\', '/')}`
}

function addedLines(earlier: Remembered | undefined): string[] {
  const before = new Set(earlier?.before?.split('\n'))
  return (earlier?.after.split('\n') ?? []).filter((line) => line !== '' && !before.has(line))
}
