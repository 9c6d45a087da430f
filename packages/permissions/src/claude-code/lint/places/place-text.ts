import { relative, sep } from 'node:path'

import type { Place } from '../../../findings/finding.ts'
import type { ClaudeSetup } from '../../setup/setup.ts'

/** Another place, inside a sentence. */
export function placeText({ file, line, column }: Place, setup: ClaudeSetup): string {
  return `${fileText(file, setup)}:${line}:${column}`
}

/** A file, inside a sentence: from the project on, or from home. */
export function fileText(file: string, { project, home }: ClaudeSetup): string {
  return file.startsWith(project + sep)
    ? relative(project, file)
    : file.startsWith(home + sep)
      ? `~/${relative(home, file)}`
      : file
}
