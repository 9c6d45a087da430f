/** Which clients are installed, and problems in their permission files. */

import { findClients } from '../../../clients/find-clients.ts'
import { visibleText } from '@contextd/shared/text/visible-text'
import type { CliIo } from '@contextd/shared/cli/output'
import { displayPath } from '@contextd/shared/cli/report'
import type { CheckResult } from './checkup.ts'

export function checkClients({ env }: CliIo): CheckResult {
  const clients = findClients(env.PATH ?? '')
  if (clients.length > 0)
    return { status: 'ok', message: clients.map(({ id, path }) => `${id} (${path})`).join(', ') }
  return {
    status: 'warn',
    message: 'no agent client on PATH',
    fix: 'install Claude Code or OpenCode, or connect any MCP client',
  }
}

const maxShown = 3

/** Problems in the clients' permission files of this project and user. */
export async function checkPermissions({ env, cwd }: CliIo): Promise<CheckResult> {
  const { lintWithUserRules } = await import('../../../compose/permissions.ts')
  const found = (await lintWithUserRules({ env, cwd })).filter(({ severity }) => severity !== 'note')
  if (found.length === 0) return { status: 'ok', message: 'no problems in client permission files' }
  const errors = found.filter(({ severity }) => severity === 'error')
  const shown = [...new Set([...errors, ...found])]
    .slice(0, maxShown)
    // One line each, as it may quote untrusted text: CI systems read a line that starts with `::` as a command.
    .map(({ file, line, message }) => visibleText(`${displayPath(cwd, file)}:${line}: ${message}`))
  const more = found.length > shown.length ? [`and ${found.length - shown.length} more`] : []
  return {
    status: errors.length > 0 ? 'fail' : 'warn',
    message: [...shown, ...more].join('\n'),
    fix: 'run `ctxd permissions lint` for the fix of each',
  }
}
