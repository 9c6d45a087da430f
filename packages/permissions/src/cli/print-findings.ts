import { severities, type LintFinding } from '../findings/finding.ts'
import { docsOf } from '../rule-page.ts'
import { visibleText } from '@contextd/shared/text/visible-text'
import { paint, printLine, printParagraph, roomOn, type CliIo } from '@contextd/shared/cli/output'
import { counted } from '@contextd/shared/text/counted'
import { displayPath } from '@contextd/shared/cli/report'
import { textWidth } from '@contextd/shared/cli/text-width'

const colours = { error: 'red', warning: 'yellow', note: 'dim' } as const

/** What was linted, and the result. */
export interface LintOutcome {
  readonly findings: readonly LintFinding[]
  /** Number of findings left out by the options. */
  readonly leftOut: number
  /** Number of client files. */
  readonly files: number
  /** Result of `--fix`; undefined without it. */
  readonly fixed: { readonly written: boolean } | undefined
}

export function printFindings(outcome: LintOutcome, program: string, io: CliIo): void {
  const { findings } = outcome
  for (const finding of findings) printFinding(finding, io)
  printLine(`${findingsSummary(outcome)}${fixableOf(outcome)}`, io)
  const rules = [...new Set(findings.map(({ rule }) => rule))]
  // The page is where contextd is installed, not in the user's folder.
  if (rules.length > 0) printLine(`see: ${program} rules ${rules.length === 1 ? rules[0] : '<rule>'}`, io)
}

/** Messages that do not fit the terminal go on their own lines below the location. */
function printFinding({ rule, severity, file, line, column, message, fix }: LintFinding, io: CliIo): void {
  const place = visibleText(`${displayPath(io.cwd, file)}:${line}:${column}`)
  const head = `${paint(io, 'bold', place)}: ${paint(io, colours[severity], severity)} ${rule}`
  const isFitting = textWidth(visibleText(`${place}: ${severity} ${rule}: ${message}`)) <= roomOn(io)
  io.stdout.write(isFitting ? `${head}: ${visibleText(message)}\n` : `${head}\n`)
  if (!isFitting) printParagraph(message, 4, io)
  // One line without a terminal, as it may quote untrusted text: CI systems read a line that starts with `::` as a command.
  printParagraph(`fix: ${fix}`, 4, io)
}

/** One run may not apply all repairs of a file if they are many or conflict. */
function fixableOf({ findings, fixed }: LintOutcome): string {
  const fixable = findings.filter(({ repairs }) => repairs !== undefined).length
  if (fixable === 0 || fixed?.written === false) return ''
  return fixed === undefined ? `; --fix corrects ${fixable}` : `; --fix again for ${fixable} of them`
}

/** `1 error, 2 warnings in 3 files; 4 left out` */
export function findingsSummary({ findings, leftOut, files }: LintOutcome): string {
  const more = leftOut === 0 ? '' : `; ${leftOut} left out`
  if (findings.length === 0) {
    if (files === 0 && leftOut === 0) return 'Nothing to check: no permission files here.'
    return `No problems in ${counted(files, 'file')}${more}`
  }
  const counts = severities.flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length
    return count === 0 ? [] : [counted(count, severity)]
  })
  return `${counts.join(', ')} in ${counted(new Set(findings.map(({ file }) => file)).size, 'file')}${more}`
}

/** The stable JSON form. */
export function toJson({ rule, severity, file, line, column, message, fix, repairs }: LintFinding): object {
  return {
    rule,
    severity,
    file,
    line,
    column,
    message,
    fix,
    fixable: repairs !== undefined,
    docs: docsOf(rule),
  }
}
