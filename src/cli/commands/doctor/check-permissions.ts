import { visibleText } from '../../../platform/visible-text.ts'
import type { CliIo } from '../../ui/output.ts'
import { seenFrom } from '../../ui/report.ts'
import type { CheckResult } from './checkup.ts'

const maxShown = 3

/** What the clients' own permission files say here and for this person, where it is not what they do. */
export async function checkPermissions({ env, cwd }: CliIo): Promise<CheckResult> {
  const { lintPermissions } = await import('../../../compose.ts')
  const found = (await lintPermissions({ env, cwd })).filter(({ severity }) => severity !== 'note')
  if (found.length === 0) return { status: 'ok', message: 'the files of the clients do what they say' }
  const errors = found.filter(({ severity }) => severity === 'error')
  const shown = [...new Set([...errors, ...found])]
    .slice(0, maxShown)
    // Each on one line, as it may quote what somebody wrote: a build machine takes a line that begins with `::` for an order.
    .map(({ file, line, message }) => visibleText(`${seenFrom(cwd, file)}:${line}: ${message}`))
  const more = found.length > shown.length ? [`and ${found.length - shown.length} more`] : []
  return {
    status: errors.length > 0 ? 'fail' : 'warn',
    message: [...shown, ...more].join('\n'),
    fix: 'run `ctxd permissions lint`; it says what to do about each',
  }
}
