/** Collects the findings of a scan, without known and ignored ones. */

import type { IgnoredFinding as IgnorablePlace, IgnoredFindings } from '../../gitleaks/ignore-file.ts'
import { fileFinding, secretFinding, type FindingPlace, type ScanFinding } from './finding.ts'
import type { Baseline } from './baseline.ts'
import type { ScanRules } from '../rules/scan-rules.ts'
import { createNameMask } from '../content/shown-name.ts'
import type { TextScanResult } from '../content/text-scan.ts'

/**
 * The result of a scan.
 *
 * @example
 * import { scan, type ScanReport } from '@contextd/scrub/scan'
 *
 * const isClean = ({ findings, warnings }: ScanReport) => findings.length === 0 && warnings.length === 0
 * console.log(isClean(await scan({ env: process.env, cwd: process.cwd(), paths: ['app.log'] })))
 * // → false
 */
export interface ScanReport {
  /** The folder that file names are relative to. */
  readonly root: string
  readonly findings: readonly ScanFinding[]
  /** Scanned files, or files changed in commits. */
  readonly files: number
  readonly bytes: number
  readonly commits?: number
  /** Found, but suppressed by an allowlist, a comment or an ignore file. */
  readonly allowed: number
  /** Found, but already in the baseline. */
  readonly known: number
  /** Files that were deliberately not scanned. */
  readonly skipped: readonly { readonly file: string; readonly why: string }[]
  /** Files that could not be scanned, or not completely. */
  readonly warnings: readonly ScanWarning[]
}

export interface ScanWarning {
  readonly file?: string
  readonly message: string
}

/**
 * What a running scan has done so far.
 *
 * @example
 * import { scan, type ScanProgress } from '@contextd/scrub/scan'
 *
 * const onProgress = ({ files, bytes }: ScanProgress) => void process.stderr.write(`${files} files, ${bytes} bytes\r`)
 * await scan({ env: process.env, cwd: process.cwd(), paths: ['app.log'], onProgress })
 */
export interface ScanProgress {
  readonly files: number
  readonly bytes: number
  readonly findings: number
}

export interface ScanReportOptions {
  readonly root: string
  readonly rules: ScanRules
  readonly ignored: readonly IgnoredFindings[]
  readonly baseline?: Baseline
  readonly onProgress?: (progress: ScanProgress) => void
}

export interface ReportBuilder {
  add(result: TextScanResult, place: FindingPlace): void
  addFile(rule: string, place: FindingPlace): void
  /** Count towards the totals and the progress. */
  countFile(): void
  countBytes(bytes: number): void
  countCommits(commits: number): void
  skip(file: string, why: string): void
  warn(message: string, file?: string): void
  finish(): ScanReport
}

/** A file full of secrets must not produce a report too large to open. */
const maxFindingsPerFile = 10_000

export function createReport({
  root,
  rules,
  ignored,
  baseline,
  onProgress,
}: ScanReportOptions): ReportBuilder {
  const findings: ScanFinding[] = []
  const skipped: { file: string; why: string }[] = []
  const warnings: ScanWarning[] = []
  const inFile = { file: '', count: 0 }
  let files = 0
  let bytes = 0
  let commits: number | undefined
  let allowed = 0
  let known = 0

  const shownName = createNameMask(rules)
  const isIgnored = (place: IgnorablePlace): boolean => ignored.some((list) => list.find(place) !== undefined)

  /** `path` is the real name, `finding` has the masked one. Lists may contain either. */
  const addUnlessKnown = (finding: ScanFinding, path: string, line: number, secret: string): void => {
    const { rule, file, commit } = finding
    const names = new Set([path, file])
    const isListed = (path: string): boolean =>
      isIgnored({ rule, path, line, ...(commit !== undefined && { commit }) })
    if ([...names].some(isListed)) allowed++
    else if ([...names].some((file) => baseline?.isKnown({ ...finding, file }, secret))) known++
    else {
      if (inFile.file !== file) Object.assign(inFile, { file, count: 0 })
      if (++inFile.count <= maxFindingsPerFile) findings.push(finding)
      else if (inFile.count === maxFindingsPerFile + 1) {
        warnings.push({ file, message: `only the first ${maxFindingsPerFile} findings are listed` })
      }
    }
  }

  const shown = (place: FindingPlace): FindingPlace => ({ ...place, file: shownName(place.file) })

  return {
    add(result, place) {
      allowed += result.allowed.length
      for (const found of result.found) {
        const finding = secretFinding(found, shown(place), rules.describe(found.rule))
        addUnlessKnown(finding, place.file, found.matchLine, found.secret)
      }
    },
    addFile(rule, place) {
      addUnlessKnown(fileFinding(rule, shown(place), rules.describe(rule)), place.file, 0, '')
    },
    countFile() {
      files++
      onProgress?.({ files, bytes, findings: findings.length })
    },
    countBytes(more) {
      bytes += more
      onProgress?.({ files, bytes, findings: findings.length })
    },
    countCommits(more) {
      commits = (commits ?? 0) + more
    },
    skip(file, why) {
      skipped.push({ file: shownName(file), why })
    },
    warn(message, file) {
      warnings.push({ message, ...(file !== undefined && { file: shownName(file) }) })
    },
    finish: () => ({
      root,
      findings,
      files,
      bytes,
      ...(commits !== undefined && { commits }),
      allowed,
      known,
      skipped,
      warnings,
    }),
  }
}
