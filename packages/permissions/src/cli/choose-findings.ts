/** Which findings to report, and which of them make the command fail. */

import { resolve } from 'node:path'

import { severities, type LintFinding, type Severity } from '../findings/finding.ts'
import { knownRule } from './rules.ts'

export interface Choice {
  readonly severity?: Severity
  /** `<rule>`, or `<rule>:<file>` as seen from the project. */
  readonly ignore?: readonly string[]
}

/** Misspelled rule names are rejected: otherwise they would silently ignore nothing. */
export function findingChooser(
  { severity = 'note', ignore = [] }: Choice,
  project: string,
  program: string,
): (finding: LintFinding) => boolean {
  const ignored = ignore.map((text) => {
    const [id = '', ...file] = text.split(':')
    return {
      rule: knownRule(id, program).id,
      ...(file.length > 0 && { file: resolve(project, file.join(':')) }),
    }
  })
  return (finding) =>
    isAtLeast(finding, severity) &&
    !ignored.some(({ rule, file = finding.file }) => rule === finding.rule && file === finding.file)
}

export function isAtLeast({ severity }: LintFinding, mildest: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(mildest)
}
