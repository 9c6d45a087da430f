/** What can be read of a hook without running it: its command, and the script of the project or plugin that it names. */

import type { ClaudeSetup, HookEntry } from '../../setup/setup.ts'
import { commandLine } from './in-force.ts'
import { isBrought, pathOfWord, withVariables } from './named-files.ts'

/** Both as one text; only the command where nothing of it is a file there. */
export function hookText(setup: ClaudeSetup, entry: HookEntry): string {
  const line = commandLine(entry.hook)
  return [line, ...scriptsIn(setup, entry, line).map(setup.textOf)].join('\n')
}

/** A line names one script, rarely two. */
const maxScripts = 3

function scriptsIn(setup: ClaudeSetup, entry: HookEntry, line: string): string[] {
  const words = withVariables(line, setup, entry)
    .replaceAll(/['"]/g, '')
    .split(/[\s=;|&<>()]+/)
  return words
    .filter((word) => /[./\\]/.test(word))
    .map((word) => pathOfWord(word, setup))
    .filter((path) => isBrought(path, setup))
    .slice(0, maxScripts)
}
