import type { LintFinding } from '@contextd/permissions'
import type { CliIo } from '@contextd/shared/cli/output'
import type { FileChange } from '@contextd/shared/changes/change'

/** Lint findings in the written files: in our part and in what was there before. */
export async function lintWritten(
  changes: readonly FileChange[],
  project: string | undefined,
  io: CliIo,
): Promise<LintFinding[]> {
  const { lintWithUserRules } = await import('../../../compose/permissions.ts')
  const written = new Set(changes.map(({ path }) => path))
  const findings = await lintWithUserRules({ env: io.env, cwd: project ?? io.cwd })
  return findings.filter(({ file, severity }) => written.has(file) && severity !== 'note')
}
