/** Where skills and commands stand, and what the client calls them by that. */

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
  /** The folders of commands it stands in. */
  readonly folders: readonly string[]
  /** What it is called unless its frontmatter says otherwise. */
  readonly name: string
  /** Whether what its frontmatter says comes first: where a manifest names the folder of the skill itself. */
  readonly isNamedInside?: true
  /** What the manifest of a plugin says of it: tools that count instead of its own, or the whole command. */
  readonly said?: JsonPart
}

/** Each in a folder of its own, right below this one; folders may be links. */
export function skillsIn(folder: string): FoundSkill[] {
  return namesIn(folder).flatMap((name) => skillAt(join(folder, name), name))
}

function skillAt(folder: string, name: string, more: Pick<FoundSkill, 'isNamedInside'> = {}): FoundSkill[] {
  const file = join(folder, 'SKILL.md')
  return hasName(file) ? [{ file, kind: 'skill', folders: [], name, ...more }] : []
}

/** At any depth. Where a folder has a `SKILL.md`, it is that skill, and the files beside it are no commands. */
export function commandsIn(folder: string, report: Report): FoundSkill[] {
  return asCommands(markdownIn(folder, { followsLinks: true, report }))
}

function asCommands(files: readonly MarkdownFile[]): FoundSkill[] {
  const isSkill = ({ file, folders }: MarkdownFile): boolean =>
    folders.length > 0 && basename(file) === 'SKILL.md'
  const taken = new Set(files.filter(isSkill).map(({ file }) => dirname(file)))
  return files.flatMap((found): FoundSkill[] => {
    const { file, folders } = found
    if (isSkill(found)) return [{ file, kind: 'skill', folders: folders.slice(0, -1), name: folders.at(-1)! }]
    if (taken.has(dirname(file))) return []
    return [{ file, kind: 'command', folders, name: basename(file, '.md') }]
  })
}

/** What a manifest names comes on top of the folder of skills, and instead of the folder of commands. */
export function skillsOfPlugin(plugin: LoadedPlugin, report: Report): FoundSkill[] {
  const { folder, manifest, isAmongSkills } = plugin
  const { skills } = manifest
  // The client makes their names itself.
  const below = (path: string): FoundSkill[] =>
    namesIn(path).flatMap((name) => skillAt(join(path, name), plain(name)))
  const itself = (path: string): FoundSkill[] => skillAt(path, plain(basename(path)), { isNamedInside: true })
  const named = paths(folder, skills).flatMap((path) => {
    const own = itself(path)
    return own.length > 0 ? own : below(path)
  })
  const standard = join(folder, 'skills')
  const isWhole = skills === undefined && !existsSync(standard) && isAmongSkills === undefined
  return [
    ...commandsOfPlugin(plugin, report),
    ...below(standard),
    ...named,
    ...(isWhole ? itself(folder) : []),
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
    const said = manifestFile && { said: { file: manifestFile, path: ['commands', name] } }
    const one = { kind: 'command', folders: [], name, ...said } as const
    if (typeof content === 'string') return said === undefined ? [] : [{ ...one, file: said.said.file.file }]
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

/** A plugin's skill has a dash for every character that a name must not have. */
export function plain(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/gu, '-')
}
