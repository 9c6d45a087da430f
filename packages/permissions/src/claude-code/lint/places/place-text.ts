import { relative, sep } from 'node:path'

import type { Place } from '../../../findings/finding.ts'
import type { ClaudeSetup } from '../../setup/setup.ts'

/** Another place, as part of a message. */
export function placeText({ file, line, column }: Place, setup: ClaudeSetup): string {
  return `${fileText(file, setup)}:${line}:${column}`
}

/** A file, as part of a message: relative to the project or the home folder. */
export function fileText(file: string, { project, home }: ClaudeSetup): string {
  return file.startsWith(project + sep)
    ? relative(project, file)
    : file.startsWith(home + sep)
      ? `~/${relative(home, file)}`
      : file
}
