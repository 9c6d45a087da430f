/**
 * Reads a configuration value by our JSON Schema, without loading the schema library. Only for unambiguous cases.
 * Pure.
 */

import { parse } from 'smol-toml'

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { ConfigValue, ProviderTable } from '../../platform/config/config-schema.ts'

type PlainValue = Exclude<ConfigValue, ProviderTable>

export interface QuickValue {
  readonly key: string
  readonly value: PlainValue
  readonly source: 'default' | 'user'
}

/**
 * `text` is the user's file, if it exists. Undefined for errors and unknown keywords, which the full program
 * handles.
 */
export function quickValue(
  schema: JsonObject,
  text: string | undefined,
  key: string,
): QuickValue | undefined {
  const [section = '', name = '', ...more] = key.split('.')
  const setting = more.length > 0 ? undefined : propertyOf(propertyOf(schema, section), name)
  const tables = text === undefined ? {} : tablesIn(text)
  if (setting === undefined || setting.type === 'object') return undefined
  if (tables === undefined || !isValid(tables, schema)) return undefined
  const table = own(tables, section)
  const configured = isJsonObject(table) ? own(table, name) : undefined
  if (configured !== undefined) return { key, value: configured as PlainValue, source: 'user' }
  return setting.default === undefined
    ? undefined
    : { key, value: setting.default as PlainValue, source: 'default' }
}

function tablesIn(text: string): JsonObject | undefined {
  try {
    return parse(text.replace(/^\uFEFF/, ''), { maxDepth: 16, unsafeKeyBehaviour: 'throw' }) as JsonObject
  } catch {
    return undefined
  }
}

function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function propertyOf(schema: JsonObject | undefined, name: string): JsonObject | undefined {
  const properties = schema?.properties
  const found = isJsonObject(properties) ? own(properties, name) : undefined
  return isJsonObject(found) ? found : undefined
}

/** The JSON Schema keywords supported here. */
const supportedKeywords = new Set([
  '$schema',
  'title',
  'description',
  'default',
  'type',
  'properties',
  'additionalProperties',
  'items',
  'enum',
  'pattern',
  'minLength',
  'minimum',
  'maximum',
])

function isValid(value: Json, schema: JsonObject): boolean {
  if (!Object.keys(schema).every((keyword) => supportedKeywords.has(keyword))) return false
  const { type, enum: choices, items, minLength = 0, minimum = -Infinity, maximum = Infinity } = schema
  if (Array.isArray(choices) && !choices.includes(value)) return false
  if (type === 'object') {
    return (
      isTable(value) &&
      Object.entries(value).every(([name, item]) => {
        const property = propertyOf(schema, name)
        return property !== undefined && isValid(item, property)
      })
    )
  }
  if (type === 'array') {
    return Array.isArray(value) && isJsonObject(items) && value.every((item) => isValid(item, items))
  }
  if (type === 'boolean') return typeof value === 'boolean'
  if (type === 'integer') return Number.isSafeInteger(value) && value! >= minimum! && value! <= maximum!
  if (type !== 'string' || typeof value !== 'string' || value.length < Number(minLength)) return false
  return typeof schema.pattern !== 'string' || new RegExp(schema.pattern).test(value)
}

/** A TOML date is an object too. */
function isTable(value: Json): value is JsonObject {
  return isJsonObject(value) && !((value as unknown) instanceof Date)
}
