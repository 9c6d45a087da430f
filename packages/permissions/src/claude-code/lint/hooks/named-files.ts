/** Variables and files in the command of a hook. */

import { isAbsolute, join, resolve, sep } from 'node:path'

import type { ClaudeSetup, HookEntry } from '../../setup/setup.ts'

/** Outside of plugins and skills, the client does not substitute the plugin variable. */
export function substituteVariables(text: string, { project }: ClaudeSetup, { root }: HookEntry): string {
  return text
    .replaceAll(/\$\{CLAUDE_PROJECT_DIR\}|\$CLAUDE_PROJECT_DIR\b/g, () => project)
    .replaceAll(/\$\{CLAUDE_PLUGIN_ROOT\}|\$CLAUDE_PLUGIN_ROOT\b/g, (name) => root ?? name)
}

/** The client runs hooks in the folder it is started in. */
export function pathOfWord(word: string, { project }: ClaudeSetup): string {
  return isAbsolute(word) ? resolve(word) : join(project, word)
}

/** A build machine has no other files. */
export function isInProjectOrPlugin(path: string, { project, plugins }: ClaudeSetup): boolean {
  return [project, ...plugins.map(({ folder }) => folder)].some((folder) => path.startsWith(folder + sep))
}
