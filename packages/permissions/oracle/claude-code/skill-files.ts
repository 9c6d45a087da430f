/** Skill and command files for scenes. */

import type { Scene } from './scene.ts'

type Files = Scene['files']

export const head = (...lines: string[]): string =>
  ['---', 'description: d', ...lines, '---', 'Say ok.', ''].join('\n')
export const plain = head()
/** The client asks about this one, which distinguishes two of the same name. */
export const wide = head('allowed-tools: Bash')
export const named = (name: string, ...lines: string[]): string => head(`name: ${name}`, ...lines)

/** In a folder such as `project/.claude`, or in a plugin folder. */
export const skillFiles = (folder: string, texts: Readonly<Record<string, string>>): Files =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${folder}/skills/${name}/SKILL.md`, text]))
export const commandFiles = (folder: string, texts: Readonly<Record<string, string>>): Files =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${folder}/commands/${name}.md`, text]))
export const own = 'project/.claude'
