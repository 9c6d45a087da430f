/** Scans one file of any kind: text, notebook, binary or archive. */

import { ArchiveError } from '@contextd/shared/archives/archive-entry'
import { peek, type Chunks } from '@contextd/shared/archives/chunks'
import { allowancesIn } from '../gitleaks/allowance.ts'
import { rulesForFile } from '../gitleaks/apply-rules.ts'
import type { Allowlist } from '../gitleaks/gitleaks-config.ts'
import { lineIndexOf, type Lines } from '../gitleaks/lines.ts'
import { sniffArchive, visitArchive } from './content/archive.ts'
import { createByteScan, sniffLength } from './content/byte-scan.ts'
import type { FindingPlace } from './report/finding.ts'
import { readNotebook } from './content/notebook.ts'
import type { OpenFile } from '@contextd/shared/files/open-file'
import type { ReportBuilder } from './report/report.ts'
import type { ScanRules } from './rules/scan-rules.ts'
import { rulesThatFindName } from './content/shown-name.ts'
import type { Search } from './content/search-text.ts'
import { createTextScan, type LocatedSecret } from './content/text-scan.ts'

export interface ContentScan {
  readonly rules: ScanRules
  readonly decode: boolean
  readonly report: ReportBuilder
  readonly clock: () => number
}

/** Notebooks are parsed in memory; larger ones are scanned as text. */
const maxNotebookBytes = 64 * 1_048_576
/** Only crafted text takes longer. */
const deadlineMs = 60_000

const maxNameLength = 4096

class DeadlineExceeded extends Error {}

export async function scanFile(file: OpenFile, name: string, scan: ContentScan): Promise<void> {
  const { report } = scan
  const kind = sniffArchive(file.read(0, sniffLength))
  if (typeof kind === 'object') report.skip(name, `is compressed as ${kind.closed}, which is not opened`)
  if (typeof kind !== 'string') return scanContent(name, file.chunks(), scan)
  reportFile({ file: name, wholeFile: true }, scan)
  report.countBytes(file.size)
  const found = new Set<string>()
  let isComplete = true
  const inArchive = { ...scan, report: withoutKnown(report, found) }
  const inside = (entry: string): string => `${name}!${normalizedEntryName(entry)}`
  await visitArchive(kind, file, name, {
    async entry({ name, chunks }) {
      const reason = 'is an archive inside an archive'
      if (!(await scanStream(inside(name), chunks, reason, inArchive))) isComplete = false
    },
    skip(entry, why) {
      isComplete = false
      report.skip(inside(entry), why)
    },
    incomplete(why) {
      isComplete = false
      report.warn(`not fully scanned: ${why}`, name)
    },
  })
  // Text can start with the signature of an archive, so anything that could not be unpacked is scanned as plain bytes.
  if (!isComplete)
    await scanBytes(name, file.chunks(), { ...scan, report: withoutKnown(report, found, true) })
}

/**
 * The bytes of the archive are counted already. With `skipKnown`, secrets found in its entries are not reported again.
 */
function withoutKnown(report: ReportBuilder, known: Set<string>, skipKnown = false): ReportBuilder {
  return {
    ...report,
    countBytes: () => {},
    add({ found, allowed }, place) {
      const fresh = skipKnown ? found.filter(({ secret }) => !known.has(secret)) : found
      for (const { secret } of fresh) known.add(secret)
      report.add({ found: fresh, allowed }, place)
    },
  }
}

/** Names in an archive are untrusted and may point to other files of the tree. */
function normalizedEntryName(name: string): string {
  const steps = name.split('/').filter((step) => step !== '' && step !== '.' && step !== '..')
  return steps.join('/').slice(0, maxNameLength)
}

/**
 * Scans a stream of bytes. An archive in it is scanned as plain bytes, and reported as skipped with `skipReason`.
 * Returns whether the stream was read to its end.
 */
export async function scanStream(
  name: string,
  chunks: Chunks,
  skipReason: string,
  scan: ContentScan,
): Promise<boolean> {
  const { report } = scan
  try {
    const { head, all } = await peek(chunks, 512)
    if (sniffArchive(head) !== undefined) report.skip(name, `${skipReason}, which is not opened`)
    await scanContent(name, all, scan)
    return true
  } catch (error) {
    // The entries after a broken one may be intact.
    if (!(error instanceof ArchiveError)) throw error
    report.warn(`not fully scanned: ${error.message}`, name)
    return false
  }
}

/** Scans bytes that are not an archive, or are not unpacked. */
async function scanContent(name: string, chunks: Chunks, scan: ContentScan): Promise<void> {
  const { report } = scan
  reportFile({ file: name, wholeFile: true }, scan)
  if (!/\.ipynb$/i.test(name)) return scanBytes(name, chunks, scan)
  const { head, all } = await peek(chunks, maxNotebookBytes + 1)
  const document = head.length > maxNotebookBytes ? '' : new TextDecoder().decode(head)
  const parts = readNotebook(document)
  if (parts === undefined) {
    if (head.length > 0) report.warn('is not a valid notebook; scanned as text', name)
    return scanBytes(name, all, scan)
  }
  report.countBytes(head.length)
  const lines = lineIndexOf(document)
  const { search, begin } = searchOf({ file: name }, scan)
  for (const { cell, text, locate } of parts) {
    const place: FindingPlace = { file: name, wholeFile: true, ...(cell !== undefined && { cell }) }
    const textScan = createTextScan(search)
    const done = finishedInTime(name, report, () => {
      begin()
      for (const { found, allowed } of [textScan.push(text), textScan.end()]) {
        report.add({ found: found.map((secret) => inDocument(secret, locate, lines)), allowed }, place)
      }
    })
    if (!done) return
  }
}

/** Maps the location of a secret from a notebook cell to the file. */
function inDocument(secret: LocatedSecret, locate: (offset: number) => number, lines: Lines): LocatedSecret {
  const [start, end, matchStart] = [locate(secret.start), locate(secret.end), locate(secret.matchStart)]
  return {
    ...secret,
    start,
    end,
    line: lines.lineAt(start),
    column: lines.columnAt(start),
    endLine: lines.lineAt(end),
    endColumn: lines.columnAt(end),
    matchStart,
    matchLine: lines.lineAt(matchStart),
  }
}

async function scanBytes(name: string, chunks: Chunks, scan: ContentScan): Promise<void> {
  const { report } = scan
  const { search, begin } = searchOf({ file: name }, scan)
  const bytes = createByteScan(search)
  const placeNow = (): FindingPlace => ({
    file: name,
    wholeFile: true,
    ...(bytes.isBinary() && { binary: true }),
  })
  const runInTime = (work: () => ReturnType<typeof bytes.end>): boolean =>
    finishedInTime(name, report, () => {
      begin()
      const result = work()
      report.add(result, placeNow())
    })
  try {
    for await (const chunk of chunks) {
      report.countBytes(chunk.length)
      if (!runInTime(() => bytes.push(chunk))) return
    }
  } catch (error) {
    // The bytes before the error are scanned all the same.
    if (error instanceof ArchiveError) runInTime(() => bytes.end())
    throw error
  }
  runInTime(() => bytes.end())
}

/** `begin` starts the time limit for the next piece. */
export function searchOf(
  { file, commit }: Pick<FindingPlace, 'file' | 'commit'>,
  { rules, decode, clock }: ContentScan,
): { readonly search: Search; readonly begin: () => void } {
  let until = Infinity
  return {
    begin() {
      until = clock() + deadlineMs
    },
    search: {
      rules,
      decode,
      path: file,
      ...(commit !== undefined && { commit }),
      checkTime() {
        if (clock() > until) throw new DeadlineExceeded()
      },
    },
  }
}

/** Returns whether the work finished in time; if not, adds a warning to the report. */
export function finishedInTime(file: string, report: ReportBuilder, work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    if (!(error instanceof DeadlineExceeded)) throw error
    report.warn('not fully scanned: it took too long', file)
    return false
  }
}

/** Reports files that are secrets by their name, or have a secret in it. */
export function reportFile(
  place: FindingPlace,
  { rules, report }: Pick<ContentScan, 'rules' | 'report'>,
): void {
  const { file: path, commit } = place
  const allowance = allowancesIn({
    text: '',
    path,
    allowlists: rules.allowlists,
    ...(commit !== undefined && { commit }),
  })
  const add = (rule: string, allowlists: readonly Allowlist[] = []): void => {
    const found = { rule, start: 0, end: 0, matchStart: 0, matchEnd: 0, startLine: 0 }
    if (allowance(found, allowlists) === undefined) report.addFile(rule, place)
  }
  for (const { id, path: pattern } of rules.keyFiles) {
    if (pattern.test(path)) add(id, rules.changes.get(id)?.allowlists)
  }
  for (const { id, allowlists } of rulesForFile(rules.ownFiles, path)) add(id, allowlists)
  for (const rule of rulesThatFindName(path, rules)) add(rule)
}
