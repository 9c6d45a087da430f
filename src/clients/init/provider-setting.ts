/** What `ctxd init` writes into our own configuration: the upstream URLs of the model door, and the mode. */

import { stringify } from 'smol-toml'

import { canonicalJson, isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import { removeKey, setKey } from '../../platform/config/edit-config.ts'
import { parseConfig, parseToml } from '../../platform/config/load-config.ts'
import type { DoorProvider } from '../model-door/providers.ts'
import type { Remembered } from './client-file.ts'

const key = 'model.anthropic'
const modeKey = 'client.mode'

export function withProvider(text: string, url: string, file: string): string {
  return setKey(text, key, url, file)
}

/** Appends a table for each provider. None of them may already be configured. */
export function withProviders(text: string, providers: readonly DoorProvider[], file: string): string {
  const tables = providers.map(({ name, url, api }) => tableOf(name, { url, api }))
  const start = text === '' || text.endsWith('\n') ? text : `${text}\n`
  const extended = [...(start === '' ? [] : [start]), ...tables].join('\n')
  if (providers.length === 0) return text
  // Throws if the file configures other providers in a form that allows no table, such as inline.
  parseConfig(Buffer.from(extended), file)
  return extended
}

function tableOf(name: string, values: JsonObject): string {
  return `[model.providers.${name}]\n${stringify(values).trimEnd()}\n`
}

/** Restores the original, except for later changes by others. */
export function revertConfig(now: string, before: string, after: string): string {
  const own = revertKey(revertKey(now, before, after, key), before, after, modeKey)
  const old = othersIn(before)
  return Object.entries(othersIn(after))
    .filter(([name]) => !Object.hasOwn(old, name))
    .reduce((left, [name, values]) => withoutTable(left, name, values), own)
}

function revertKey(now: string, before: string, after: string, name: typeof key | typeof modeKey): string {
  const current = textAt(now, name)
  if (current === undefined || current !== textAt(after, name)) return now
  const old = textAt(before, name)
  if (old === current) return now
  return old === undefined ? removeKey(now, name) : setKey(now, name, old)
}

/** The change without the mode, which then stays as it is when the rest is undone. */
export function keepingMode(one: Remembered): Remembered {
  const mode = one.kind === 'toml' ? modeOf(one.after) : undefined
  if (mode === undefined) return one
  return { ...one, before: setKey(one.before ?? '', modeKey, mode) }
}

export function modeOf(text: string): string | undefined {
  return textAt(text, modeKey)
}

function withoutTable(text: string, name: string, values: Json): string {
  if (!isJsonObject(values) || canonicalJson(othersIn(text)[name] ?? null) !== canonicalJson(values))
    return text
  const table = tableOf(name, values)
  const at = `\n${text}`.indexOf(`\n${table}`)
  // It was rewritten in another form since.
  if (at === -1) return text
  const [above, below] = [text.slice(0, at).replace(/\n\n$/, '\n'), text.slice(at + table.length)]
  return above === '' ? below.replace(/^\n/, '') : above + below
}

/** Whether the change includes the URL that Claude Code used before. */
export function hasOwnAddress({ kind, before, after }: Remembered): boolean {
  return kind === 'toml' && textAt(before ?? '', key) !== textAt(after, key)
}

/** `name` has two parts. */
function textAt(text: string, name: string): string | undefined {
  const [table = '', last = ''] = name.split('.')
  const values = (parseToml(text, 'config.toml') as { [key: string]: unknown })[table]
  const value = isJsonObject(values) ? values[last] : undefined
  return typeof value === 'string' ? value : undefined
}

function othersIn(text: string): JsonObject {
  const { providers } = modelIn(text)
  return isJsonObject(providers) ? providers : {}
}

function modelIn(text: string): JsonObject {
  const { model } = parseToml(text, 'config.toml') as { model?: unknown }
  return isJsonObject(model) ? model : {}
}
