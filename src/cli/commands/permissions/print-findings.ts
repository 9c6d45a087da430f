import type { Finding, Severity } from '../../../clients/permissions/finding.ts'
import { docsOf } from '../../../clients/permissions/rules.ts'
import { visibleText } from '../../../platform/visible-text.ts'
import { counted, paint, printLine, type CliIo } from '../../ui/output.ts'
import { seenFrom } from '../../ui/report.ts'

const colours = { error: 'red', warning: 'yellow', note: 'dim' } as const

export function printFindings(findings: readonly Finding[], isFixed: boolean, io: CliIo): void {
  for (const { rule, severity, file, line, column, message, fix } of findings) {
    const where = paint(io, 'bold', visibleText(`${seenFrom(io.cwd, file)}:${line}:${column}`))
    io.stdout.write(`${where}: ${paint(io, colours[severity], severity)} `)
    printLine(`${rule}: ${message}`, io)
    // On one line, as it may quote what somebody wrote: a build machine takes a line that begins with `::` for an order.
    printLine(`    fix: ${fix}`, io)
    // The page lies where contextd is, not where the person is.
    printLine(`    see: ctxd permissions rules ${rule}`, io)
  }
  const fixable = isFixed ? 0 : findings.filter(({ repairs }) => repairs !== undefined).length
  printLine(`${summaryOf(findings)}${fixable === 0 ? '' : `; --fix corrects ${fixable}`}`, io)
}

const severities: readonly Severity[] = ['error', 'warning', 'note']

/** `1 error, 2 warnings in 3 files` */
export function summaryOf(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'Nothing to report.'
  const counts = severities.flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length
    return count === 0 ? [] : [counted(count, severity)]
  })
  return `${counts.join(', ')} in ${counted(new Set(findings.map(({ file }) => file)).size, 'file')}`
}

/** As programs rely on it. */
export function toJson({ rule, severity, file, line, column, message, fix, repairs }: Finding): object {
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
