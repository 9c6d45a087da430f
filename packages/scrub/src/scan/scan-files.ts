/** Scans files and folders on disk. */

import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { join, relative } from 'node:path'

import { CommonError } from '@contextd/shared/errors/common-error'
import type { Chunks } from '@contextd/shared/archives/chunks'
import { askGit } from './git.ts'
import { openFile } from '@contextd/shared/files/open-file'
import type { ReportBuilder } from './report/report.ts'
import { scanFile, scanStream, type ContentScan } from './scan-content.ts'
import type { ScanTarget } from './targets.ts'
import { walkFolder, type WalkedFile } from '@contextd/shared/files/walk'

export interface FileOptions {
  readonly env: NodeJS.ProcessEnv
  readonly stdin: Chunks
  readonly useIgnoreFiles: boolean
  /** Larger files are skipped. */
  readonly maxFileBytes?: number
}

export async function scanFiles(
  withStdin: boolean,
  targets: readonly ScanTarget[],
  root: string,
  options: FileOptions,
  content: ContentScan,
): Promise<void> {
  const { report } = content
  if (withStdin) {
    report.countFile()
    await scanStream('stdin', options.stdin, 'is an archive, piped in', content)
  }
  const seen = new Set<string>()
  const once = async (file: WalkedFile): Promise<void> => {
    if (seen.has(file.name)) return
    seen.add(file.name)
    await scanOne(file, options, content)
  }
  for (const { path, isFolder } of targets) {
    if (isFolder) await scanFolder(path, root, options, report, once)
    else await once({ path: Buffer.from(path), name: relative(root, path) })
  }
}

async function scanFolder(
  folder: string,
  root: string,
  { env, useIgnoreFiles }: FileOptions,
  report: ReportBuilder,
  scanOnce: (file: WalkedFile) => Promise<void>,
): Promise<void> {
  let ignored = 0
  let found = 0
  const walk = walkFolder({
    root,
    folder,
    ignoreFiles: useIgnoreFiles ? ['.gitignore'] : [],
    onIgnored: () => ignored++,
    onSkip: report.skip,
    onWarning: (name, message) => report.warn(message, name),
  })
  for (const file of walk) {
    found++
    await scanOnce(file)
  }
  if (ignored === 0) return
  for (const file of await trackedIgnored(folder, root, env, report)) {
    found++
    await scanOnce(file)
  }
  if (found === 0)
    report.warn(
      'everything here is ignored by ignore files; --no-ignore scans it anyway',
      relative(root, folder) || '.',
    )
}

/** Files that are ignored but tracked: anyone who clones the repository gets them. */
async function trackedIgnored(
  folder: string,
  root: string,
  env: NodeJS.ProcessEnv,
  report: ReportBuilder,
): Promise<WalkedFile[]> {
  if (!existsSync(join(root, '.git'))) return []
  let listed: string | undefined
  try {
    const args = ['ls-files', '-z', '--cached', '--ignored', '--exclude-standard', '--full-name']
    listed = await askGit({ folder, env }, args)
  } catch (error) {
    if (!(error instanceof CommonError)) throw error
  }
  if (listed === undefined) {
    report.warn('could not ask git for files that are ignored but tracked')
    return []
  }
  return listed.split('\0').flatMap((name) => {
    const path = Buffer.from(`${Buffer.from(root).toString('latin1')}/${name}`, 'latin1')
    return name === '' || !isRegularFile(path)
      ? []
      : [{ path, name: Buffer.from(name, 'latin1').toString('utf8') }]
  })
}

/** Whether the file exists and is not behind a link. */
function isRegularFile(path: Buffer): boolean {
  try {
    const folder = path.subarray(0, path.lastIndexOf('/'))
    return lstatSync(path).isFile() && realpathSync(folder, 'buffer').equals(folder)
  } catch {
    return false
  }
}

async function scanOne(
  { path, name }: WalkedFile,
  { maxFileBytes = Infinity }: FileOptions,
  content: ContentScan,
): Promise<void> {
  const { report } = content
  let file
  try {
    file = openFile(path)
    if (file === undefined) report.skip(name, 'is not a regular file')
    else if (file.size > maxFileBytes) report.skip(name, `is larger than ${maxFileBytes} bytes`)
    else {
      report.countFile()
      await scanFile(file, name, content)
    }
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException
    // A file system error for one file must not stop the scan of the others.
    if (syscall === undefined || code === undefined) throw error
    if (code === 'ELOOP' || code === 'EMLINK') report.skip(name, 'is a link')
    else report.warn(`cannot be ${syscall === 'read' ? 'read' : 'opened'} (${code})`, name)
  } finally {
    file?.close()
  }
}
