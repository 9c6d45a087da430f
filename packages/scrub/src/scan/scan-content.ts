/** Scans one file, whatever is in it: text, a notebook, a binary, an archive. */

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

/** A notebook is read as a whole; a larger one as text. */
const maxNotebookBytes = 64 * 1_048_576
/** No piece of text takes as long, unless it was made to. */
const deadlineMs = 60_000

const maxNameLength = 4096

class TookTooLong extends Error {}

export async function scanFile(file: OpenFile, name: string, scan: ContentScan): Promise<void> {
  const { report } = scan
  const kind = sniffArchive(file.read(0, sniffLength))
  if (typeof kind === 'object') report.skip(name, `is compressed as ${kind.closed}, which is not opened`)
  if (typeof kind !== 'string') return scanContent(name, file.chunks(), scan)
  reportFile({ file: name, wholeFile: true }, scan)
  report.countBytes(file.size)
  const found = new Set<string>()
  let isRead = true
  const inArchive = { ...scan, report: addingOnce(report, found) }
  const inside = (entry: string): string => `${name}!${withoutDetours(entry)}`
  await visitArchive(kind, file, name, {
    async entry({ name, chunks }) {
      const closed = 'is an archive inside an archive'
      if (!(await scanStream(inside(name), chunks, closed, inArchive))) isRead = false
    },
    skip(entry, why) {
      isRead = false
      report.skip(inside(entry), why)
    },
    incomplete(why) {
      isRead = false
      report.warn(`not fully scanned: ${why}`, name)
    },
  })
  // Four bytes make a text look like an archive: what is not read as one is read as it stands.
  if (!isRead) await scanBytes(name, file.chunks(), { ...scan, report: addingOnce(report, found, true) })
}

/** The bytes of an archive are counted already, and what was found in an entry is not told of the archive again. */
function addingOnce(report: ReportBuilder, known: Set<string>, leaveKnown = false): ReportBuilder {
  return {
    ...report,
    countBytes: () => {},
    add({ found, allowed }, place) {
      const fresh = leaveKnown ? found.filter(({ secret }) => !known.has(secret)) : found
      for (const { secret } of fresh) known.add(secret)
      report.add({ found: fresh, allowed }, place)
    },
  }
}

/** Whoever makes an archive may write any name into it, also one that leads to another file of the tree. */
function withoutDetours(name: string): string {
  const steps = name.split('/').filter((step) => step !== '' && step !== '.' && step !== '..')
  return steps.join('/').slice(0, maxNameLength)
}

/**
 * Bytes that come one after the other: an archive among them stays closed, is read as it stands, and the report says
 * what it is. Whether they came to their end.
 */
export async function scanStream(
  name: string,
  chunks: Chunks,
  closed: string,
  scan: ContentScan,
): Promise<boolean> {
  const { report } = scan
  try {
    const { head, all } = await peek(chunks, 512)
    if (sniffArchive(head) !== undefined) report.skip(name, `${closed}, which is not opened`)
    await scanContent(name, all, scan)
    return true
  } catch (error) {
    // The entries behind a broken one may be whole.
    if (!(error instanceof ArchiveError)) throw error
    report.warn(`not fully scanned: ${error.message}`, name)
    return false
  }
}

/** Bytes that are no archive, or are not opened as one. */
async function scanContent(name: string, chunks: Chunks, scan: ContentScan): Promise<void> {
  const { report } = scan
  reportFile({ file: name, wholeFile: true }, scan)
  if (!/\.ipynb$/i.test(name)) return scanBytes(name, chunks, scan)
  const { head, all } = await peek(chunks, maxNotebookBytes + 1)
  const document = head.length > maxNotebookBytes ? '' : new TextDecoder().decode(head)
  const parts = readNotebook(document)
  if (parts === undefined) {
    if (head.length > 0) report.warn('is no notebook that can be read, and was scanned as text', name)
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

/** Where a secret of a part of the document stands in all of it. */
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
  const step = (work: () => ReturnType<typeof bytes.end>): boolean =>
    finishedInTime(name, report, () => {
      begin()
      const result = work()
      report.add(result, placeNow())
    })
  try {
    for await (const chunk of chunks) {
      report.countBytes(chunk.length)
      if (!step(() => bytes.push(chunk))) return
    }
  } catch (error) {
    // What came before it broke off is looked at all the same.
    if (error instanceof ArchiveError) step(() => bytes.end())
    throw error
  }
  step(() => bytes.end())
}

/** `begin` starts the time that the next piece may take. */
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
        if (clock() > until) throw new TookTooLong()
      },
    },
  }
}

/** Whether the work was done before its time was over; if not, the report says so. */
export function finishedInTime(file: string, report: ReportBuilder, work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error
    report.warn('not fully scanned: it took too long', file)
    return false
  }
}

/** Files that are secrets by their name, or have one in it. */
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
