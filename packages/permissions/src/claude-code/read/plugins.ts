/** The enabled plugins: where they are and what they provide. */

import { dirname, join, resolve } from 'node:path'

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { JsonFile, FileProblem } from '../../files/client-files.ts'
import type { ClaudePlaces } from './places.ts'
import { readJsonFile } from './json-file.ts'
import { loadFolder, loadPlugin, type LoadedPlugin, type Located } from './plugin-files.ts'
import { enabledPlugins, fromWeakest, enabledInPlace, type EnabledPlugin } from './plugin-switches.ts'
import { readSkillPlugins } from './skill-plugins.ts'
import type { Workspace } from './workspace.ts'
import type { SettingsFile } from '../setup/setup.ts'

export interface PluginsFound {
  readonly plugins: readonly LoadedPlugin[]
  /** Names of enabled plugins that cannot be found or used. */
  readonly missing: readonly string[]
}

const loss = 'Claude Code ignores it'

/** Start flags of the client. */
interface Flags {
  /** Plugin folders (`--plugin-dir`). */
  readonly started: readonly string[]
  /** Folders added to the project (`--add-dir`). */
  readonly addedFolders: readonly string[]
}

export function readPlugins(
  places: ClaudePlaces,
  workspace: Workspace,
  settings: readonly SettingsFile[],
  { started: startedWith, addedFolders }: Flags,
  problems: FileProblem[],
): PluginsFound {
  const isOn = enabledInPlace(settings)
  const started = startedWith.flatMap((folder) => loadFolder(folder, 'inline', problems) ?? []).filter(isOn)
  const wanted = enabledPlugins([
    ...addedFolders.flatMap((folder) => settingsIn(folder, problems)),
    ...fromWeakest(settings),
  ])
  const used = new Set(wanted.map(({ market }) => market))
  const marketplaces = readMarketplaces(used, places, workspace, settings, problems)
  const installed = readJsonFile(join(places.config, 'plugins', 'installed_plugins.json'), loss, problems)
  const missing: string[] = []
  const enabled = wanted.flatMap((plugin) => {
    const found = locate(plugin, marketplaces.get(plugin.market), installed, places.project)
    const loaded = found && loadPlugin({ ...found, id: plugin.id, place: plugin.place }, problems)
    if (loaded === undefined) missing.push(plugin.name)
    return loaded ?? []
  })
  const amongSkills = readSkillPlugins(places, workspace, settings, problems)
  return { plugins: withoutShadowed([started, enabled, amongSkills.filter(isOn)]), missing }
}

/** Plugins from the start flag override installed ones of the same name, which override those in skill folders. */
function withoutShadowed(groups: readonly (readonly LoadedPlugin[])[]): LoadedPlugin[] {
  const names = new Set<string>()
  return groups.flatMap((group) => {
    const visible = group.filter(({ name }) => !names.has(name))
    for (const { name } of visible) names.add(name)
    return visible
  })
}

/** From the settings of an added folder, the client uses only the plugins. */
function settingsIn(folder: string, problems: FileProblem[]): JsonFile[] {
  return ['settings.json', 'settings.local.json'].flatMap(
    (name) => readJsonFile(join(folder, '.claude', name), loss, problems) ?? [],
  )
}

interface Marketplace {
  /** For a marketplace that is a local folder. */
  readonly folder?: string
  /** Its entries for plugins, by name. */
  readonly plugins: ReadonlyMap<Json | undefined, JsonObject>
}

function readMarketplaces(
  used: ReadonlySet<string>,
  { config, project }: ClaudePlaces,
  { isTrusted }: Workspace,
  settings: readonly SettingsFile[],
  problems: FileProblem[],
): ReadonlyMap<string, Marketplace> {
  const known = readJsonFile(join(config, 'plugins', 'known_marketplaces.json'), loss, problems)?.value ?? {}
  const declared = fromWeakest(settings)
    .filter(({ level }) => isTrusted || (level !== 'project' && level !== 'local'))
    .map(({ value }) => value.extraKnownMarketplaces)
    .filter(isJsonObject)
  const all: JsonObject = Object.assign(Object.create(null), ...declared, known)
  const entries = Object.entries(all).filter(([name]) => used.has(name))
  return new Map(entries.map(([name, entry]) => [name, readMarketplace(entry, project, problems)]))
}

function readMarketplace(entry: Json, project: string, problems: FileProblem[]): Marketplace {
  const { source, installLocation } = isJsonObject(entry) ? entry : {}
  const { source: kind, path } = isJsonObject(source) ? source : {}
  const absolute = typeof path === 'string' ? resolve(project, path) : undefined
  const folder =
    absolute !== undefined && kind === 'file'
      ? dirname(dirname(absolute))
      : kind === 'directory'
        ? absolute
        : undefined
  const place = folder ?? (typeof installLocation === 'string' ? installLocation : undefined)
  const catalogue =
    place && readJsonFile(join(place, '.claude-plugin', 'marketplace.json'), loss, problems)?.value.plugins
  const plugins = Array.isArray(catalogue) ? catalogue.filter(isJsonObject) : []
  return {
    ...(folder !== undefined && { folder }),
    plugins: new Map(plugins.map((plugin) => [plugin.name, plugin])),
  }
}

/** Plugins of a folder marketplace are read in place; all others are copied when installed. */
function locate(
  { id, name }: EnabledPlugin,
  marketplace: Marketplace | undefined,
  installed: JsonFile | undefined,
  project: string,
): Located | undefined {
  if (marketplace === undefined) return undefined
  const entry = marketplace.plugins.get(name)
  if (marketplace.folder !== undefined && typeof entry?.source === 'string')
    return { folder: resolve(marketplace.folder, entry.source), entry }
  const plugins = installed?.value.plugins
  const copies = isJsonObject(plugins) && Object.hasOwn(plugins, id) ? plugins[id] : undefined
  const candidates = (Array.isArray(copies) ? copies : [copies]).filter(isJsonObject)
  const copy =
    candidates.find((one) => one.projectPath === project) ??
    candidates.find((one) => one.projectPath === undefined)
  if (typeof copy?.installPath !== 'string') return undefined
  return { folder: copy.installPath, entry: entry ?? { name } }
}
