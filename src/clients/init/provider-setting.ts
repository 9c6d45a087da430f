/** The upstream URLs of the model door, in our own configuration. */

import { stringify } from 'smol-toml'

import { canonicalJson, isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import { removeKey, setKey } from '../../platform/config/edit-config.ts'
import { parseConfig, parseToml } from '../../platform/config/load-config.ts'
import type { DoorProvider } from '../model-door/providers.ts'
import type { Remembered } from './client-file.ts'

const key = 'model.anthropic'

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
export function revertProvider(now: string, before: string, after: string): string {
  const own = revertOwn(now, before, after)
  const old = othersIn(before)
  return Object.entries(othersIn(after))
    .filter(([name]) => !Object.hasOwn(old, name))
    .reduce((left, [name, values]) => withoutTable(left, name, values), own)
}

function revertOwn(now: string, before: string, after: string): string {
  const current = providerIn(now)
  if (current === undefined || current !== providerIn(after)) return now
  const old = providerIn(before)
  if (old === current) return now
  return old === undefined ? removeKey(now, key) : setKey(now, key, old)
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
  return kind === 'toml' && providerIn(before ?? '') !== providerIn(after)
}

function providerIn(text: string): string | undefined {
  const { anthropic } = modelIn(text)
  return typeof anthropic === 'string' ? anthropic : undefined
}

function othersIn(text: string): JsonObject {
  const { providers } = modelIn(text)
  return isJsonObject(providers) ? providers : {}
}

function modelIn(text: string): JsonObject {
  const { model } = parseToml(text, 'config.toml') as { model?: unknown }
  return isJsonObject(model) ? model : {}
}
