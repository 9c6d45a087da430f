/** Scans the lines that commits add or that are staged, with the surrounding lines as context. */

import { CommonError } from '@contextd/shared/errors/common-error'
import { createByteScan, type ByteScan } from './content/byte-scan.ts'
import { createDiffReader, type DiffReader } from './diff.ts'
import type { FindingPlace } from './report/finding.ts'
import { askGit, git, type ScannedRepository } from './git.ts'
import { finishedInTime, reportFile, searchOf, type ContentScan } from './scan-content.ts'
import type { TextScanResult } from './content/text-scan.ts'

export interface CommitScan extends ContentScan {
  readonly place: ScannedRepository
  /** Relative to the repository; empty for all of it. */
  readonly paths: readonly string[]
}

const patchOptions = [
  '-p',
  '-r',
  '-U3',
  '-M',
  '--full-index',
  // Even if an attribute or a setting marks a file as binary.
  '--text',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-relative',
  '--submodule=short',
  '--src-prefix=a/',
  '--dst-prefix=b/',
]

export async function scanRange(range: string, scan: CommitScan): Promise<void> {
  const { place, paths, report } = scan
  if (range.startsWith('-'))
    throw new CommonError('USAGE', { problem: 'A range of commits must not start with a dash.' })
  const commits = await askGit(place, [
    'rev-list',
    '--reverse',
    '--full-history',
    '--end-of-options',
    range,
    '--',
    ...paths,
  ])
  if (commits === undefined) {
    throw new CommonError('NOT_FOUND', {
      what: `range of commits ${range}`,
      hint: 'Use git syntax, such as main..HEAD or HEAD~3..HEAD; `git log` with the same range shows what is wrong.',
    })
  }
  report.countCommits(commits.split('\n').length - 1)
  const args = ['diff-tree', '--stdin', '--root', '--cc', ...patchOptions, '--', ...paths]
  await scanPatches(git(place, args, { input: commits }), scan)
}

export async function scanStaged(scan: CommitScan): Promise<void> {
  const { place, paths } = scan
  const inHook = true
  const head = await askGit(place, ['rev-parse', '--verify', '--quiet', 'HEAD'], { inHook })
  // Before the first commit, everything is new.
  const base =
    head ?? (await askGit(place, ['hash-object', '-t', 'tree', '--stdin'], { inHook, input: '' })) ?? 'HEAD'
  const args = ['diff-index', '--cached', ...patchOptions, base.trim(), '--', ...paths]
  await scanPatches(git(place, args, { inHook }), scan)
}

async function scanPatches(output: AsyncIterable<Buffer>, scan: CommitScan): Promise<void> {
  const reader = patchScanner(scan)
  for await (const bytes of output) reader.push(bytes)
}

function patchScanner(scan: CommitScan): DiffReader {
  const { report } = scan
  let commit: string | undefined
  let file: string | undefined
  let hunk: HunkScan | undefined

  return createDiffReader({
    commit(id) {
      commit = id
      file = undefined
    },
    file(name, isNew) {
      file = name
      report.countFile()
      if (isNew) reportFile(placeOf(name, commit), scan)
    },
    hunk(firstLine) {
      hunk = file === undefined ? undefined : scanHunk(placeOf(file, commit), firstLine, scan)
    },
    content: (bytes, isAdded) => hunk?.push(bytes, isAdded),
    hunkEnd() {
      hunk?.end()
      hunk = undefined
    },
  })
}

function placeOf(file: string, commit: string | undefined): FindingPlace {
  return { file, wholeFile: false, ...(commit !== undefined && { commit }) }
}

interface HunkScan {
  push(bytes: Uint8Array, isAdded: boolean): void
  end(): void
}

function scanHunk(place: FindingPlace, firstLine: number, scan: CommitScan): HunkScan {
  const { report } = scan
  const { search, begin } = searchOf(place, scan)
  const bytes: ByteScan = createByteScan(search, firstLine)
  const added: { first: number; last: number }[] = []
  let line = firstLine
  let stopped = false

  const isAdded = (first: number, last: number): boolean =>
    bytes.isBinary() || added.some((range) => range.first <= last && range.last >= first)
  const add = ({ found, allowed }: TextScanResult): void => {
    report.add(
      {
        found: found.filter((one) => isAdded(one.line, one.endLine)),
        allowed: allowed.filter((at) => isAdded(at, at)),
      },
      { ...place, ...(bytes.isBinary() && { binary: true }) },
    )
  }
  const runInTime = (work: () => TextScanResult): void => {
    if (stopped) return
    stopped = !finishedInTime(place.file, report, () => {
      begin()
      add(work())
    })
  }
  return {
    push(content, isNew) {
      if (isNew) {
        report.countBytes(content.length)
        const last = added.at(-1)
        if (last === undefined || last.last < line - 1) added.push({ first: line, last: line })
        else last.last = line
      }
      runInTime(() => bytes.push(content))
      if (content.at(-1) === 10) line++
    },
    end() {
      if (added.length > 0) runInTime(() => bytes.end())
    },
  }
}
