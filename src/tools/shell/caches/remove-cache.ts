/** Measures and deletes caches, whose content is as untrusted as the commands that wrote it. */

import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

import * as z from 'zod'

import { readSmallText, replaceFile } from '@contextd/shared/files/small-file'
import { measureFolders, type DiskAmount } from '../../../sandbox/folder-size.ts'
import type { Sandbox, SandboxLimits } from '../../../sandbox/sandbox.ts'
import { realPathOf } from '../../real-path.ts'
import { cacheContent, leftoversIn, listCaches, takeAside, type StoredCache } from './cache-store.ts'

export interface RemovalParts {
  readonly root: string
  readonly sandbox: Pick<Sandbox, 'run'>
  readonly limits: SandboxLimits
}

const sizeSchema = z.object({ bytes: z.number(), files: z.number(), at: z.number() })
const maxRemovalMs = 600_000

/** Of everything that commands stored. Measured again only after a command has used the cache. */
export async function measureCache(cache: StoredCache, signal: AbortSignal): Promise<DiskAmount> {
  const file = join(cache.folder, 'size.json')
  const recorded = readSize(file)
  if (recorded !== undefined && recorded.at >= cache.usedAt && !cache.isInUse) return recorded
  const at = Date.now()
  const content = cacheContent(cache.folder)
  try {
    const { dev: device } = statSync(content)
    const size = await measureFolders([content], { device, since: Infinity, holders: [], signal })
    if (size === undefined) return recorded ?? { bytes: 0, files: 0 }
    if (!cache.isInUse) replaceFile(file, JSON.stringify({ ...size.all, at }))
    return size.all
  } catch {
    // Removed meanwhile.
    return { bytes: 0, files: 0 }
  }
}

/** `left`: a command uses it, or a part of it could not be deleted. Throws if there is no sandbox. */
export async function removeCaches(
  caches: readonly StoredCache[],
  parts: RemovalParts,
): Promise<{ removed: StoredCache[]; left: StoredCache[] }> {
  const removed: StoredCache[] = []
  const left: StoredCache[] = []
  for (const folder of leftoversIn(parts.root)) await deleteAside(folder, parts)
  for (const cache of caches) {
    const list = (await removeCache(cache, parts)) ? removed : left
    list.push(cache)
  }
  return { removed, left }
}

async function removeCache({ folder }: StoredCache, parts: RemovalParts): Promise<boolean> {
  const aside = takeAside(parts.root, folder)
  return aside !== undefined && (await deleteAside(aside, parts))
}

/** Removes the least recently used caches until the rest is no larger than `maxBytes`. */
export async function trimCaches(
  maxBytes: number,
  { signal, ...parts }: RemovalParts & { readonly signal: AbortSignal },
): Promise<StoredCache[]> {
  const caches: { cache: StoredCache; bytes: number }[] = []
  for (const cache of listCaches(parts.root)) {
    caches.push({ cache, bytes: (await measureCache(cache, signal)).bytes })
  }
  let total = caches.reduce((sum, { bytes }) => sum + bytes, 0)
  const tooMuch = caches.filter(({ cache, bytes }) => {
    const isRemoved = total > maxBytes && !cache.isInUse
    if (isRemoved) total -= bytes
    return isRemoved
  })
  const { removed } = await removeCaches(
    tooMuch.map(({ cache }) => cache),
    parts,
  )
  return removed
}

/**
 * Inside a sandbox, where links lead nowhere. Some programs make their folders read-only, and a path can be longer than
 * any program outside could open.
 */
async function deleteAside(aside: string, { sandbox, limits }: RemovalParts): Promise<boolean> {
  const content = cacheContent(aside)
  if (existsSync(content)) {
    const folder = realPathOf(aside)
    const command = { run: 'chmod -R u+rwX content; exec rm -rf content', cwd: folder, env: {} }
    await sandbox.run(command, {
      folders: [{ path: folder, access: 'write' }],
      hidden: [],
      guarded: [],
      programs: [],
      limits: { ...limits, timeMs: maxRemovalMs, cpuSeconds: maxRemovalMs / 1000 },
    })
  }
  if (existsSync(content)) return false
  rmSync(aside, { recursive: true, force: true })
  return true
}

function readSize(file: string): z.infer<typeof sizeSchema> | undefined {
  try {
    return sizeSchema.parse(JSON.parse(readSmallText(file) ?? ''))
  } catch {
    return undefined
  }
}
