/** Resolves targets and rules, runs the scan and builds the report. */

import { relative, resolve } from 'node:path'

import type { Chunks } from '@contextd/shared/archives/chunks'
import { loadBaseline, loadIgnored } from './report/earlier-findings.ts'
import { createReport, type ScanProgress, type ScanReport } from './report/report.ts'
import { scanRange, scanStaged } from './scan-commits.ts'
import { loadScanRules, type UserSettings } from './rules/scan-config.ts'
import type { ContentScan } from './scan-content.ts'
import { scanFiles } from './scan-files.ts'
import { findTarget, targetFolder, commonRoot, rootOfChanges } from './targets.ts'

export { sarifReport } from './report/sarif.ts'
export type { ScanFinding } from './report/finding.ts'
export type { FileTrust, UserSettings } from './rules/scan-config.ts'
export type { ScanProgress, ScanReport } from './report/report.ts'

/**
 * What to scan, and with which rules.
 *
 * @example
 * import { scan, type ScanOptions } from '@contextd/scrub/scan'
 *
 * const options: ScanOptions = {
 *   env: process.env,
 *   cwd: process.cwd(),
 *   paths: ['-'],
 *   stdin: [Buffer.from('nothing to hide')],
 * }
 * console.log((await scan(options)).files)
 * // → 1
 */
export interface ScanOptions {
  /** `GITLEAKS_CONFIG` and `GITLEAKS_CONFIG_TOML` apply; git gets the whole environment. */
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  /** Files and folders; `-` for `stdin`. */
  readonly paths: readonly string[]
  /** Scan the lines that commits add, or that are staged, instead of files. */
  readonly changes?: { readonly range: string } | 'staged'
  /** A file with rules in gitleaks' format, used instead of all others. */
  readonly configFile?: string
  /** An earlier report, whose findings are not reported again. */
  readonly baselineFile?: string
  readonly stdin?: Chunks
  /** Whether encoded secrets are detected; true by default. */
  readonly decode?: boolean
  /** Whether files that `.gitignore` lists are skipped; true by default. */
  readonly useIgnoreFiles?: boolean
  /** Larger files are skipped. */
  readonly maxFileBytes?: number
  /** Trust and rules of the user; without them, the project's own files have no effect. */
  readonly settings?: UserSettings
  readonly onNote?: (text: string) => void
  readonly onProgress?: (progress: ScanProgress) => void
}

/**
 * Finds secrets in files, archives and commits. The report contains no secret.
 *
 * @example
 * import { scan } from '@contextd/scrub/scan'
 *
 * const { findings } = await scan({ env: process.env, cwd: process.cwd(), paths: ['app.log'] })
 * for (const { file, line, rule } of findings) console.log(`${file}:${line} ${rule}`)
 * // → app.log:1 github-pat
 */
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
  const content: ContentScan = { rules, report, decode: options.decode ?? true, clock: Date.now }
  if (changes === undefined) {
    const { stdin = [], useIgnoreFiles = true, maxFileBytes } = options
    const files = { env, stdin, useIgnoreFiles, ...(maxFileBytes !== undefined && { maxFileBytes }) }
    await scanFiles(options.paths.includes('-'), targets, root, files, content)
  } else {
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
