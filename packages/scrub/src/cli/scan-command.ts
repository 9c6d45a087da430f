/** The command `scan`: finds secrets in files, folders and commits. */

import { join, resolve } from 'node:path'
import { InvalidArgumentError, Option, type Command } from 'commander'

import { visibleText } from '@contextd/shared/text/visible-text'
import type { ScanFinding, ScanProgress, ScanReport, UserSettings } from '../scan/scan.ts'
import { readInput } from '@contextd/shared/cli/bytes'
import {
  newCommand,
  note,
  paint,
  printJson,
  printLine,
  processIo,
  type CliIo,
} from '@contextd/shared/cli/output'
import { counted } from '@contextd/shared/text/counted'
import {
  reportFormat,
  reportFormats,
  displayPath,
  writeReport,
  type ReportFileOptions,
} from '@contextd/shared/cli/report'

interface Options extends ReportFileOptions {
  readonly output?: string
  readonly config?: string
  readonly baseline?: string
  readonly gitRange?: string
  readonly staged?: true
  readonly decode: boolean
  readonly ignore: boolean
  readonly maxFileSize?: number
}

/** What the command needs from the program it is part of. */
export interface ScanHost {
  /** The command as the user types it: `ctxd scan`. */
  readonly program: string
  /** Without it, no project file is trusted and there are no user rules. */
  settings?(env: NodeJS.ProcessEnv): Promise<UserSettings>
}

export function createScanCommand(host: ScanHost, io: CliIo = processIo()): Command {
  return newCommand(
    'scan',
    'find secrets in files, folders and commits',
    `${host.program} . --baseline known.json`,
  )
    .argument('[path...]', 'files and folders, or - for stdin (default: current directory)')
    .addOption(new Option('--format <format>', 'report format; text by default').choices(reportFormats))
    .option('--output <file>', 'write the report to this file')
    .option('--config <file>', 'use only these rules, in gitleaks format')
    .option('--baseline <file>', 'earlier report whose findings are not reported again')
    .addOption(
      new Option('--git-range <range>', 'scan what these commits add, such as main..HEAD').conflicts(
        'staged',
      ),
    )
    .option('--staged', 'scan staged changes')
    .option('--no-decode', 'do not detect encoded secrets (base64, hex and the like)')
    .option('--no-ignore', 'include files ignored by .gitignore')
    .option('--max-file-size <size>', 'skip larger files; in bytes, or as 500K, 20M, 1G', size)
    .action((paths: string[], options: Options) => runScan(paths, options, host, io))
}

async function runScan(paths: readonly string[], options: Options, host: ScanHost, io: CliIo): Promise<void> {
  const format = reportFormat(options)
  const { scan, sarifReport } = await import('../scan/scan.ts')
  const settings = await host.settings?.(io.env)
  const progress = showProgress(io)
  let report: ScanReport
  try {
    report = await scan({
      env: io.env,
      cwd: io.cwd,
      paths: paths.length === 0 ? ['.'] : paths,
      stdin: readInput('-', io),
      decode: options.decode,
      useIgnoreFiles: options.ignore,
      onNote: (text) => note(text, io),
      onProgress: progress.show,
      ...(settings !== undefined && { settings }),
      ...(options.staged && { changes: 'staged' }),
      ...(options.gitRange !== undefined && { changes: { range: options.gitRange } }),
      ...(options.config !== undefined && { configFile: options.config }),
      ...(options.baseline !== undefined && { baselineFile: options.baseline }),
      ...(options.maxFileSize !== undefined && { maxFileBytes: options.maxFileSize }),
    })
  } finally {
    progress.clear()
  }
  printNotes(report, io)
  const print = (to: CliIo): void => {
    if (format === 'text') printReport(report, to)
    else printJson(format === 'sarif' ? sarifReport(report) : report, to)
  }
  if (options.output === undefined) print(io)
  else {
    writeReport(resolve(io.cwd, options.output), print, io)
    io.stderr.write(`${summary(report)}\n`)
  }
  if (report.findings.length > 0) io.setExitCode(1)
}

function printReport(report: ScanReport, io: CliIo): void {
  for (const finding of report.findings) {
    const { description, rule, match, cell } = finding
    const where = paint(io, 'bold', visibleText(placeOf(finding, report.root, io.cwd)))
    const inCell = cell === undefined ? '' : `cell ${cell}, `
    io.stdout.write(`${where}: ${visibleText(`${inCell}${description} (${rule})`)}\n`)
    if (match !== '') printLine(`    ${match}`, io)
  }
  printLine(summary(report), io)
}

/** `src/app.ts:3:12`, relative to the current directory; for a commit, after its hash. */
function placeOf({ file, line, column, commit }: ScanFinding, root: string, cwd: string): string {
  const at = line === 0 ? '' : `:${line}:${column}`
  if (commit !== undefined) return `${commit.slice(0, 12)} ${file}${at}`
  if (file === 'stdin') return `stdin${at}`
  return `${displayPath(cwd, join(root, file))}${at}`
}

function summary({ findings, files, bytes, commits, known, allowed }: ScanReport): string {
  const found = findings.length === 0 ? 'No secrets' : counted(findings.length, 'secret')
  const where = commits === undefined ? '' : ` of ${counted(commits, 'commit')}`
  const suppressed = [
    ...(known > 0 ? [`${known} known from the baseline`] : []),
    ...(allowed > 0 ? [`${allowed} allowed`] : []),
  ]
  const scanned = `${counted(files, 'file')}${where}, ${sizeText(bytes)}`
  return `${found} in ${scanned}${suppressed.length === 0 ? '' : ` (${suppressed.join(', ')})`}`
}

/** The JSON report lists all; a terminal shows this many. */
const maxNotes = 20

function printNotes({ warnings, skipped }: ScanReport, io: CliIo): void {
  for (const { file, message } of warnings.slice(0, maxNotes)) {
    note(file === undefined ? message : `${file}: ${message}`, io)
  }
  if (warnings.length > maxNotes) note(`${warnings.length - maxNotes} more; --json lists them all`, io)
  const reasons = new Map<string, number>()
  for (const { why } of skipped) reasons.set(why, (reasons.get(why) ?? 0) + 1)
  for (const [why, count] of reasons) {
    const first = skipped.find((one) => one.why === why)?.file ?? ''
    note(`skipped ${count === 1 ? first : `${first} and ${count - 1} more`}: ${why}`, io)
  }
}

/** On a terminal, after a short wait. */
function showProgress(io: CliIo): { show: (progress: ScanProgress) => void; clear: () => void } {
  const started = Date.now()
  let shown = 0
  return {
    show({ files, bytes, findings }) {
      const now = Date.now()
      if (io.stderr.isTTY !== true || now - started < 1000 || now - shown < 100) return
      shown = now
      const line = `${counted(files, 'file')}, ${sizeText(bytes)}, ${counted(findings, 'secret')}`
      io.stderr.write(`\r${line}\u001B[K`)
    },
    clear() {
      if (shown > 0) io.stderr.write('\r\u001B[K')
    },
  }
}

const units = ['bytes', 'KB', 'MB', 'GB', 'TB']

function sizeText(bytes: number): string {
  let value = bytes
  let unit = 0
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000
  return `${unit === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}

const factors: Readonly<Record<string, number>> = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 }

function size(text: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,12})([KMG]?)B?$/i.exec(text) ?? []
  if (digits === '')
    throw new InvalidArgumentError('It must be a number of bytes, or a size such as 500K, 20M or 1G.')
  return Number(digits) * (factors[unit.toUpperCase()] ?? 1)
}
