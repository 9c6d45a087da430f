/** `lint --fix`: shows the changes, asks, backs up, and writes. */

import { join } from 'node:path'

import { realPathOrSame } from '../claude-code/read/workspace.ts'
import type { TextFile } from '../files/client-files.ts'
import { once } from '@contextd/shared/once'
import { repair } from '../findings/repair.ts'
import { managedFolders, type Setups } from '../read-setups.ts'
import { CommonError } from '@contextd/shared/errors/common-error'
import { homeFolder } from '@contextd/shared/files/home-folder'
import { ensurePrivateFolder } from '@contextd/shared/files/private-folder'
import { systemError } from '@contextd/shared/files/system-error'
import { refuseInsideAgent, requireOperator } from '@contextd/shared/operator'
import { replaceFile } from '@contextd/shared/files/small-file'
import { isWithin } from '@contextd/shared/files/within'
import { note, printLine, type CliIo } from '@contextd/shared/cli/output'
import { displayPath } from '@contextd/shared/cli/report'
import { checkWritable, makeChanges, readFileText, type FileChange } from '@contextd/shared/changes/change'
import {
  describeFileChanges,
  summarizePaths,
  printChanges,
  type DescribedChange,
} from '@contextd/shared/changes/show-changes'
import type { PermissionsHost } from './host.ts'
import type { Linted, LintOptions } from './lint.ts'

export interface Fixed {
  readonly changes: readonly DescribedChange[]
  readonly written: boolean
  /** The folder with the original files. */
  readonly backup: string | null
}

export async function fixFindings(
  { setups, findings }: Pick<Linted, 'setups' | 'findings'>,
  project: string,
  { dryRun, json, format }: LintOptions,
  host: PermissionsHost,
  io: CliIo,
): Promise<Fixed> {
  // These files decide what agents may do.
  if (!dryRun) refuseInsideAgent(io.env)
  const isText = !json && format !== 'json'
  const changes = planChanges({ setups, findings }, io.env)
  for (const change of changes) checkWritable(change)
  const described = describeFileChanges(changes, await host.openMask(io))
  if (isText) printChanges(described, io)
  if (dryRun || changes.length === 0) {
    if (isText)
      printLine(changes.length === 0 ? 'Nothing can be fixed automatically.' : 'Nothing was written.', io)
    return { changes: described, written: false, backup: null }
  }
  await confirm(changes, project, io)
  const backup = backUp(changes, host.backups(io.env))
  try {
    makeChanges(changes)
  } catch (error) {
    note(backupNote(backup), io)
    throw error
  }
  await record(changes, backup, host, io)
  if (isText)
    printLine(`Written: ${summarizePaths(changes.map(({ path }) => displayPath(io.cwd, path)))}`, io)
  note(backupNote(backup), io)
  return { changes: described, written: true, backup }
}

function backupNote(backup: string): string {
  return `the previous files are in ${backup}`
}

function planChanges(
  { setups, findings }: Pick<Linted, 'setups' | 'findings'>,
  env: NodeJS.ProcessEnv,
): FileChange[] {
  const read = textsRead(setups)
  const isEditable = editable(setups, env)
  const textOf = (file: string): string | undefined => {
    if (!isEditable(file)) return undefined
    const text = readable(file)
    // Offsets refer to the linted text.
    return read.has(file) && read.get(file) !== text ? undefined : text
  }
  const { texts } = repair(findings, textOf)
  return Array.from(texts, ([path, to]) => ({ path, from: readable(path), to }))
}

function readable(file: string): string | undefined {
  try {
    return readFileText(file)
  } catch (error) {
    if (error instanceof CommonError) return undefined
    throw error
  }
}

function textsRead(setups: Setups): Map<string, string> {
  return new Map(readFiles(setups).map(({ file, text }) => [file, text]))
}

function readFiles({ claudeCode, openCode }: Setups): TextFile[] {
  const { settings = [], agents = [], skills = [] } = claudeCode ?? {}
  return [...settings, ...agents, ...skills, ...(openCode?.sources ?? [])]
}

/** Files that decide about agents here. */
export function decidingFiles(setups: Setups): Set<string> {
  const places = [...readFiles(setups), ...(setups.claudeCode?.servers ?? [])]
  return new Set(places.map(({ file }) => file))
}

/** Managed settings belong to the administrator, and plugin files to the plugin's authors. */
export function editable({ claudeCode }: Setups, env: NodeJS.ProcessEnv): (file: string) => boolean {
  const others = [
    ...managedFolders(env),
    ...(claudeCode?.plugins ?? []).map(({ folder }) => realPathOrSame(folder)),
  ]
  // Called for every repair of every finding.
  return once((file) => !others.some((folder) => isWithin(folder, realPathOrSame(file))))
}

/** Whether it belongs to the project only: not a link to one of the user's files, nor in a project that contains the user's home. */
function belongsToProject(file: string, project: string, env: NodeJS.ProcessEnv): boolean {
  return (
    isWithin(project, realPathOrSame(file)) && !isWithin(project, realPathOrSame(env.HOME || homeFolder()))
  )
}

/** A link does not show which file is written. */
function withTarget(path: string): string {
  const real = realPathOrSame(path)
  return real === path ? path : `${path} (${real})`
}

/** Without a terminal only project files are written: no fix loosens them. */
async function confirm(changes: readonly FileChange[], project: string, io: CliIo): Promise<void> {
  try {
    await requireOperator({
      ...io,
      details: changes.map(({ path }) => `  ${withTarget(path)}`),
      question: `Write ${changes.length === 1 ? 'this file' : `these ${changes.length} files`}`,
    })
  } catch (error) {
    const isWithoutTerminal = error instanceof CommonError && error.code === 'OPERATOR_REQUIRED'
    if (!isWithoutTerminal || !changes.every(({ path }) => belongsToProject(path, project, io.env)))
      throw error
  }
}

/** Files may contain credentials, so only the user can read the copies. Stored by real path: restoring must not write over a link. */
function backUp(changes: readonly FileChange[], backups: string): string {
  const folder = join(backups, new Date().toISOString().replaceAll(/[:.]/g, '-'))
  for (const place of [backups, folder]) ensurePrivateFolder(place)
  try {
    for (const { path, from } of changes) replaceFile(join(folder, realPathOrSame(path)), from ?? '')
  } catch (error) {
    throw systemError(error, folder)
  }
  return folder
}

async function record(
  changes: readonly FileChange[],
  backup: string,
  host: PermissionsHost,
  io: CliIo,
): Promise<void> {
  try {
    await host.record?.({ files: changes.map(({ path }) => path), backup }, io)
  } catch (error) {
    note(`the change was not audited: ${(error as Error).message}`, io)
  }
}
