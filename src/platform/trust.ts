/**
 * Repositories are untrusted: their files for contextd have no effect until the user has trusted them. Trust pins the
 * hash of a file at its path; a changed file must be trusted again.
 */

import { createHash } from 'node:crypto'
import { readdirSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'

import type { Clock } from '../core/ports.ts'
import { readSmallFile } from '@contextd/shared/files/small-file'
import type { Store } from './storage/store.ts'

const TOOLS = '.contextd/tools'

/** The project files that contextd reads, and what trusting each of them allows. */
const meanings: readonly [name: string, meaning: string][] = [
  ['.contextd/config.toml', 'sets the answer budget and the log level in this project'],
  ['.contextd/rules.json', 'restricts what agents may do here; the only rules if you have none'],
  ['.contextd/servers.json', 'names MCP servers to start'],
  [TOOLS, 'belongs to a tool, which agents can call once you approve it (`ctxd tool approve`)'],
  ['.mcp.json', 'names MCP servers to start'],
  ['.mcp-gateway-rules.json', 'restricts what agents may do here; the only rules if you have none'],
  ['.gitleaks.toml', 'defines what is detected as a secret'],
]

/** More files are hardly a project's configuration, and no one could review them. */
const MAX_FILES = 500

export type ProjectFile = {
  /** Relative to the project. */
  readonly name: string
  readonly path: string
  readonly meaning: string
} & (
  | { readonly state: 'new' | 'changed' | 'trusted'; readonly bytes: Uint8Array; readonly sha256: string }
  | { readonly state: 'unreadable'; readonly why: string }
)

export interface TrustedFile {
  readonly path: string
  readonly sha256: string
  /** Epoch milliseconds. */
  readonly trustedAt: number
}

export interface Trust {
  /** Pass the exact bytes that will be used: reading the file again could return different ones. */
  readonly isTrusted: (path: string, bytes: Uint8Array) => boolean
  readonly trust: (path: string, bytes: Uint8Array) => void
  /** For a file that was permanently removed. */
  readonly forget: (path: string) => void
  readonly list: () => TrustedFile[]
  /** Every project file that requires trust, in a stable order. */
  readonly projectFiles: (project: string) => ProjectFile[]
}

export function createTrust(store: Store, tenant: string, clock: Clock): Trust {
  const pinnedHash = (path: string): string | undefined => {
    const row = store.rows('trust', { tenant }).first({ path })
    return row === undefined ? undefined : String(row.sha256)
  }

  const describe = (project: string, name: string, meaning: string): ProjectFile | undefined => {
    const path = join(project, name)
    const read = readSmallFile(path)
    if (read.kind === 'missing') return undefined
    if (read.kind === 'unreadable') return { name, path, meaning, state: 'unreadable', why: read.why }
    const sha256 = hash(read.bytes)
    const pin = pinnedHash(path)
    const state = pin === undefined ? 'new' : pin === sha256 ? 'trusted' : 'changed'
    return { name, path, meaning, state, bytes: read.bytes, sha256 }
  }

  return {
    isTrusted(path, bytes) {
      const place = projectFileOf(path)
      return place !== undefined && pinnedHash(place.path) === hash(bytes)
    },
    trust(path, bytes) {
      const place = projectFileOf(path)
      if (place === undefined) throw new Error('Only a file that exists can be trusted')
      store
        .rows('trust', { tenant, project: place.project })
        .put({ path: place.path, sha256: hash(bytes), trusted_at: clock() })
    },
    forget(path) {
      const place = projectFileOf(path)
      if (place !== undefined)
        store.rows('trust', { tenant, project: place.project }).remove({ path: place.path })
    },
    list() {
      const rows = store.rows('trust', { tenant }).all({}, { orderBy: 'path' })
      return rows.map((row) => ({
        path: String(row.path),
        sha256: String(row.sha256),
        trustedAt: Number(row.trusted_at),
      }))
    },
    projectFiles(project) {
      const root = realpathSync(project)
      return meanings.flatMap(([name, meaning]): ProjectFile[] => {
        const names = name === TOOLS ? filesBelow(root, name) : [name]
        if (names.length <= MAX_FILES) return names.flatMap((file) => describe(root, file, meaning) ?? [])
        const why = `contains more than ${MAX_FILES} files`
        return [{ name, path: join(root, name), meaning, state: 'unreadable', why }]
      })
    },
  }
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/**
 * The project with links resolved, and the file below it with links kept: a project reached by two paths is the same
 * place, and a project that links to a trusted file of another is a new one.
 */
export function projectFileOf(path: string): { project: string; path: string } | undefined {
  const absolute = resolve(path)
  const marker = absolute.lastIndexOf(`${sep}.contextd${sep}`)
  const folder = marker === -1 ? dirname(absolute) : absolute.slice(0, marker)
  try {
    const project = realpathSync(folder || sep)
    return { project, path: join(project, relative(folder || sep, absolute)) }
  } catch {
    return undefined
  }
}

/** Linked folders are not followed: they lead out of the project, or in cycles. */
function filesBelow(root: string, folder: string): string[] {
  const files: string[] = []
  const walk = (name: string): void => {
    let entries
    try {
      entries = readdirSync(join(root, name), { withFileTypes: true })
    } catch {
      return
    }
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (files.length > MAX_FILES) return
      if (entry.isDirectory()) walk(`${name}/${entry.name}`)
      else files.push(`${name}/${entry.name}`)
    }
  }
  walk(folder)
  return files
}
