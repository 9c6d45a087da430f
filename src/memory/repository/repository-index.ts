/** The repository indexes of this machine: updated, searched and dropped here. */

import { realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

import { batches } from '../../core/batches.ts'
import { ContextdError, missingThing } from '../../core/errors/errors.ts'
import {
  indexedFolders,
  indexSize,
  knownContent,
  knownFiles,
  type IndexSize,
} from '../../platform/storage/chunk-words.ts'
import { nearestRepository } from '@contextd/shared/files/nearest-repository'
import { walkFolder } from '@contextd/shared/files/walk'
import { findInFolders, type FoundMatches, type ChunkMatch, type RepositoryQuery } from './find.ts'
import { ignoreFiles } from './survey.ts'
import { updateIndex, type UpdateIndexOptions, type UpdateParts, type UpdateReport } from './update.ts'
import { beginIndex, createIndexWriter } from './write-index.ts'

export interface RepositoryIndex {
  /** Creates and updates the index of a folder, or of the indexed folder that contains it. */
  index(path: string, options?: UpdateIndexOptions): Promise<UpdateReport & { readonly folder: string }>
  /** Updates an index; NOT_INDEXED if it does not exist. Updates of a folder run one at a time. */
  update(folder: string, options?: UpdateIndexOptions): Promise<UpdateReport>
  /** NOT_INDEXED if no part of the workspace is. */
  find(query: RepositoryQuery): Promise<RepositoryAnswer>
  /** The indexed folders to search for a workspace: one that contains it, or those inside it. */
  foldersFor(workspace: string): string[]
  folders(): string[]
  status(folder: string): IndexSize | undefined
  /** Returns whether there was one. */
  remove(folder: string): Promise<boolean>
}

export interface RepositoryAnswer {
  readonly matches: readonly ChunkMatch[]
  readonly hasMore: boolean
  readonly notes: readonly string[]
}

export function createRepositoryIndex(parts: UpdateParts): RepositoryIndex {
  const { store, tenant } = parts
  const isIndexed = (project: string): boolean => knownContent(store, { tenant, project }, '') !== undefined
  const running = new Map<string, Promise<unknown>>()

  const update = (folder: string, options?: UpdateIndexOptions): Promise<UpdateReport> => {
    const before = running.get(folder) ?? Promise.resolve()
    const now = before.catch(() => {}).then(() => updateIndex(parts, folder, options))
    const settled = now.catch(() => {})
    running.set(folder, settled)
    void settled.then(() => running.get(folder) === settled && running.delete(folder))
    return now
  }

  const indexedFolderOf = (folder: string): string | undefined => {
    for (let at = folder; ; at = dirname(at)) {
      if (isIndexed(at)) return at
      if (dirname(at) === at) return undefined
    }
  }

  const foldersFor = (path: string): string[] => {
    const workspace = realFolder(path)
    const enclosing = indexedFolderOf(workspace)
    if (enclosing !== undefined) return [enclosing]
    const inside = indexedFolders(store, tenant, workspace)
    return inside.filter((folder) => !inside.some((other) => folder.startsWith(`${other}/`)))
  }

  return {
    update,
    foldersFor,
    async index(path, options) {
      const real = requireFolder(path)
      const folder = indexedFolderOf(real) ?? real
      beginIndex(parts, { tenant, project: folder })
      return { ...(await update(folder, options)), folder }
    },
    async find(query) {
      const folders = foldersFor(query.view.workspace)
      if (folders.length === 0) throw new ContextdError('NOT_INDEXED')
      const first = await findInFolders(parts, folders, query)
      if (first.changed.size === 0) return toAnswer(first)
      for (const [folder, files] of first.changed) {
        await update(folder, { files, signal: query.signal })
      }
      return toAnswer(await findInFolders(parts, folders, query))
    },
    folders: () => indexedFolders(store, tenant),
    status: (folder) => indexSize(store, { tenant, project: folder }),
    async remove(path) {
      const folder = realFolder(path)
      const owner = { tenant, project: folder }
      if (!isIndexed(folder)) return false
      const writer = createIndexWriter(parts, owner)
      // The folder's own entry first: it makes concurrent writers stop.
      await writer.remove([''])
      const paths = knownFiles(store, owner).map(({ path }) => path)
      for (const some of batches(paths, 64)) await writer.remove(some)
      return true
    },
  }
}

function toAnswer({ matches, hasMore, changed, note }: FoundMatches): RepositoryAnswer {
  const skipped = [...changed.values()].flat()
  return {
    matches,
    hasMore,
    notes: [
      ...(skipped.length > 0
        ? [`Skipped, because they are being modified: ${skipped.slice(0, 3).join(', ')}`]
        : []),
      ...(note === undefined ? [] : [note]),
    ],
  }
}

/** A folder deleted from disk may still be indexed. */
function realFolder(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function requireFolder(path: string): string {
  const folder = realFolder(path)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder
  throw new ContextdError('NOT_FOUND', missingThing('folder', path))
}

/** Whether a folder is a repository with few enough files to be indexed quickly. */
export function isSmallRepository(folder: string, maxFiles: number): boolean {
  const root = nearestRepository(folder)
  if (root === undefined) return false
  const nothing = (): void => {}
  const walk = walkFolder({
    root,
    folder,
    ignoreFiles,
    onIgnored: nothing,
    onSkip: nothing,
    onWarning: nothing,
  })
  let files = 0
  for (const _ of walk) if (++files > maxFiles) return false
  return true
}
