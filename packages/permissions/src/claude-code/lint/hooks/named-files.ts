/** What the command of a hook names: the variables that the client fills in, and files of the project and of plugins. */

import { isAbsolute, join, resolve, sep } from 'node:path'

import type { ClaudeSetup, HookEntry } from '../../setup/setup.ts'

/** A plugin's variable outside of plugins and skills stays as it is: nothing fills it in. */
export function withVariables(text: string, { project }: ClaudeSetup, { root }: HookEntry): string {
  return text
    .replaceAll(/\$\{CLAUDE_PROJECT_DIR\}|\$CLAUDE_PROJECT_DIR\b/g, () => project)
    .replaceAll(/\$\{CLAUDE_PLUGIN_ROOT\}|\$CLAUDE_PLUGIN_ROOT\b/g, (name) => root ?? name)
}

/** The client runs hooks in the folder it is started in. */
export function pathOfWord(word: string, { project }: ClaudeSetup): string {
  return isAbsolute(word) ? resolve(word) : join(project, word)
}

/** By the project or a plugin: on a build machine, nothing else is there. */
export function isBrought(path: string, { project, plugins }: ClaudeSetup): boolean {
  return [project, ...plugins.map(({ folder }) => folder)].some((folder) => path.startsWith(folder + sep))
}
