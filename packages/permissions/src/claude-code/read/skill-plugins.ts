/** Plugins in skill folders, which the client loads without being enabled. */

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

/** The user's plugins, then the project's. Parent folders and added folders are not searched. */
export function readSkillPlugins(
  { project, config }: ClaudePlaces,
  { isTrusted, isUsed }: Workspace,
  settings: readonly SettingsFile[],
  problems: FileProblem[],
): LoadedPlugin[] {
  if (isForbidden(settings)) return []
  const [ofUser, ofProject] = [join(config, 'skills'), join(project, '.claude', 'skills')]
  const isSame = realPathOrSame(ofUser) === realPathOrSame(ofProject)
  // If the client was never used here, assume that its user will trust the project.
  const isRead = !isSame && (isTrusted || !isUsed)
  const all = [
    ...pluginsIn(ofUser, problems, (name) => !name.startsWith('.')),
    ...(isRead ? pluginsIn(ofProject, problems).map((plugin) => withinProject(plugin, project)) : []),
  ]
  return all.filter(({ name }, at) => all.findIndex((one) => one.name === name) === at)
}

function pluginsIn(
  skills: string,
  problems: FileProblem[],
  accepts: (name: string) => boolean = () => true,
): LoadedPlugin[] {
  return namesIn(skills)
    .filter(accepts)
    .map((name) => join(skills, name))
    .filter((folder) => hasManifest(folder, problems))
    .flatMap((folder) => loadFolder(folder, 'skills-dir', problems) ?? [])
}

/** A folder without a manifest is not a plugin, but a broken link to one is reported. */
function hasManifest(folder: string, problems: FileProblem[]): boolean {
  const manifest = manifestOf(folder)
  if (existsSync(manifest)) return true
  if (hasName(manifest))
    problems.push(unreadableFile(manifest, 'The file is a broken link: no plugin is loaded.'))
  return false
}

/** The client does not start servers defined in files outside the project, reached by a link. */
function withinProject(plugin: LoadedPlugin, project: string): LoadedPlugin {
  const real = realPathOrSame(project)
  return {
    ...plugin,
    servers: plugin.servers.filter(({ file }) => isWithin(real, realPathOrSame(file.file))),
  }
}

/** Whether managed settings disable all plugins in skill folders. */
function isForbidden(settings: readonly SettingsFile[]): boolean {
  const managed = settings.filter(({ level }) => level === 'managed').map(({ value }) => value)
  const valuesOf = (key: string): Json[] => managed.flatMap((value) => value[key] ?? [])
  const namesSkills = (key: string): boolean =>
    valuesOf(key).some((source) => isJsonObject(source) && source.source === 'skills-dir')
  const isStrict = managed.some(({ strictKnownMarketplaces: list }) => Array.isArray(list))
  return (
    namesSkills('blockedMarketplaces') ||
    (isStrict && !namesSkills('strictKnownMarketplaces')) ||
    valuesOf('strictPluginOnlyCustomization').some((what) => what === true || onlyPlugins.has(what))
  )
}

/** Features that can be restricted to installed plugins. */
const onlyPlugins: ReadonlySet<Json> = new Set(['skills', 'agents', 'hooks', 'mcp'])
