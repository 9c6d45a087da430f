/** Which plugins the settings enable and disable, and which names managed settings reserve. */

import { isJsonObject, type Json } from '@contextd/shared/json/value'
import type { JsonFile } from '../../files/client-files.ts'
import type { Place } from '../../findings/finding.ts'
import { jsonPlace } from './json-file.ts'
import type { LoadedPlugin } from './plugin-files.ts'
import { levels, type SettingsFile } from '../setup/setup.ts'

export interface EnabledPlugin {
  readonly id: string
  /** Before and after the `@`. */
  readonly name: string
  readonly market: string
  readonly place: Place
}

/** Not marketplaces: suffixes in the ids of plugins that are read in place. */
export type InPlaceMarket = 'inline' | 'skills-dir'
const inPlaceMarkets: readonly string[] = ['inline', 'skills-dir'] satisfies InPlaceMarket[]

/** Plugins of marketplaces, which only `true` enables. */
export function enabledPlugins(settings: readonly JsonFile[]): EnabledPlugin[] {
  return Array.from(decisions(settings)).flatMap(([id, { value, place }]) => {
    const { name, market } = partsOf(id)
    return value === true && !inPlaceMarkets.includes(market) ? [{ id, name, market, place }] : []
  })
}

/** Plugins in folders, which only `false` disables. */
export function enabledInPlace(settings: readonly SettingsFile[]): (plugin: LoadedPlugin) => boolean {
  const decided = decisions(fromWeakest(settings))
  const reserved = reservedNames(settings)
  return ({ id, name, manifest }) =>
    !reserved.has(name.toLowerCase()) && (decided.get(id)?.value ?? manifest.defaultEnabled) !== false
}

/** Names that managed settings enable or disable cannot be used by plugins in folders. */
function reservedNames(settings: readonly SettingsFile[]): ReadonlySet<string> {
  const managed = decisions(settings.filter(({ level }) => level === 'managed'))
  const decided = Array.from(managed).filter(([, { value }]) => typeof value === 'boolean')
  return new Set(decided.map(([id]) => partsOf(id).name.toLowerCase()))
}

function partsOf(id: string): Pick<EnabledPlugin, 'name' | 'market'> {
  const at = id.lastIndexOf('@')
  return at === -1 ? { name: id, market: '' } : { name: id.slice(0, at), market: id.slice(at + 1) }
}

interface Decision {
  readonly value: Json
  readonly place: Place
}

/** By plugin id; the last file that names a plugin decides. */
function decisions(settings: readonly JsonFile[]): ReadonlyMap<string, Decision> {
  const decided = new Map<string, Decision>()
  for (const { value, document, file } of settings) {
    if (!isJsonObject(value.enabledPlugins)) continue
    for (const [id, decision] of Object.entries(value.enabledPlugins)) {
      const place = { file, ...jsonPlace(document, ['enabledPlugins', id], 'key') }
      decided.set(id, { value: decision, place })
    }
  }
  return decided
}

/** Weakest first, so that later files override earlier ones, within a level too. */
export function fromWeakest(settings: readonly SettingsFile[]): SettingsFile[] {
  return levels.toReversed().flatMap((level) => settings.filter((file) => file.level === level))
}
