/** The value of a configuration key without the schema library: by our JSON Schema, and only where that leaves no doubt. Pure. */

import { parse } from 'smol-toml'

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { ConfigValue, ProviderTable } from '../../platform/config/config-schema.ts'

type PlainValue = Exclude<ConfigValue, ProviderTable>

export interface QuickValue {
  readonly key: string
  readonly value: PlainValue
  readonly source: 'default' | 'user'
}

/** `text` is the user's file, where there is one. Undefined where something is wrong or new, which is for others to say. */
export function quickValue(
  schema: JsonObject,
  text: string | undefined,
  key: string,
): QuickValue | undefined {
  const [section = '', name = '', ...more] = key.split('.')
  const setting = more.length > 0 ? undefined : propertyOf(propertyOf(schema, section), name)
  const tables = text === undefined ? {} : tablesIn(text)
  if (setting === undefined || setting.type === 'object') return undefined
  if (tables === undefined || !fits(tables, schema)) return undefined
  const table = own(tables, section)
  const said = isJsonObject(table) ? own(table, name) : undefined
  if (said !== undefined) return { key, value: said as PlainValue, source: 'user' }
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

/** What is understood here of a schema; one that says more is not judged. */
const understood = new Set([
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

function fits(value: Json, schema: JsonObject): boolean {
  if (!Object.keys(schema).every((keyword) => understood.has(keyword))) return false
  const { type, enum: choices, items, minLength = 0, minimum = -Infinity, maximum = Infinity } = schema
  if (Array.isArray(choices) && !choices.includes(value)) return false
  if (type === 'object') {
    return (
      isTable(value) &&
      Object.entries(value).every(([name, item]) => {
        const property = propertyOf(schema, name)
        return property !== undefined && fits(item, property)
      })
    )
  }
  if (type === 'array') {
    return Array.isArray(value) && isJsonObject(items) && value.every((item) => fits(item, items))
  }
  if (type === 'boolean') return typeof value === 'boolean'
  if (type === 'integer') return Number.isSafeInteger(value) && value! >= minimum! && value! <= maximum!
  if (type !== 'string' || typeof value !== 'string' || value.length < Number(minLength)) return false
  return typeof schema.pattern !== 'string' || new RegExp(schema.pattern).test(value)
}

/** A date of TOML is an object too. */
function isTable(value: Json): value is JsonObject {
  return isJsonObject(value) && !((value as unknown) instanceof Date)
}
