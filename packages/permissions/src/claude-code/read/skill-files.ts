/** Locates skills and commands, and derives their names from their paths. */

import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

import { isJsonObject, type Json } from '@contextd/shared/json/value'
import { firstNames, markdownIn, type MarkdownFile, type MarkdownSearch } from '../../files/markdown-files.ts'
import { hasName, namesIn } from '@contextd/shared/files/names-in'
import type { JsonPart } from './json-file.ts'
import { inside, type LoadedPlugin } from './plugin-files.ts'
import type { SkillFile } from '../setup/setup.ts'

export type Report = MarkdownSearch['report']

export interface FoundSkill {
  readonly file: string
  readonly kind: SkillFile['kind']
  /** The subfolders of the commands folder that contain it. */
  readonly folders: readonly string[]
  /** The name, unless its frontmatter sets another. */
  readonly name: string
  /** Whether its frontmatter's name takes precedence: if a manifest names the folder of the skill itself. */
  readonly isNamedInside?: true
  /** Its entry in a plugin manifest: tools that override its own, or the whole command. */
  readonly inManifest?: JsonPart
}

/** One skill per direct subfolder; folders may be links. */
export function skillsIn(folder: string): FoundSkill[] {
  return namesIn(folder).flatMap((name) => skillAt(join(folder, name), name))
}

function skillAt(folder: string, name: string, more: Pick<FoundSkill, 'isNamedInside'> = {}): FoundSkill[] {
  const file = join(folder, 'SKILL.md')
  return hasName(file) ? [{ file, kind: 'skill', folders: [], name, ...more }] : []
}

/** At any depth. A folder with a `SKILL.md` is a skill, and its other files are not commands. */
export function commandsIn(folder: string, report: Report): FoundSkill[] {
  return asCommands(markdownIn(folder, { followsLinks: true, report }))
}

function asCommands(files: readonly MarkdownFile[]): FoundSkill[] {
  const isSkill = ({ file, folders }: MarkdownFile): boolean =>
    folders.length > 0 && basename(file) === 'SKILL.md'
  const skillFolders = new Set(files.filter(isSkill).map(({ file }) => dirname(file)))
  return files.flatMap((found): FoundSkill[] => {
    const { file, folders } = found
    if (isSkill(found)) return [{ file, kind: 'skill', folders: folders.slice(0, -1), name: folders.at(-1)! }]
    if (skillFolders.has(dirname(file))) return []
    return [{ file, kind: 'command', folders, name: basename(file, '.md') }]
  })
}

/** Skills named in a manifest are added to the skills folder; commands replace the commands folder. */
export function skillsOfPlugin(plugin: LoadedPlugin, report: Report): FoundSkill[] {
  const { folder, manifest, isAmongSkills } = plugin
  const { skills } = manifest
  // The client derives these names from the folders.
  const skillsBelow = (path: string): FoundSkill[] =>
    namesIn(path).flatMap((name) => skillAt(join(path, name), plain(name)))
  const itself = (path: string): FoundSkill[] => skillAt(path, plain(basename(path)), { isNamedInside: true })
  const named = paths(folder, skills).flatMap((path) => {
    const own = itself(path)
    return own.length > 0 ? own : skillsBelow(path)
  })
  const standard = join(folder, 'skills')
  const isSingleSkill = skills === undefined && !existsSync(standard) && isAmongSkills === undefined
  return [
    ...commandsOfPlugin(plugin, report),
    ...skillsBelow(standard),
    ...named,
    ...(isSingleSkill ? itself(folder) : []),
  ]
}

function commandsOfPlugin({ folder, manifest, manifestFile }: LoadedPlugin, report: Report): FoundSkill[] {
  const commandsAt = (path: string): FoundSkill[] => commandsOrSkillAt(path, report)
  const named = manifest.commands
  if (named === undefined) return commandsIn(join(folder, 'commands'), report)
  if (!isJsonObject(named)) return paths(folder, named).flatMap(commandsAt)
  const isNew = firstNames()
  return Object.entries(named).flatMap(([name, command]) => {
    const { source, content } = isJsonObject(command) ? command : {}
    const inManifest = manifestFile && { inManifest: { file: manifestFile, path: ['commands', name] } }
    const one = { kind: 'command', folders: [], name, ...inManifest } as const
    if (typeof content === 'string')
      return inManifest === undefined ? [] : [{ ...one, file: inManifest.inManifest.file.file }]
    return paths(folder, source ?? null).flatMap((path) =>
      path.endsWith('.md') ? (isNew(path) ? [{ ...one, file: path }] : []) : commandsAt(path),
    )
  })
}

function commandsOrSkillAt(path: string, report: Report): FoundSkill[] {
  if (path.endsWith('.md')) return asCommands([{ file: path, folders: [] }])
  const itself = skillAt(path, basename(path))
  return itself.length > 0 ? itself : commandsIn(path, report)
}

function paths(folder: string, named: Json | undefined): string[] {
  return (Array.isArray(named) ? named : [named]).flatMap((path) => {
    if (typeof path !== 'string') return []
    return /^\.?\/?$/.test(path) ? folder : (inside(folder, path) ?? [])
  })
}

/** Replaces every character not allowed in the name of a plugin's skill with a dash. */
export function plain(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/gu, '-')
}
