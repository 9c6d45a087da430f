/**
 * The caches of commands on disk: a folder for each project, agent and kind. Sandboxes write to what is in `content`,
 * and nothing outside a sandbox reads that or follows its links: it is only measured, and deleted inside a sandbox.
 */

import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import * as z from 'zod'

import { cacheKinds, type CacheKind } from '../../../core/capability.ts'
import { namesIn } from '@contextd/shared/files/names-in'
import { ensurePrivateFolder } from '@contextd/shared/files/private-folder'
import { readSmallFile } from '@contextd/shared/files/small-file'
import { systemError } from '@contextd/shared/files/system-error'
import type { Paths } from '../../../platform/files/paths.ts'
import { processFileName, readProcessFileName } from '../../../platform/process-start.ts'
import type { CacheMount } from '../../../sandbox/sandbox.ts'

const ownerSchema = z.object({
  kind: z.enum(cacheKinds),
  tenant: z.string(),
  /** The workspace, links resolved. */
  project: z.string(),
  /** With how it is identified: an agent that only claims to be another has its own cache. */
  agent: z.string(),
})

export type CacheOwner = z.infer<typeof ownerSchema>

export interface StoredCache extends CacheOwner {
  readonly folder: string
  /** Epoch milliseconds. */
  readonly usedAt: number
  readonly isInUse: boolean
}

export interface CacheInUse {
  readonly mounts: readonly CacheMount[]
  release(): void
}

/**
 * Where the programs search if nothing configures them, below the home folder. Only downloads and build results: no
 * settings, no credentials, and no folder that programs are started from by name. Cargo's lock is what keeps concurrent
 * commands apart.
 */
const places: Readonly<Record<CacheKind, readonly string[]>> = {
  npm: ['.npm/_cacache'],
  pip: ['.cache/pip'],
  cargo: ['.cargo/registry', '.cargo/git', '.cargo/.package-cache'],
  go: ['go/pkg', '.cache/go-build'],
}
const lockFiles: ReadonlySet<string> = new Set(['.cargo/.package-cache'])

const ownerFile = 'cache.json'
const removedPrefix = 'removed-'
/** A cache can be removed at the moment it is opened. */
const maxAttempts = 10

export function cachesIn({ cache }: Pick<Paths, 'cache'>): string {
  return join(cache, 'commands')
}

/** Creates the cache if it does not exist. It is not removed before `release`. */
export function useCache(root: string, owner: CacheOwner): CacheInUse {
  ensurePrivateFolder(root)
  const folder = join(root, nameOf(owner))
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const user = register(folder, owner)
    if (user === undefined) continue
    return {
      mounts: places[owner.kind].map((path) => ({ source: cacheContent(folder, path), path })),
      release() {
        touch(folder)
        rmSync(user, { force: true })
      },
    }
  }
  throw new Error('the cache is removed again and again')
}

/** Undefined if the cache was removed meanwhile. */
function register(folder: string, owner: CacheOwner): string | undefined {
  const user = join(folder, 'users', processFileName())
  try {
    mkdirSync(join(folder, 'users'), { recursive: true, mode: 0o700 })
    writeFileSync(user, '', { mode: 0o600 })
    for (const path of places[owner.kind]) {
      const place = cacheContent(folder, path)
      if (!lockFiles.has(path)) mkdirSync(place, { recursive: true, mode: 0o700 })
      else if (!existsSync(place)) writeFileSync(place, '', { mode: 0o600 })
    }
    if (!existsSync(join(folder, ownerFile))) {
      const incomplete = join(folder, `${ownerFile}.${randomBytes(8).toString('hex')}`)
      writeFileSync(incomplete, JSON.stringify(owner), { mode: 0o600 })
      renameSync(incomplete, join(folder, ownerFile))
    }
    touch(folder)
    return existsSync(user) ? user : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw systemError(error, folder)
  }
}

/** Least recently used first. */
export function listCaches(root: string): StoredCache[] {
  return namesIn(root)
    .filter((name) => !name.startsWith(removedPrefix))
    .flatMap((name) => readCache(join(root, name)) ?? [])
    .toSorted((a, b) => a.usedAt - b.usedAt)
}

/** What a removal left that did not complete. */
export function leftoversIn(root: string): string[] {
  return namesIn(root)
    .filter((name) => name.startsWith(removedPrefix))
    .map((name) => join(root, name))
    .filter((folder) => !isInUse(folder))
}

/**
 * Moves a cache aside, so that it can be deleted. Undefined if a command uses it: nothing that could still change it
 * while it is deleted must be running.
 */
export function takeAside(root: string, folder: string): string | undefined {
  if (isInUse(folder)) return undefined
  const aside = join(root, `${removedPrefix}${randomBytes(8).toString('hex')}`)
  try {
    renameSync(folder, aside)
    if (!isInUse(aside)) return aside
    // A command opened it in the meantime.
    renameSync(aside, folder)
  } catch {
    // Removed by another process, or opened again: then `leftoversIn` lists it once its commands have ended.
  }
  return undefined
}

/** The part of a cache that sandboxes write. */
export function cacheContent(folder: string, path?: string): string {
  const content = join(folder, 'content')
  return path === undefined ? content : join(content, path.replaceAll('/', '_'))
}

function nameOf({ kind, tenant, project, agent }: CacheOwner): string {
  const hash = createHash('sha256').update(JSON.stringify([tenant, project, agent]))
  return `${kind}-${hash.digest('hex').slice(0, 32)}`
}

function readCache(folder: string): StoredCache | undefined {
  const file = join(folder, ownerFile)
  try {
    const read = readSmallFile(file)
    const owner = ownerSchema.parse(JSON.parse(read.kind === 'bytes' ? read.bytes.toString() : ''))
    return { ...owner, folder, usedAt: statSync(file).mtimeMs, isInUse: isInUse(folder) }
  } catch {
    // Moved aside meanwhile, or not a cache.
    return undefined
  }
}

function isInUse(folder: string): boolean {
  return namesIn(join(folder, 'users')).some((name) => readProcessFileName(name)?.isRunning === true)
}

function touch(folder: string): void {
  const now = new Date()
  try {
    utimesSync(join(folder, ownerFile), now, now)
  } catch {
    // The user deleted the folder while a command used it.
  }
}
