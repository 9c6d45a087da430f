import type { LintFinding } from '../../../clients/permissions/finding.ts'
import type { CliIo } from '../../ui/output.ts'
import type { FileChange } from './change.ts'

/** Lint findings in the written files: in our part and in what was there before. */
export async function lintWritten(
  changes: readonly FileChange[],
  project: string | undefined,
  io: CliIo,
): Promise<LintFinding[]> {
  const { lintPermissions } = await import('../../../compose/permissions.ts')
  const written = new Set(changes.map(({ path }) => path))
  const findings = await lintPermissions({ env: io.env, cwd: project ?? io.cwd })
  return findings.filter(({ file, severity }) => written.has(file) && severity !== 'note')
}
