/** The scan as a whole: what to look at, by which rules, and what came of it. */

import { relative, resolve } from 'node:path'

import { loadBaseline, loadIgnored } from './report/earlier-findings.ts'
import { createReport, type ScanProgress, type ScanReport } from './report/report.ts'
import { scanRange, scanStaged } from './scan-commits.ts'
import { loadScanRules, type UserSettings } from './rules/scan-config.ts'
import type { ContentScan } from './scan-content.ts'
import { scanFiles, type FileOptions } from './scan-files.ts'
import { findTarget, targetFolder, commonRoot, rootOfChanges } from './targets.ts'

export { sarifReport } from './report/sarif.ts'
export type { ScanFinding } from './report/finding.ts'
export type { FileTrust, UserSettings } from './rules/scan-config.ts'
export type { ScanProgress, ScanReport } from './report/report.ts'

export interface ScanOptions extends FileOptions {
  readonly cwd: string
  /** Files and folders; `-` for what is piped in. */
  readonly paths: readonly string[]
  /** What is looked at instead of the files as they are: what commits add, or what is staged. */
  readonly changes?: { readonly range: string } | 'staged'
  readonly configFile?: string
  readonly baselineFile?: string
  readonly decode: boolean
  /** Trust and rules of the user; without them the project's own files have no effect. */
  readonly settings?: UserSettings
  readonly onNote?: (text: string) => void
  readonly onProgress?: (progress: ScanProgress) => void
}

export async function scan(options: ScanOptions): Promise<ScanReport> {
  const { cwd, env, changes, onProgress } = options
  const targets = options.paths.filter((path) => path !== '-').map((path) => findTarget(resolve(cwd, path)))
  const baseline =
    options.baselineFile === undefined ? undefined : loadBaseline(resolve(cwd, options.baselineFile))
  const root =
    changes === undefined
      ? commonRoot(targets, cwd)
      : await rootOfChanges(options.paths, targets, { folder: cwd, env }, changes === 'staged')
  const folders = [...new Set([...targets.map(targetFolder), root])]
  const { rules, notes } = await loadScanRules({
    env,
    cwd,
    folders,
    ...(options.configFile !== undefined && { configFile: options.configFile }),
    ...(options.settings !== undefined && { settings: options.settings }),
  })
  for (const text of notes) options.onNote?.(text)
  const warnings: [message: string, file: string][] = []
  const ignored = folders.flatMap((folder) => loadIgnored(folder, root, warnings))
  const report = createReport({
    root,
    rules,
    ignored,
    ...(baseline && { baseline }),
    ...(onProgress && { onProgress }),
  })
  for (const warning of warnings) report.warn(...warning)
  const content: ContentScan = { rules, report, decode: options.decode, clock: Date.now }
  if (changes === undefined) await scanFiles(options.paths.includes('-'), targets, root, options, content)
  else {
    const scan = {
      ...content,
      place: { folder: root, env },
      paths: targets.map(({ path }) => relative(root, path)).filter((path) => path !== ''),
    }
    if (changes === 'staged') await scanStaged(scan)
    else await scanRange(changes.range, scan)
  }
  return report.finish()
}
