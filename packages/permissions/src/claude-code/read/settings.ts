/** The settings of all levels, with their rules and the position of each. */

import { join } from 'node:path'

import { isJsonObject } from '@contextd/shared/json/value'
import { formatJsonPath } from '@contextd/shared/json/json-path'
import type { JsonFile, FileProblem } from '../../files/client-files.ts'
import type { ClaudePlaces } from './places.ts'
import { jsonPlace, readJsonFile, wrongShape } from './json-file.ts'
import { namesIn } from '@contextd/shared/files/names-in'
import type { Workspace } from './workspace.ts'
import { droppingFaults } from '../rules/settings-schema.ts'
import type { Level, RuleEntry, SettingsFile } from '../setup/setup.ts'

/** From the strongest level to the weakest, except that later managed files override earlier ones. */
export function readSettingsFiles(
  places: ClaudePlaces,
  workspace: Workspace,
  problems: FileProblem[],
): SettingsFile[] {
  const { managed, project, config } = places
  const [ofProject, ofUser] = [join(project, '.claude', 'settings.json'), join(config, 'settings.json')]
  const files: (readonly [Level, string])[] = [
    ['managed', join(managed, 'managed-settings.json')],
    ...dropIns(join(managed, 'managed-settings.d')).map((file) => ['managed', file] as const),
    ...workspace.localSettings.map((file) => ['local', file] as const),
    // In the home folder, project and user settings are the same file.
    ...(ofProject === ofUser ? [] : [['project', ofProject] as const]),
    ['user', ofUser],
  ]
  return files.flatMap(([level, file]) => {
    const read = readJsonFile(file, 'Claude Code ignores the whole file', problems)
    if (read === undefined || isDropped(read, level, problems)) return []
    return [{ ...read, level, rules: rulesOf(read, level, problems) }]
  })
}

/** The client ignores a file with any fault as a whole, but keeps the valid parts of managed files. */
function isDropped(file: JsonFile, level: Level, problems: FileProblem[]): boolean {
  const faults = droppingFaults(file.value)
  const loss = level === 'managed' ? 'ignores it' : 'ignores the whole file, including its deny rules'
  for (const { path, expected } of faults) {
    const what = `${formatJsonPath(path)}: Claude Code expects ${expected}, and ${loss}`
    problems.push({ ...wrongShape(file, path, what), fix: 'Write what it expects, or remove it.' })
  }
  return faults.length > 0 && level !== 'managed'
}

function dropIns(folder: string): string[] {
  return namesIn(folder)
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .map((name) => join(folder, name))
}

const lists = ['allow', 'ask', 'deny'] as const

function rulesOf(file: JsonFile, level: Level, problems: FileProblem[]): RuleEntry[] {
  const { permissions } = file.value
  if (!isJsonObject(permissions)) return []
  return lists.flatMap((list) => {
    const rules = permissions[list]
    if (!Array.isArray(rules)) return []
    return rules.flatMap((text, index): RuleEntry[] => {
      const path = ['permissions', list, index]
      if (typeof text === 'string')
        return [{ file: file.file, ...jsonPlace(file.document, path), level, list, text, path }]
      problems.push(wrongShape(file, path, 'A rule must be a string: Claude Code ignores this one'))
      return []
    })
  })
}
