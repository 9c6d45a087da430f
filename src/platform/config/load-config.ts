/** Loads the user's configuration and applies a trusted project's settings on top. */

import { join } from 'node:path'
import { parse, TomlError } from 'smol-toml'

import { ContextdError } from '../../core/errors/errors.ts'
import { modelApis } from '../../core/model.ts'
import { nearest } from '@contextd/shared/text/nearest'
import { readSmallFile } from '@contextd/shared/files/small-file'
import {
  configSchema,
  projectKeys,
  providerUrlRule,
  settings,
  type Config,
  type ConfigKey,
} from './config-schema.ts'
import { positionAt, type Position } from '@contextd/shared/json/text-position'
import { scanToml, type TomlPath } from '@contextd/shared/toml/toml-source'

export type ConfigSource = 'user' | 'project'

export interface LoadedConfig {
  readonly config: Config
  /** The origin of each value; keys that are missing here are defaults. */
  readonly sources: ReadonlyMap<ConfigKey, ConfigSource>
  /** A project file that was found but not used, and why. */
  readonly ignored?: { readonly file: string; readonly why: string }
}

export interface ConfigFiles {
  readonly userFile: string
  /** The project folder; absent for callers without a project. */
  readonly project?: string
  readonly isTrusted: (path: string, bytes: Uint8Array) => boolean
}

export function projectConfigFile(project: string): string {
  return join(project, '.contextd', 'config.toml')
}

/** Throws CONFIG_INVALID with all problems of the file. */
export function loadConfig({ userFile, project, isTrusted }: ConfigFiles): LoadedConfig {
  const user = readSmallFile(userFile)
  if (user.kind === 'unreadable') throw invalidConfig(userFile, [{ message: user.why }])
  const layers: [ConfigSource, ConfigTables][] = []
  if (user.kind === 'bytes') layers.push(['user', parseConfig(user.bytes, userFile)])

  let ignored: LoadedConfig['ignored']
  if (project !== undefined) {
    const file = projectConfigFile(project)
    const found = readSmallFile(file)
    if (found.kind === 'unreadable') ignored = { file, why: found.why }
    if (found.kind === 'bytes') {
      if (isTrusted(file, found.bytes)) layers.push(['project', parseConfig(found.bytes, file, projectKeys)])
      else ignored = { file, why: 'is not trusted; run `ctxd trust`' }
    }
  }

  const merged: ConfigTables = {}
  const sources = new Map<ConfigKey, ConfigSource>()
  for (const [source, tables] of layers) {
    for (const [section, values] of Object.entries(tables)) {
      merged[section] = { ...merged[section], ...values }
      for (const name of Object.keys(values)) sources.set(`${section}.${name}` as ConfigKey, source)
    }
  }
  return { config: configSchema.parse(merged, once), sources, ...(ignored && { ignored }) }
}

/** zod compiles schemas before their first use, which only pays off for schemas used often. */
const once = { jitless: true }

/** Only what the file contains, without defaults. */
type ConfigTables = Record<string, Record<string, unknown>>

/** The position is absent if the whole file is the problem. */
type ConfigProblem = { readonly message: string } & Partial<Position>

/** Keeps the error short for an invalid file of any size. */
const MAX_PROBLEMS = 20

/** Checks the bytes of one file. `allowed` narrows the keys it may set. */
export function parseConfig(bytes: Uint8Array, file: string, allowed?: readonly ConfigKey[]): ConfigTables {
  const text = decodeConfig(bytes, file).replace(/^\uFEFF/, '')
  const tables = parseToml(text, file)
  const problems = new Map<string, () => string>()
  const report = (path: TomlPath, message: () => string): unknown =>
    problems.set(JSON.stringify(path), message)

  for (const issue of configSchema.safeParse(tables, once).error?.issues ?? []) {
    const path = issue.path as TomlPath
    if (issue.code !== 'unrecognized_keys') report(path, () => expectationAt(path))
    else for (const key of issue.keys) report([...path, key], () => unknownKey([...path, key]))
  }
  for (const key of allowed === undefined ? [] : keysOf(tables)) {
    if (settings().has(key) && !allowed?.includes(key)) {
      report(key.split('.'), () => `a project may not set ${key}, only ${allowed?.join(', ')}`)
    }
  }
  if (problems.size > 0) throw invalidConfig(file, locateProblems(problems, text))
  return tables as ConfigTables
}

/** The text of a file including its byte-order mark, so that it can be written back unchanged. */
export function decodeConfig(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw invalidConfig(file, [{ message: 'is not UTF-8 text' }])
  }
}

export function parseToml(text: string, file: string): Record<string, unknown> {
  try {
    return parse(text, { maxDepth: 16, unsafeKeyBehaviour: 'throw' })
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const { line, column } = error
    // The rest of the parser's message quotes the file.
    const message = error.message.split('\n', 1)[0]?.replace('Invalid TOML document: ', '') ?? 'is not TOML'
    throw invalidConfig(file, [{ line, column, message }], { cause: error })
  }
}

function keysOf(tables: Record<string, unknown>): ConfigKey[] {
  return Object.entries(tables).flatMap(([section, values]) =>
    typeof values === 'object' && values !== null
      ? Object.keys(values).map((name) => `${section}.${name}` as ConfigKey)
      : [],
  )
}

function expectationAt(path: TomlPath): string {
  if (path.length > 2 && path[0] === 'model' && path[1] === 'providers') return providerExpectation(path)
  const setting = settings().get(path.slice(0, 2).join('.'))
  return setting === undefined
    ? `${formatPath(path)} must be a table`
    : `${setting.key} must be ${setting.expected}`
}

function providerExpectation(path: TomlPath): string {
  const at = formatPath(path)
  if (path[3] === 'url') return `${at} must be ${providerUrlRule}`
  if (path[3] === 'api') return `${at} must be one of ${modelApis.join(', ')}`
  return `${at} must be a table with url and api; its name is 1 to 32 of a-z, 0-9 and -, and not ${modelApis.join(', ')}`
}

/** `there is no key http.prot; did you mean http.port?` */
export function unknownKey(path: TomlPath): string {
  const key = formatPath(path)
  const suggestion = nearestKey(key)
  return `there is no key ${key}${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`
}

function nearestKey(key: string): string | undefined {
  const keys = [...settings().keys()]
  const [section, name] = key.split('.')
  if (name === undefined) return nearest(key, [...new Set(keys.map((known) => known.split('.')[0] ?? ''))])
  // The right name in the wrong section is a likelier mistake than a similar name.
  return (
    nearest(
      key,
      keys.filter((known) => known.startsWith(`${section}.`)),
    ) ??
    keys.find((known) => known.endsWith(`.${name}`)) ??
    nearest(key, keys)
  )
}

function formatPath(path: TomlPath): string {
  const parts = path.map((part) => (/^[\w-]+$/.test(String(part)) ? part : JSON.stringify(part)))
  const text = parts.join('.')
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** In the order of the text; each problem at the position of its path or of the first entry below it. */
function locateProblems(problems: Map<string, () => string>, text: string): ConfigProblem[] {
  const located: ConfigProblem[] = []
  const places = scanToml(text)
  for (const { path, start } of places) {
    // The deepest path in the schema is `model.providers.<name>.url`.
    for (let depth = 1; depth <= Math.min(path.length, 4); depth++) {
      const id = JSON.stringify(path.slice(0, depth))
      const message = problems.get(id)
      if (message === undefined || located.length === MAX_PROBLEMS) continue
      problems.delete(id)
      located.push({ message: message(), ...positionAt(text, start) })
    }
  }
  // A missing key has no position: report the table that should contain it.
  for (const [id, message] of problems) {
    if (located.length === MAX_PROBLEMS) break
    const table = JSON.stringify((JSON.parse(id) as TomlPath).slice(0, -1))
    const place = places.find(({ path }) => JSON.stringify(path) === table)
    located.push({ message: message(), ...(place && positionAt(text, place.start)) })
  }
  return located
}

function invalidConfig(
  file: string,
  problems: readonly ConfigProblem[],
  options?: { cause: unknown },
): ContextdError {
  const lines = problems.map(({ line, column, message }) =>
    line === undefined ? `${file}: ${message}` : `${file}:${line}:${column}: ${message}`,
  )
  const { line, column } = problems[0] ?? {}
  return new ContextdError('CONFIG_INVALID', { problem: lines.join('\n'), file, line, column }, options)
}
