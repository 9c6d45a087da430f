import { relative, sep } from 'node:path'

import type { Place } from '../../../permissions/finding.ts'
import type { ClaudeSetup } from '../setup.ts'

/** Another place, inside a sentence: from the project on, or from home. */
export function placeText({ file, line, column }: Place, { project, home }: ClaudeSetup): string {
  const name = file.startsWith(project + sep)
    ? relative(project, file)
    : file.startsWith(home + sep)
      ? `~/${relative(home, file)}`
      : file
  return `${name}:${line}:${column}`
}
