/** Finds servers configured in other clients, to import them. */

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { parseJson } from '@contextd/shared/json/json-source'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import { checkServers } from './check-servers.ts'
import { isOurselves } from './ourselves.ts'
import { readForeignServers, type ForeignServer, type ImportClient } from './client-formats.ts'
import { listedServerName } from './server-name.ts'

export interface ImportPlaces {
  readonly home: string
  readonly project: string
  readonly platform: NodeJS.Platform
}

interface Place {
  readonly client: ImportClient
  readonly path: string
}

/** The configuration files of the user, or those in a project. */
export function importPlaces({ home, project, platform }: ImportPlaces, whose: 'user' | 'project'): Place[] {
  if (whose === 'project') {
    return [
      { client: 'claude-code', path: join(project, '.mcp.json') },
      { client: 'opencode', path: join(project, 'opencode.json') },
      { client: 'opencode', path: join(project, 'opencode.jsonc') },
      { client: 'cursor', path: join(project, '.cursor', 'mcp.json') },
      { client: 'vscode', path: join(project, '.vscode', 'mcp.json') },
    ]
  }
  const editor: Partial<Record<NodeJS.Platform, readonly string[]>> = {
    darwin: ['Library', 'Application Support'],
    win32: ['AppData', 'Roaming'],
  }
  return [
    { client: 'claude-code', path: join(home, '.claude.json') },
    { client: 'opencode', path: join(home, '.config', 'opencode', 'opencode.json') },
    { client: 'opencode', path: join(home, '.config', 'opencode', 'opencode.jsonc') },
    { client: 'cursor', path: join(home, '.cursor', 'mcp.json') },
    { client: 'vscode', path: join(home, ...(editor[platform] ?? ['.config']), 'Code', 'User', 'mcp.json') },
  ]
}

export interface ImportableServer extends Place {
  /** Its name in contextd. */
  readonly name: string
  readonly entry: JsonObject
  /** Differences that the user should know about. */
  readonly notes: readonly string[]
}

export interface SkippedServer extends Place {
  readonly name: string
  readonly why: string
}

export interface FoundServers {
  readonly servers: readonly ImportableServer[]
  readonly left: readonly SkippedServer[]
  readonly unreadable: readonly (Place & { readonly why: string })[]
}

/** `taken`: names of existing servers. */
export function findServers(
  places: readonly Place[],
  project: string,
  taken: readonly string[],
): FoundServers {
  const owners = new Map(
    taken.map((name) => [listedServerName(name), 'a server with this name already exists']),
  )
  const servers: ImportableServer[] = []
  const left: SkippedServer[] = []
  const unreadable: (Place & { why: string })[] = []
  for (const { client, path } of places) {
    const read = readForeignFile(path)
    if (read === undefined) continue
    if ('why' in read) {
      unreadable.push({ client, path, why: read.why })
      continue
    }
    for (const foreign of readForeignServers(client, read.document, project)) {
      const name = nameHere(foreign.name)
      const why = reasonAgainst(foreign, name, path) ?? owners.get(listedServerName(name))
      if (why !== undefined) {
        left.push({ client, path, name: foreign.name, why })
        continue
      }
      const renamed = name === foreign.name ? [] : [`${JSON.stringify(foreign.name)} is imported as ${name}`]
      servers.push({ client, path, name, entry: foreign.entry, notes: [...renamed, ...foreign.notes] })
      owners.set(listedServerName(name), `the server of ${client} in ${path} comes first`)
    }
  }
  return { servers, left, unreadable }
}

/** Clients also store other state in these files, which can make them long. */
const maxFileBytes = 64_000_000

function readForeignFile(path: string): { document: Json } | { why: string } | undefined {
  let text: string
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return undefined
    if (!stats.isFile()) return { why: 'is not a regular file' }
    if (stats.size > maxFileBytes) return { why: 'is too large' }
    text = readFileSync(path, 'utf8')
  } catch (error) {
    return { why: `cannot be read (${(error as NodeJS.ErrnoException).code})` }
  }
  const document = parseForeign(text)
  return document === undefined ? { why: 'is not JSON' } : { document }
}

/** Long files are written by programs, as plain JSON. Only files that people edit have comments or trailing commas. */
function parseForeign(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    const parsed = parseJson(text, { comments: true, duplicates: true, deep: true })
    return parsed.ok ? parsed.value : undefined
  }
}

function nameHere(name: string): string {
  return name
    .replace(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/[_.]{2,}/g, '_')
    .slice(0, 40)
    .replace(/(?<![_.])[_.]+$/, '')
}

function reasonAgainst(
  { name: own, entry, problem }: ForeignServer,
  name: string,
  path: string,
): string | undefined {
  if (isOurselves(own, entry)) return 'it is contextd itself'
  if (problem !== undefined) return problem
  const text = JSON.stringify({ mcpServers: { [name]: entry } })
  const [first] = checkServers(Buffer.from(text), { path, role: 'user' }).problems
  return first && `${first.path}: ${first.message}`
}
