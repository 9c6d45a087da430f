/** Parses a context map. Messages never quote it: the invalid text may be a key. Pure. */

import { isAbsolute, join, resolve } from 'node:path'

import { agentIdPattern, identityLevels, type IdentityLevel } from '../../core/call.ts'
import { CodedError } from '../../core/errors/errors.ts'
import { parseToml } from '../../platform/config/load-config.ts'
import { positionAt } from '@contextd/shared/json/text-position'
import { scanToml, type TomlPath } from '@contextd/shared/toml/toml-source'
import { nearest } from '@contextd/shared/text/nearest'
import type { Audience } from './may-load.ts'

export interface ContextEntry extends Audience {
  readonly key: string
  /** As written in the map. */
  readonly path: string
  /** The absolute path. */
  readonly file: string
}

export interface MapProblem {
  /** Starts at 1. */
  readonly line: number
  readonly message: string
}

export interface ParsedMap {
  /** The base of relative paths. */
  readonly base: string
  readonly entries: readonly ContextEntry[]
  /** If there are any, no entry is valid. */
  readonly problems: readonly MapProblem[]
}

export interface MapLocation {
  readonly home: string
  /** The folder of the map. */
  readonly folder: string
}

/** Every load compares with every key. */
const maxKeys = 500
const maxKeyLength = 256
const maxProblems = 20

interface Found {
  readonly path: TomlPath
  readonly message: string
}

export function parseContextMap(source: string, { home, folder }: MapLocation): ParsedMap {
  const text = source.replace(/^\uFEFF/, '')
  const failed = (problems: readonly MapProblem[]): ParsedMap => ({ base: folder, entries: [], problems })
  let document: Record<string, unknown>
  try {
    document = parseToml(text, '')
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    const message = typeof error.details.problem === 'string' ? error.details.problem : ''
    return failed([{ line: Number(error.details.line ?? 1), message: message.replace(/^:\d+:\d+: /, '') }])
  }
  const { base = folder, keys = {}, ...others } = document
  const found: Found[] = Object.keys(others).map((name) => ({
    path: [name],
    message: unknownName(name, ['base', 'keys'], 'only `base` and the table [keys] can stand here'),
  }))
  const baseFolder = placeOf(base, { home, base: folder })
  if (baseFolder === undefined) found.push({ path: ['base'], message: `\`base\` ${pathRule}` })
  const entries: ContextEntry[] = []
  if (!isTable(keys)) found.push({ path: ['keys'], message: '`keys` must be a table, written [keys]' })
  else if (Object.keys(keys).length > maxKeys) {
    found.push({ path: ['keys'], message: `there are more than ${maxKeys} keys` })
  } else {
    for (const [key, value] of Object.entries(keys)) {
      const entry = readEntry(key, value, { home, base: baseFolder ?? folder })
      if (Array.isArray(entry)) found.push(...entry)
      else entries.push(entry)
    }
  }
  if (found.length > 0) return failed(located(found, text))
  return { base: baseFolder ?? folder, entries, problems: [] }
}

/** The line of each key. */
export function linesOfKeys(source: string): ReadonlyMap<string, number> {
  const text = source.replace(/^\uFEFF/, '')
  const lines = new Map<string, number>()
  for (const { path, start } of scanToml(text)) {
    const [table, key] = path
    if (table === 'keys' && typeof key === 'string' && !lines.has(key)) {
      lines.set(key, positionAt(text, start).line)
    }
  }
  return lines
}

interface Folders {
  readonly home: string
  readonly base: string
}

const entryFields = ['path', 'agents', 'require']
const pathRule = 'must be a path: absolute, with ~/ in front, or relative to the base folder'

function readEntry(key: string, value: unknown, folders: Folders): ContextEntry | Found[] {
  const at = (message: string, ...below: string[]): Found => ({ path: ['keys', key, ...below], message })
  if (key === '' || key.length > maxKeyLength) {
    return [at(`a key must have 1 to ${maxKeyLength} characters`)]
  }
  if (typeof value !== 'string' && !isTable(value)) {
    return [at('the value of a key must be a path, or a table { path, agents, require }')]
  }
  const table: Record<string, unknown> = typeof value === 'string' ? { path: value } : value
  const { path, agents, require, ...others } = table
  const found = Object.keys(others).map((name) =>
    at(unknownName(name, entryFields, 'an entry has only path, agents and require'), name),
  )
  const file = placeOf(path, folders)
  if (file === undefined) {
    found.push(path === undefined ? at('the entry has no `path`') : at(`\`path\` ${pathRule}`, 'path'))
  }
  if (agents !== undefined && !isAgentList(agents)) {
    found.push(at('`agents` must be a list of names, such as ["contextd:scanner"]', 'agents'))
  }
  if (require !== undefined && !isLevel(require)) {
    found.push(at(`\`require\` must be one of ${identityLevels.join(', ')}`, 'require'))
  }
  if (found.length > 0) return found
  return {
    key,
    path: path as string,
    file: file as string,
    agents: (agents as string[] | undefined) ?? [],
    require: (require as IdentityLevel | undefined) ?? (agents === undefined ? 'default' : 'attested'),
  }
}

/** Undefined if it is not a valid path. */
function placeOf(path: unknown, { home, base }: Folders): string | undefined {
  if (typeof path !== 'string' || path === '' || path.includes('\0')) return undefined
  if (path.startsWith('~')) return path.startsWith('~/') ? join(home, path.slice(2)) : undefined
  return isAbsolute(path) ? resolve(path) : resolve(base, path)
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

function isAgentList(value: unknown): value is string[] {
  if (!Array.isArray(value) || value.length === 0) return false
  return value.every((name) => typeof name === 'string' && agentIdPattern.test(name))
}

function isLevel(value: unknown): value is IdentityLevel {
  return identityLevels.some((level) => level === value)
}

function unknownName(name: string, known: readonly string[], otherwise: string): string {
  const meant = nearest(name, known)
  return meant === undefined ? otherwise : `unknown name; did you mean \`${meant}\`?`
}

/** A problem is located at its path, or the first entry below it, otherwise at the closest parent. */
function located(found: readonly Found[], text: string): MapProblem[] {
  const entries = scanToml(text)
  return found
    .slice(0, maxProblems)
    .map(({ path, message }) => {
      const startOf = (wanted: TomlPath): number =>
        entries.find((one) => wanted.every((step, depth) => one.path[depth] === step))?.start ??
        startOf(wanted.slice(0, -1))
      return { line: positionAt(text, startOf(path)).line, message }
    })
    .toSorted((a, b) => a.line - b.line)
}
