/** Plugins that stand among the skills: the client loads them without anybody enabling them. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { isJsonObject, type Json } from '@contextd/shared/json/value'
import { isWithin } from '@contextd/shared/files/within'
import { unreadableFile, type FileProblem } from '../../files/client-files.ts'
import { hasName, namesIn } from '@contextd/shared/files/names-in'
import type { ClaudePlaces } from './places.ts'
import { loadFolder, manifestOf, type LoadedPlugin } from './plugin-files.ts'
import { realPathOrSame, type Workspace } from './workspace.ts'
import type { SettingsFile } from '../setup/setup.ts'

/** The user's, then those of the project; of folders above it and of added ones there are none. */
export function readSkillPlugins(
  { project, config }: ClaudePlaces,
  { isTrusted, isUsed }: Workspace,
  settings: readonly SettingsFile[],
  problems: FileProblem[],
): LoadedPlugin[] {
  if (isForbidden(settings)) return []
  const [ofPerson, ofProject] = [join(config, 'skills'), join(project, '.claude', 'skills')]
  const isSame = realPathOrSame(ofPerson) === realPathOrSame(ofProject)
  // Where the client was never used, the project is read as it is for whoever accepts it.
  const isRead = !isSame && (isTrusted || !isUsed)
  const all = [
    ...pluginsIn(ofPerson, problems, (name) => !name.startsWith('.')),
    ...(isRead ? pluginsIn(ofProject, problems).map((plugin) => withinProject(plugin, project)) : []),
  ]
  return all.filter(({ name }, at) => all.findIndex((one) => one.name === name) === at)
}

function pluginsIn(
  skills: string,
  problems: FileProblem[],
  isLookedAt: (name: string) => boolean = () => true,
): LoadedPlugin[] {
  return namesIn(skills)
    .filter(isLookedAt)
    .map((name) => join(skills, name))
    .filter((folder) => hasManifest(folder, problems))
    .flatMap((folder) => loadFolder(folder, 'skills-dir', problems) ?? [])
}

/** Without one it is no plugin; but whoever put a link there meant it to be one. */
function hasManifest(folder: string, problems: FileProblem[]): boolean {
  const manifest = manifestOf(folder)
  if (existsSync(manifest)) return true
  if (hasName(manifest))
    problems.push(unreadableFile(manifest, 'The file is a link to nothing: there is no plugin here.'))
  return false
}

/** Where a link leads out of the project, the client does not start the servers that are defined there. */
function withinProject(plugin: LoadedPlugin, project: string): LoadedPlugin {
  const real = realPathOrSame(project)
  return {
    ...plugin,
    servers: plugin.servers.filter(({ file }) => isWithin(real, realPathOrSame(file.file))),
  }
}

/** What the administrator can say against all of them at once. */
function isForbidden(settings: readonly SettingsFile[]): boolean {
  const managed = settings.filter(({ level }) => level === 'managed').map(({ value }) => value)
  const said = (key: string): Json[] => managed.flatMap((value) => value[key] ?? [])
  const namesSkills = (key: string): boolean =>
    said(key).some((source) => isJsonObject(source) && source.source === 'skills-dir')
  const isStrict = managed.some(({ strictKnownMarketplaces: list }) => Array.isArray(list))
  return (
    namesSkills('blockedMarketplaces') ||
    (isStrict && !namesSkills('strictKnownMarketplaces')) ||
    said('strictPluginOnlyCustomization').some((what) => what === true || onlyPlugins.has(what))
  )
}

/** What can be left to installed plugins alone. */
const onlyPlugins: ReadonlySet<Json> = new Set(['skills', 'agents', 'hooks', 'mcp'])
