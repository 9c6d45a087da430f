/** The source text of a hook: its command, and the scripts of the project or plugin that the command names. */

import type { ClaudeSetup, HookEntry } from '../../setup/setup.ts'
import { commandLine } from './in-force.ts'
import { isInProjectOrPlugin, pathOfWord, substituteVariables } from './named-files.ts'

/** Command and scripts joined into one text. */
export function hookText(setup: ClaudeSetup, entry: HookEntry): string {
  const line = commandLine(entry.hook)
  return [line, ...scriptsIn(setup, entry, line).map(setup.textOf)].join('\n')
}

/** A command names one script, rarely two. */
const maxScripts = 3

function scriptsIn(setup: ClaudeSetup, entry: HookEntry, line: string): string[] {
  const words = substituteVariables(line, setup, entry)
    .replaceAll(/['"]/g, '')
    .split(/[\s=;|&<>()]+/)
  return words
    .filter((word) => /[./\\]/.test(word))
    .map((word) => pathOfWord(word, setup))
    .filter((path) => isInProjectOrPlugin(path, setup))
    .slice(0, maxScripts)
}
