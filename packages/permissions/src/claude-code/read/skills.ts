/** The skills and commands of the project, the user, managed settings and plugins. */

import { join } from 'node:path'

import { isJsonObject, valueAt, type JsonObject } from '@contextd/shared/json/value'
import type { FileProblem } from '../../files/client-files.ts'
import type { Frontmatter } from '../../files/frontmatter.ts'
import { firstNames } from '../../files/markdown-files.ts'
import { hookFaults, mayGuard, namesEvent, type HookFault } from '../rules/hook-shape.ts'
import { hookProblem, placesIn } from './hooks.ts'
import { jsonPlace } from './json-file.ts'
import {
  headIn,
  keyEntries,
  readMarkdownHead,
  toolEntries,
  toolsIn,
  type HeadReading,
  type MarkdownHead,
} from './markdown-head.ts'
import type { ClaudePlaces } from './places.ts'
import type { LoadedPlugin } from './plugin-files.ts'
import { commandsIn, plain, skillsIn, skillsOfPlugin, type FoundSkill, type Report } from './skill-files.ts'
import type { Entry, SkillFile } from '../setup/setup.ts'

export interface LoadedSkill extends SkillFile {
  /** The position of a value in the frontmatter. */
  readonly locate: Frontmatter['locate']
}

/**
 * In order of precedence: unlike agents, the user's skills override the project's. `folders`: the folders whose `.claude`
 * is read, in the same order.
 */
export function readSkills(
  places: ClaudePlaces,
  folders: readonly string[],
  plugins: readonly LoadedPlugin[],
  reading: HeadReading,
): LoadedSkill[] {
  const report = (problem: FileProblem): unknown => reading.problems.push(problem)
  const isNew = firstNames()
  const own = (name: string, find: (folder: string, report: Report) => FoundSkill[]): LoadedSkill[] =>
    (
      [
        ['managed', join(places.managed, '.claude')],
        ['user', places.config],
        ...folders.map((folder) => ['project', join(folder, '.claude')] as const),
      ] as const
    ).flatMap(([source, folder]) =>
      find(join(folder, name), report)
        .filter(({ file }) => isNew(file))
        .flatMap((found) => readSkill(found, { source }, reading)),
    )
  const ofPlugins = plugins.flatMap((plugin) =>
    skillsOfPlugin(plugin, report).flatMap((found) =>
      readSkill(found, { source: 'plugin', plugin: plugin.name }, reading),
    ),
  )
  const isCommand = ({ kind }: SkillFile): number => Number(kind === 'command')
  return [
    ...own('skills', skillsIn),
    ...own('commands', commandsIn),
    ...ofPlugins.toSorted((a, b) => isCommand(b) - isCommand(a)),
  ]
}

function readSkill(
  found: FoundSkill,
  origin: Pick<SkillFile, 'source' | 'plugin'>,
  reading: HeadReading,
): LoadedSkill[] {
  const { file, kind } = found
  const head = headOf(found, reading)
  if (head === undefined) return []
  const { text, matter = noMatter } = head
  const { value, locate } = matter
  const base = { file, text, kind, ...origin, ...namesOf(found, origin.plugin, value.name) }
  const fatal = hookFaults({ hooks: value.hooks ?? null }).filter(isFatal)
  for (const fault of fatal)
    reading.problems.push(
      hookProblem(fault, placesIn({ file, locate }), 'runs none of the hooks of this skill'),
    )
  // If the skill has a guard hook that the client cannot run, its tool grants do not apply.
  const isUnguarded = isCommandOfPlugin(base) ? mayGuard(value.hooks) : fatal.length > 0
  const allowed = manifestTools(found) ?? toolEntries('allowed-tools', matter, file, text)
  const disallowedTools =
    toolEntries('disallowed-tools', matter, file, text) ?? toolEntries('disallowedTools', matter, file, text)
  return [
    {
      ...base,
      ...(allowed !== undefined && !isUnguarded && { allowedTools: allowed }),
      ...(disallowedTools !== undefined && { disallowedTools }),
      hasHooks: fatal.length === 0 && namesEvent(value.hooks) && !isCommandOfPlugin(base),
      isForked: value.context === 'fork',
      keys: keyEntries(file, matter),
      frontmatter: value,
      locate,
    },
  ]
}

const noMatter: Frontmatter = {
  ok: true,
  isPlain: true,
  value: {},
  locate: () => undefined,
  voided: [],
  body: 0,
}

const losses = {
  unreadable: 'the skill is not available',
  malformed: 'Claude Code ignores it and runs the skill without it',
}

/** For a command defined in a manifest, every position is that of its text there. */
function headOf(found: FoundSkill, reading: HeadReading): MarkdownHead | undefined {
  const { content } = manifestEntry(found)
  if (found.inManifest === undefined || typeof content !== 'string')
    return readMarkdownHead(found.file, reading, losses)
  const { file, path } = found.inManifest
  const place = jsonPlace(file.document, [...path, 'content'])
  const noticed: FileProblem[] = []
  const { matter, body } = headIn(content, file.file, { ...reading, problems: noticed }, losses)
  for (const problem of noticed) reading.problems.push({ ...problem, ...place })
  const locate = (): ReturnType<Frontmatter['locate']> => ({ ...place, start: 0, end: 0 })
  return { text: file.text, matter: matter && { ...matter, locate }, body }
}

function manifestEntry({ inManifest }: FoundSkill): JsonObject {
  const value = inManifest && valueAt(inManifest.file.value, inManifest.path)
  return isJsonObject(value) ? value : {}
}

function manifestTools(found: FoundSkill): Entry[] | undefined {
  const { inManifest } = found
  const { allowedTools } = manifestEntry(found)
  if (inManifest === undefined || !Array.isArray(allowedTools)) return undefined
  return allowedTools.flatMap((item, index) => {
    const { line, column } = jsonPlace(inManifest.file.document, [...inManifest.path, 'allowedTools', index])
    const texts = typeof item === 'string' ? toolsIn(item) : []
    return texts.map((text) => ({ file: inManifest.file.file, text, line, column, start: 0, end: 0 }))
  })
}

/** A fault in a guard hook or in `hooks` itself disables all hooks; any other only the hook that has it. */
function isFatal({ drops, path }: HookFault): boolean {
  return drops === 'file' || path.length === 1
}

/** The client reads everything but hooks from commands of plugins. */
function isCommandOfPlugin({ kind, source }: Pick<SkillFile, 'kind' | 'source'>): boolean {
  return kind === 'command' && source === 'plugin'
}

/** Commands of the project and the user are always named after their file. */
function namesOf(
  { kind, folders, name, isNamedInside }: FoundSkill,
  plugin: string | undefined,
  frontmatterName: unknown,
): Pick<SkillFile, 'name' | 'aliases'> {
  const given =
    typeof frontmatterName === 'string' || typeof frontmatterName === 'number' ? String(frontmatterName) : ''
  const qualified = (last: string): string =>
    [...(plugin === undefined ? [] : [plugin]), ...folders, last].join(':')
  const own = qualified(isNamedInside && given !== '' ? plain(given) : name)
  if (given === '' || (plugin === undefined && kind === 'command')) return { name: own, aliases: [] }
  return { name: own, aliases: [...new Set([qualified(given), given])].filter((alias) => alias !== own) }
}
