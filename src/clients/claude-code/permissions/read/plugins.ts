/** The plugins that are enabled: where they are, what they bring. */

import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'

import { isJsonObject, type Json, type JsonObject } from '../../../../core/json.ts'
import type { JsonFile, Trouble } from '../../../permissions/client-files.ts'
import type { Place } from '../../../permissions/finding.ts'
import { markdownIn, type MarkdownFile } from '../../../permissions/markdown-files.ts'
import type { Places } from './places.ts'
import { unloadableHooks } from './hooks.ts'
import { placeIn, readJson, type JsonPart } from './json-file.ts'
import type { Workspace } from './workspace.ts'
import { levels, type Plugin, type SettingsFile } from '../setup.ts'

export interface LoadedPlugin extends Plugin {
  /** Objects whose keys are names of servers; a later one wins. */
  readonly servers: readonly JsonPart[]
  /** Objects whose keys are events. */
  readonly hooks: readonly JsonPart[]
  readonly agentFiles: readonly MarkdownFile[]
}

export interface PluginsFound {
  readonly plugins: readonly LoadedPlugin[]
  /** Names of those that are enabled and cannot be found or used. */
  readonly missing: readonly string[]
}

const loss = 'Claude Code goes on without it'

/** What the client is started with. */
interface Flags {
  /** Folders of plugins. */
  readonly started: readonly string[]
  /** Folders beside the project. */
  readonly addedFolders: readonly string[]
}

export function readPlugins(
  places: Places,
  workspace: Workspace,
  settings: readonly SettingsFile[],
  { started: startedWith, addedFolders }: Flags,
  troubles: Trouble[],
): PluginsFound {
  const started = startedWith.flatMap((folder) => {
    const place = { file: manifestOf(folder), line: 1, column: 1 }
    return load({ folder, entry: {}, id: undefined, place }, troubles) ?? []
  })
  const names = new Set(started.map(({ name }) => name))
  const wanted = enabledPlugins([
    ...addedFolders.flatMap((folder) => settingsIn(folder, troubles)),
    ...fromWeakest(settings),
  ])
  const used = new Set(wanted.map(({ market }) => market))
  const marketplaces = readMarketplaces(used, places, workspace, settings, troubles)
  const installed = readJson(join(places.config, 'plugins', 'installed_plugins.json'), loss, troubles)
  const missing: string[] = []
  const enabled = wanted.flatMap((plugin) => {
    const found = locate(plugin, marketplaces.get(plugin.market), installed, places.project)
    const loaded = found && load({ ...found, id: plugin.id, place: plugin.place }, troubles)
    if (loaded === undefined) missing.push(plugin.name)
    return loaded ?? []
  })
  // One that the client is started with takes the place of an installed one.
  return { plugins: [...started, ...enabled.filter(({ name }) => !names.has(name))], missing }
}

interface EnabledPlugin {
  readonly id: string
  /** Before and behind the `@`. */
  readonly name: string
  readonly market: string
  readonly place: Place
}

/** Of the settings of an added folder the client takes the plugins and nothing else. */
function settingsIn(folder: string, troubles: Trouble[]): JsonFile[] {
  return ['settings.json', 'settings.local.json'].flatMap(
    (name) => readJson(join(folder, '.claude', name), loss, troubles) ?? [],
  )
}

/** The last that names a plugin decides; nothing but `true` enables it. */
function enabledPlugins(settings: readonly JsonFile[]): EnabledPlugin[] {
  const decided = new Map<string, { isOn: boolean; place: Place }>()
  for (const { value, document, file } of settings) {
    if (!isJsonObject(value.enabledPlugins)) continue
    for (const [id, isOn] of Object.entries(value.enabledPlugins)) {
      const place = { file, ...placeIn(document, ['enabledPlugins', id], 'key') }
      decided.set(id, { isOn: isOn === true, place })
    }
  }
  return Array.from(decided).flatMap(([id, { isOn, place }]) => {
    const at = id.lastIndexOf('@')
    return isOn ? [{ id, name: id.slice(0, at), market: id.slice(at + 1), place }] : []
  })
}

/** So that what comes later has the last word, within a level too. */
function fromWeakest(settings: readonly SettingsFile[]): SettingsFile[] {
  return levels.toReversed().flatMap((level) => settings.filter((file) => file.level === level))
}

interface Marketplace {
  /** Where it is a folder of this machine. */
  readonly folder?: string
  /** What it says of its plugins, by their names. */
  readonly plugins: ReadonlyMap<Json | undefined, JsonObject>
}

function readMarketplaces(
  used: ReadonlySet<string>,
  { config, project }: Places,
  { isTrusted }: Workspace,
  settings: readonly SettingsFile[],
  troubles: Trouble[],
): ReadonlyMap<string, Marketplace> {
  const known = readJson(join(config, 'plugins', 'known_marketplaces.json'), loss, troubles)?.value ?? {}
  const named = fromWeakest(settings)
    .filter(({ level }) => isTrusted || (level !== 'project' && level !== 'local'))
    .map(({ value }) => value.extraKnownMarketplaces)
    .filter(isJsonObject)
  const all: JsonObject = Object.assign(Object.create(null), ...named, known)
  const entries = Object.entries(all).filter(([name]) => used.has(name))
  return new Map(entries.map(([name, entry]) => [name, readMarketplace(entry, project, troubles)]))
}

function readMarketplace(entry: Json, project: string, troubles: Trouble[]): Marketplace {
  const { source, installLocation } = isJsonObject(entry) ? entry : {}
  const { source: kind, path } = isJsonObject(source) ? source : {}
  const whole = typeof path === 'string' ? resolve(project, path) : undefined
  const folder =
    whole !== undefined && kind === 'file'
      ? dirname(dirname(whole))
      : kind === 'directory'
        ? whole
        : undefined
  const place = folder ?? (typeof installLocation === 'string' ? installLocation : undefined)
  const catalogue =
    place && readJson(join(place, '.claude-plugin', 'marketplace.json'), loss, troubles)?.value.plugins
  const plugins = Array.isArray(catalogue) ? catalogue.filter(isJsonObject) : []
  return {
    ...(folder !== undefined && { folder }),
    plugins: new Map(plugins.map((plugin) => [plugin.name, plugin])),
  }
}

interface Located {
  readonly folder: string
  /** What the marketplace says of it; its manifest where it has none. */
  readonly entry: JsonObject
}

/** A marketplace that is a folder is read in place; of any other there is a copy. */
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

function manifestOf(folder: string): string {
  return join(folder, '.claude-plugin', 'plugin.json')
}

/** Undefined where the client cannot use it. */
function load(
  { folder, entry, id, place }: Located & { readonly id: string | undefined; readonly place: Place },
  troubles: Trouble[],
): LoadedPlugin | undefined {
  if (!existsSync(folder)) return undefined
  const file = readJson(manifestOf(folder), 'Claude Code leaves the whole plugin out', troubles)
  if (file === undefined && existsSync(manifestOf(folder))) return undefined
  const manifest = file?.value ?? entry
  const name = [manifest.name, entry.name].find((one) => typeof one === 'string' && one !== '')
  const known = typeof name === 'string' ? name : basename(folder)
  const read = (path: string): JsonFile | undefined =>
    readJson(path, 'Claude Code goes on without what it defines', troubles)
  const hooks = hookParts(folder, file, read)
  const unloadable = hooks.flatMap((part) => unloadableHooks(part, 'leaves the whole plugin out'))
  for (const trouble of unloadable) troubles.push(trouble)
  if (unloadable.length > 0) return undefined
  const settings = read(join(folder, 'settings.json'))?.value ?? manifest.settings
  return {
    ...place,
    name: known,
    id: id ?? `${known}@inline`,
    folder,
    manifest,
    ...(isJsonObject(settings) && { settings }),
    servers: serverParts(folder, file, read),
    hooks,
    agentFiles: agentFiles(folder, manifest.agents, troubles),
  }
}

/** A file of its own, then what the manifest says: in place, or as a path to such a file. */
function serverParts(folder: string, manifest: JsonFile | undefined, read: Reader): JsonPart[] {
  const inFile = (path: string | undefined): JsonPart[] => {
    const file = path === undefined ? undefined : read(path)
    if (file === undefined) return []
    return [{ file, path: isJsonObject(file.value.mcpServers) ? ['mcpServers'] : [] }]
  }
  return [
    ...inFile(join(folder, '.mcp.json')),
    ...manifestParts(manifest, 'mcpServers').flatMap(({ value, part }) =>
      typeof value === 'string' ? inFile(inside(folder, value)) : [part],
    ),
  ]
}

/** In a file below the key `hooks`, in the manifest without it. */
function hookParts(folder: string, manifest: JsonFile | undefined, read: Reader): JsonPart[] {
  const standard = join(folder, 'hooks', 'hooks.json')
  const inFile = (path: string | undefined): JsonPart[] => {
    const file = path === undefined ? undefined : read(path)
    return file === undefined || !isJsonObject(file.value.hooks) ? [] : [{ file, path: ['hooks'] }]
  }
  return [
    ...inFile(standard),
    ...manifestParts(manifest, 'hooks').flatMap(({ value, part }) => {
      if (typeof value !== 'string') return [part]
      const path = inside(folder, value)
      return path === standard ? [] : inFile(path)
    }),
  ]
}

type Reader = (path: string) => JsonFile | undefined

function manifestParts(
  manifest: JsonFile | undefined,
  key: string,
): { readonly value: Json; readonly part: JsonPart }[] {
  const given = manifest?.value[key]
  if (manifest === undefined || given === undefined) return []
  return Array.isArray(given)
    ? given.map((value, index) => ({ value, part: { file: manifest, path: [key, index] } }))
    : [{ value: given, part: { file: manifest, path: [key] } }]
}

/** Files that the manifest names take the place of the folder. */
function agentFiles(folder: string, named: Json | undefined, troubles: Trouble[]): MarkdownFile[] {
  if (named === undefined)
    return markdownIn(join(folder, 'agents'), {
      followsLinks: false,
      ending: /\.md$/i,
      report: (trouble) => troubles.push(trouble),
    })
  return (Array.isArray(named) ? named : [named]).flatMap((path) => {
    const file = typeof path === 'string' ? inside(folder, path) : undefined
    return file?.endsWith('.md') === true ? [{ file, folders: [] }] : []
  })
}

/** The client refuses what leads out of the plugin. */
export function inside(folder: string, path: string): string | undefined {
  const whole = resolve(folder, path.replace('${CLAUDE_PLUGIN_ROOT}', folder))
  return whole.startsWith(resolve(folder) + sep) ? whole : undefined
}
