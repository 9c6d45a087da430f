/** Parses flags into tool arguments by the tool's schema. Pure. The server validates the values. */

import { ContextdError } from '../../core/errors/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import { nearest } from '@contextd/shared/text/nearest'

/** The part of a JSON Schema that determines flags. */
export interface ToolSchema {
  readonly properties: Readonly<Record<string, JsonObject>>
  readonly required: readonly string[]
}

/** Parsed flags: the tool's arguments, and the program's own options. */
export interface ToolFlags {
  readonly args: JsonObject
  /** Whether any flag is for the tool. */
  readonly hasArguments: boolean
  readonly help: boolean
  readonly json: boolean
}

const ownFlags = new Map<string, 'help' | 'json'>([
  ['--help', 'help'],
  ['-h', 'help'],
  ['--json', 'json'],
])

/** Undefined if any flag is for the tool, because parsing those needs its schema. */
export function readOwnFlags(words: readonly string[]): ToolFlags | undefined {
  if (!words.every((word) => ownFlags.has(word))) return undefined
  const own = new Set(words.map((word) => ownFlags.get(word)))
  return { args: {}, hasArguments: false, help: own.has('help'), json: own.has('json') }
}

/** Thrown for a flag that is missing from the schema: a newer schema may have it. */
export class UnknownFlag extends ContextdError {}

export function readFlags(words: readonly string[], { properties, required }: ToolSchema): ToolFlags {
  const args: JsonObject = {}
  const own = { help: false, json: false }
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!
    const ownFlag = ownFlags.get(word)
    if (ownFlag !== undefined) {
      own[ownFlag] = true
      continue
    }
    if (!word.startsWith('--') || word === '--') throw usage('arguments must be flags, such as --name value')
    const [flag, inline] = splitOnce(word.slice(2))
    const { name, negated } = nameOf(flag, properties)
    const schema = properties[name]!
    const type = typeOf(schema)
    if (type === 'boolean') {
      const literal = inline ?? (isBoolean(words[at + 1]) ? words[(at += 1)] : 'true')
      if (!isBoolean(literal)) throw usage(`--${name} must be true or false`)
      put(args, name, schema, (literal === 'true') !== negated)
      continue
    }
    const text = inline ?? words[(at += 1)]
    if (text === undefined) throw usage(`--${name} needs a value`)
    put(args, name, schema, valueOf(text, name, type === 'array' ? itemsOf(schema) : schema))
  }
  const missing = required.filter((name) => !Object.hasOwn(args, name)).map((name) => `--${name}`)
  if (missing.length > 0 && !own.help) {
    const are = missing.length === 1 ? 'is' : 'are'
    throw usage(`${missing.join(', ')} ${are} missing: pass all arguments as flags, or all as JSON on stdin`)
  }
  return { args, hasArguments: true, ...own }
}

function usage(problem: string): ContextdError {
  return new ContextdError('USAGE', { problem })
}

function splitOnce(word: string): [string, string?] {
  const at = word.indexOf('=')
  return at === -1 ? [word] : [word.slice(0, at), word.slice(at + 1)]
}

/** `--timeout-ms` sets `timeout_ms`; `--no-append` sets `append` to false. */
function nameOf(flag: string, properties: ToolSchema['properties']): { name: string; negated: boolean } {
  const find = (word: string): string | undefined =>
    [word, word.replaceAll('-', '_')].find((name) => Object.hasOwn(properties, name))
  const name = find(flag)
  if (name !== undefined) return { name, negated: false }
  const positive = flag.startsWith('no-') ? find(flag.slice(3)) : undefined
  if (positive !== undefined && typeOf(properties[positive]!) === 'boolean') {
    return { name: positive, negated: true }
  }
  const names = [...Object.keys(properties), 'help', 'json']
  const meant = nearest(flag.replaceAll('-', '_'), names)
  const suggestion = meant === undefined ? '' : `; did you mean --${meant}?`
  throw new UnknownFlag('USAGE', { problem: `unknown flag --${flag}${suggestion}` })
}

function typeOf({ type }: JsonObject): Json | undefined {
  return Array.isArray(type) ? type.find((one) => one !== 'null') : type
}

function itemsOf({ items }: JsonObject): JsonObject {
  return isJsonObject(items) ? items : {}
}

function isBoolean(word: string | undefined): word is 'true' | 'false' {
  return word === 'true' || word === 'false'
}

function valueOf(text: string, name: string, schema: JsonObject): Json {
  const type = typeOf(schema)
  if (type === 'string') return text
  if (type === 'integer' || type === 'number') {
    const number = text.trim() === '' ? NaN : Number(text)
    return Number.isFinite(number) ? number : fail(`--${name} must be a number`)
  }
  if (type === 'object' || type === 'array') return parsed(text) ?? fail(`--${name} must be JSON`)
  // Without a type, text that looks like a list or an object is parsed as JSON.
  return (/^\s*[[{]/.test(text) ? parsed(text) : undefined) ?? text
}

function fail(problem: string): never {
  throw usage(problem)
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** A repeated flag appends to an array, or to a value without a type. */
function put(args: JsonObject, name: string, schema: JsonObject, value: Json): void {
  const now = Object.hasOwn(args, name) ? args[name] : undefined
  const type = typeOf(schema)
  if (type === 'array') args[name] = [...((now as Json[] | undefined) ?? []), value]
  else if (now === undefined) args[name] = value
  else if (type === undefined) args[name] = [...(Array.isArray(now) ? now : [now]), value]
  else throw usage(`--${name} is given twice`)
}

/** From a tool's definition or a `schema.json`; undefined if invalid. */
export function schemaFrom(value: unknown): ToolSchema | undefined {
  if (!isJsonObject(value)) return undefined
  const { properties = {}, required = [] } = value
  if (!isJsonObject(properties) || !Array.isArray(required)) return undefined
  const known = Object.entries(properties).filter((one): one is [string, JsonObject] => isJsonObject(one[1]))
  return {
    properties: Object.fromEntries(known),
    required: required.filter((name) => typeof name === 'string'),
  }
}
