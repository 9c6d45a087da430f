/** Changes one key of a configuration file without touching any other byte. */

import { stringify } from 'smol-toml'

import { ContextdError } from '../../core/errors/errors.ts'
import {
  configSchema,
  settings,
  type ConfigKey,
  type ConfigValue,
  type ConfigSetting,
} from './config-schema.ts'
import { parseConfig, parseToml, unknownKey } from './load-config.ts'
import { scanToml } from '@contextd/shared/toml/toml-source'

/** The setting with this key, or a USAGE error that suggests the nearest one. */
export function findSetting(key: string): ConfigSetting {
  const setting = settings().get(key)
  if (setting === undefined) throw usage(unknownKey(key.split('.')))
  return setting
}

/** Converts user input to the key's type. List items are separated by commas. */
export function parseSettingValue({ key, type, expected }: ConfigSetting, input: string): ConfigValue {
  if (type === 'string') return input
  if (type === 'array') return input === '' ? [] : input.split(',').map((item) => item.trim())
  if (type === 'boolean' && (input === 'true' || input === 'false')) return input === 'true'
  if (type === 'integer' && /^\d{1,15}$/.test(input)) return Number(input)
  if (type === 'object') throw usage(`${key} is edited in the file: ${expected}`)
  throw usage(`${key} must be ${expected}`)
}

/**
 * The text with the key set. Throws USAGE for an invalid value, and CONFIG_INVALID if something else in the file is
 * wrong: the result can always be loaded.
 */
export function setKey(text: string, key: string, value: ConfigValue, file = 'config.toml'): string {
  const setting = findSetting(key)
  const [section = '', name = ''] = key.split('.')
  if (!configSchema.safeParse({ [section]: { [name]: value } }).success) {
    throw usage(`${key} must be ${setting.expected}`)
  }
  parseToml(text, file)
  const edited = putValue(text, section, name, tomlValue(value))
  try {
    parseConfig(Buffer.from(edited), file)
  } catch (error) {
    // If the text was invalid before, report its own lines.
    parseConfig(Buffer.from(text), file)
    throw error
  }
  return edited
}

/** A string, number or list in TOML syntax. */
export function tomlValue(value: ConfigValue): string {
  return stringify({ value }).slice('value = '.length).trimEnd()
}

/** The text with `name` in the table set to a value in TOML syntax. Requires text that the parser accepts. */
export function putValue(text: string, table: string, name: string, value: string): string {
  const { from, to, replacement } = findEdit(text, table, name, value)
  return text.slice(0, from) + replacement + text.slice(to)
}

/** The text without the key and its line. Requires text that the parser accepts; inline tables are left unchanged. */
export function removeKey(text: string, key: ConfigKey): string {
  const path = key.split('.')
  const entry = scanToml(text).find(
    ({ kind, path: at }) =>
      kind === 'value' && at.length === path.length && at.every((word, i) => word === path[i]),
  )
  if (entry === undefined) return text
  const from = text.lastIndexOf('\n', entry.start - 1) + 1
  const lineEnd = text.indexOf('\n', entry.valueEnd)
  const to = lineEnd === -1 ? text.length : lineEnd + 1
  return text.slice(from, entry.start).trim() === '' ? text.slice(0, from) + text.slice(to) : text
}

interface Edit {
  readonly from: number
  readonly to: number
  readonly replacement: string
}

/** Replaces the existing value, else inserts the key into its table, else appends a new table. */
function findEdit(text: string, section: string, name: string, value: string): Edit {
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n'
  const insert = (at: number, replacement: string): Edit => ({ from: at, to: at, replacement })
  /** Inserts a line after the one that contains `end`, indented like the text before `start`. */
  const insertLine = (start: number, end: number, line: string): Edit => {
    const indented = (/(?<![ \t])[ \t]*$/.exec(text.slice(0, start))?.[0] ?? '') + line
    const lineBreak = text.indexOf('\n', end)
    return lineBreak === -1 ? insert(text.length, eol + indented) : insert(lineBreak + 1, indented + eol)
  }

  const entries = scanToml(text).filter((entry) => entry.path[0] === section)
  const keys = entries.filter((entry) => entry.kind === 'value' && entry.path.length === 2)
  const own = keys.find((entry) => entry.path[1] === name)
  if (own !== undefined) return { from: own.valueStart, to: own.valueEnd, replacement: value }

  const table = entries.find((entry) => entry.path.length === 1)
  const last = keys.at(-1)
  if (table?.kind === 'value') {
    return last === undefined
      ? insert(table.valueStart + 1, ` ${name} = ${value} `)
      : insert(last.valueEnd, `, ${name} = ${value}`)
  }
  if (last !== undefined) {
    const key = last.home.length === 0 ? `${section}.${name}` : name
    return insertLine(last.start, last.valueEnd, `${key} = ${value}`)
  }
  if (table !== undefined) return insertLine(table.start, table.valueEnd, `${name} = ${value}`)

  const added = `[${section}]${eol}${name} = ${value}`
  if (text === '') return insert(0, added + eol)
  return insert(text.length, text.endsWith('\n') ? eol + added + eol : eol + eol + added)
}

function usage(problem: string): ContextdError {
  return new ContextdError('USAGE', {
    problem,
    hint: 'Run `ctxd config list` to see every key and its value.',
  })
}
