/** What can be read of a hook without running it: its command, and the script of the project or plugin that it names. */

import { isAbsolute, join, resolve, sep } from 'node:path'

import type { ClaudeSetup, HookEntry } from '../../setup.ts'
import { commandLine } from './in-force.ts'

/** Both as one text; only the command where nothing of it is a file there. */
export function hookText(setup: ClaudeSetup, entry: HookEntry): string {
  const line = commandLine(entry.hook)
  return [line, ...scriptsIn(setup, entry, line).map(setup.textOf)].join('\n')
}

/** A line names one script, rarely two. */
const mostScripts = 3

function scriptsIn(setup: ClaudeSetup, { owner, source }: HookEntry, line: string): string[] {
  const plugin = source === 'plugin' ? setup.plugins.find(({ name }) => name === owner)?.folder : undefined
  const folders = [setup.project, ...(plugin === undefined ? [] : [plugin])]
  const words = line
    .replaceAll(/\$\{?CLAUDE_PROJECT_DIR\}?/g, setup.project)
    .replaceAll(/\$\{?CLAUDE_PLUGIN_ROOT\}?/g, plugin ?? '')
    .replaceAll(/['"]/g, '')
    .split(/[\s=;|&<>()]+/)
  return words
    .filter((word) => /[./\\]/.test(word))
    .map((word) => (isAbsolute(word) ? resolve(word) : join(setup.project, word)))
    .filter((path) => folders.some((folder) => path.startsWith(folder + sep)))
    .slice(0, mostScripts)
}
