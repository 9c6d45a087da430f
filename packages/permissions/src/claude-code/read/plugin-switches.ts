/** What settings say about plugins: which they enable, which they switch off, and which names the administrator keeps. */

import { isJsonObject, type Json } from '@contextd/shared/json/value'
import type { JsonFile } from '../../files/client-files.ts'
import type { Place } from '../../findings/finding.ts'
import { jsonPlace } from './json-file.ts'
import type { LoadedPlugin } from './plugin-files.ts'
import { levels, type SettingsFile } from '../setup/setup.ts'

export interface EnabledPlugin {
  readonly id: string
  /** Before and behind the `@`. */
  readonly name: string
  readonly market: string
  readonly place: Place
}

/** No marketplaces: what stands behind the `@` of plugins that are read where they stand. */
export type InPlaceMarket = 'inline' | 'skills-dir'
const inPlaceMarkets: readonly string[] = ['inline', 'skills-dir'] satisfies InPlaceMarket[]

/** Of marketplaces: nothing but `true` enables one. */
export function enabledPlugins(settings: readonly JsonFile[]): EnabledPlugin[] {
  return Array.from(decisions(settings)).flatMap(([id, { said, place }]) => {
    const { name, market } = partsOf(id)
    return said === true && !inPlaceMarkets.includes(market) ? [{ id, name, market, place }] : []
  })
}

/** Of those that stand in a folder: nothing but `false` switches one off. */
export function switchedOn(settings: readonly SettingsFile[]): (plugin: LoadedPlugin) => boolean {
  const decided = decisions(fromWeakest(settings))
  const kept = keptNames(settings)
  return ({ id, name, manifest }) =>
    !kept.has(name.toLowerCase()) && (decided.get(id)?.said ?? manifest.defaultEnabled) !== false
}

/** Whatever the administrator says of a plugin, no folder may bring another of its name. */
function keptNames(settings: readonly SettingsFile[]): ReadonlySet<string> {
  const managed = decisions(settings.filter(({ level }) => level === 'managed'))
  const decided = Array.from(managed).filter(([, { said }]) => typeof said === 'boolean')
  return new Set(decided.map(([id]) => partsOf(id).name.toLowerCase()))
}

function partsOf(id: string): Pick<EnabledPlugin, 'name' | 'market'> {
  const at = id.lastIndexOf('@')
  return at === -1 ? { name: id, market: '' } : { name: id.slice(0, at), market: id.slice(at + 1) }
}

interface Decision {
  readonly said: Json
  readonly place: Place
}

/** By id; the last that names a plugin decides. */
function decisions(settings: readonly JsonFile[]): ReadonlyMap<string, Decision> {
  const decided = new Map<string, Decision>()
  for (const { value, document, file } of settings) {
    if (!isJsonObject(value.enabledPlugins)) continue
    for (const [id, said] of Object.entries(value.enabledPlugins)) {
      const place = { file, ...jsonPlace(document, ['enabledPlugins', id], 'key') }
      decided.set(id, { said, place })
    }
  }
  return decided
}

/** So that what comes later has the last word, within a level too. */
export function fromWeakest(settings: readonly SettingsFile[]): SettingsFile[] {
  return levels.toReversed().flatMap((level) => settings.filter((file) => file.level === level))
}
