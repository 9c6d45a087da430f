/** The skills and commands of the project, of the person, of the administrator and of plugins. */

import { join } from 'node:path'

import { isJsonObject, type JsonObject } from '../../../../core/json.ts'
import type { Trouble } from '../../../permissions/client-files.ts'
import { firstNames } from '../../../permissions/markdown-files.ts'
import { hookEvents, hookFaults } from '../rules/hook-shape.ts'
import { hookTrouble, placesIn } from './hooks.ts'
import { keyEntries, readHead, toolEntries, type HeadReading } from './markdown-head.ts'
import type { Places } from './places.ts'
import { commandsIn, plain, skillsIn, skillsOfPlugin, type FoundSkill, type Report } from './skill-files.ts'
import type { Plugin, SkillFile } from '../setup.ts'

/**
 * In the order in which the client prefers them: other than of agents, the person's come before the project's.
 * `folders`: those whose `.claude` counts, in the same order.
 */
export function readSkills(
  places: Places,
  folders: readonly string[],
  plugins: readonly Plugin[],
  reading: HeadReading,
): SkillFile[] {
  const report = (trouble: Trouble): unknown => reading.troubles.push(trouble)
  const isNew = firstNames()
  const own = (name: string, find: (folder: string, report: Report) => FoundSkill[]): SkillFile[] =>
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
  const brought = plugins.flatMap((plugin) =>
    skillsOfPlugin(plugin, report).flatMap((found) =>
      readSkill(found, { source: 'plugin', plugin: plugin.name }, reading),
    ),
  )
  const isCommand = ({ kind }: SkillFile): number => Number(kind === 'command')
  return [
    ...own('skills', skillsIn),
    ...own('commands', commandsIn),
    ...brought.toSorted((a, b) => isCommand(b) - isCommand(a)),
  ]
}

function readSkill(
  found: FoundSkill,
  origin: Pick<SkillFile, 'source' | 'plugin'>,
  reading: HeadReading,
): SkillFile[] {
  const { file, kind } = found
  const head = readHead(file, reading, {
    unreadable: 'there is no skill of this name',
    malformed: 'Claude Code ignores all of it, and runs the skill without it',
  })
  if (head === undefined) return []
  const { text, matter } = head
  const base = { file, text, kind, ...origin, ...namesOf(found, origin.plugin, matter?.value.name) }
  if (matter === undefined) return [{ ...base, hasHooks: false, keys: new Map(), frontmatter: {} }]
  const { value, locate } = matter
  const faults = hookFaults({ hooks: value.hooks ?? null })
  for (const fault of faults)
    reading.troubles.push(
      hookTrouble(fault, placesIn({ file, locate }), 'runs none of the hooks of this skill'),
    )
  const allowedTools = toolEntries('allowed-tools', matter, file, text)
  const disallowedTools =
    toolEntries('disallowed-tools', matter, file, text) ?? toolEntries('disallowedTools', matter, file, text)
  return [
    {
      ...base,
      ...(allowedTools !== undefined && { allowedTools }),
      ...(disallowedTools !== undefined && { disallowedTools }),
      hasHooks: faults.length === 0 && isSomeHook(value),
      keys: keyEntries(file, matter),
      frontmatter: value,
    },
  ]
}

function isSomeHook({ hooks }: JsonObject): boolean {
  return isJsonObject(hooks) && Object.keys(hooks).some((event) => hookEvents.includes(event))
}

/** The project's and the person's commands have no other name than their file's. */
function namesOf(
  { kind, folders, name, isNamedInside }: FoundSkill,
  plugin: string | undefined,
  written: unknown,
): Pick<SkillFile, 'name' | 'aliases'> {
  const given = typeof written === 'string' || typeof written === 'number' ? String(written) : ''
  const whole = (last: string): string =>
    [...(plugin === undefined ? [] : [plugin]), ...folders, last].join(':')
  const own = whole(isNamedInside && given !== '' ? plain(given) : name)
  if (given === '' || (plugin === undefined && kind === 'command')) return { name: own, aliases: [] }
  return { name: own, aliases: [...new Set([whole(given), given])].filter((alias) => alias !== own) }
}
