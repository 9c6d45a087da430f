/** State shared by safe_read, safe_write and safe_edit: which files they may access, and who has seen which version of them. */

import { basename, dirname, join, resolve } from 'node:path'

import type { Call } from '../../core/call.ts'
import { homeFolder } from '@contextd/shared/files/home-folder'
import { guardedPlaces } from '../../sandbox/guarded-places.ts'
import { isGitDir } from '../repositories/find-repositories.ts'
import type { FileAccess } from './confined-file.ts'
import { createSeenFiles, type SeenFiles } from './file-version.ts'
import { isGranted, pathGrants, type PathGrant } from './path-grants.ts'
import { foldCase, isInFolder, type PatternBases } from './path-pattern.ts'
import { foldedPrivatePaths, isPrivate } from './private-paths.ts'
import { gitAllowed, guardedPaths, isProtected, whyProtected, type Protection } from './protected-paths.ts'
import { kernelFolders, realPathOf, resolveOnce } from '../real-path.ts'
import { sweepUnfinished } from './unfinished-writes.ts'

export interface FileToolsOptions {
  readonly hashKey: Uint8Array
  /** Folders of contextd: never read or written, whatever is granted. */
  readonly ownFolders: readonly string[]
  /** Additional paths of the workspace that agents may not write. */
  readonly protect: readonly string[]
  /**
   * The paths that the user's git configuration takes hooks, settings and programs from, below these folders and around
   * this file.
   */
  readonly namedByGit?: (
    path: string,
    workspace: string,
    roots: readonly string[],
  ) => Promise<readonly string[]>
  /** A folder of contextd where unfinished writes are recorded. */
  readonly notes: string
  readonly home?: string
}

export interface FileTools {
  readonly hashKey: Uint8Array
  readonly notes: string
  readonly seen: SeenFiles
  accessFor(call: Pick<Call, 'project' | 'grants' | 'principal'>): FileAccess
  /** For writing this file, which may require asking git for its configuration. */
  accessToWrite(path: string, call: Pick<Call, 'project' | 'grants' | 'principal'>): Promise<FileAccess>
  /** The absolute path of an argument; links are not resolved. */
  pathOf(path: string, access: FileAccess): string
}

/** Removes files left by writes of killed processes. */
export function createFileTools(options: FileToolsOptions): FileTools {
  const { hashKey, protect, notes } = options
  const home = realPathOf(options.home ?? homeFolder())
  const closed = [...options.ownFolders, notes].map(realPathOf).concat(kernelFolders).map(foldCase)
  const isClosed = (path: string): boolean => {
    const folded = foldCase(path)
    return closed.some((folder) => isInFolder(folded, folder))
  }
  const workspaceOf = resolveOnce()
  void sweepUnfinished(notes).catch(() => {})

  const tools: FileTools = {
    hashKey,
    notes,
    seen: createSeenFiles(),
    accessFor({ project, grants, principal }) {
      const workspace = workspaceOf(project)
      const places: PatternBases = { workspace, home }
      // A call either reads or writes, and rarely both.
      let reads: readonly PathGrant[] | undefined
      let writes: readonly PathGrant[] | undefined
      const forReading = (): readonly PathGrant[] => (reads ??= pathGrants(grants, 'read', places))
      const forWriting = (): readonly PathGrant[] => (writes ??= pathGrants(grants, 'write', places))
      // Computed once for all paths of a call.
      let secret: readonly string[] | undefined
      const isOpen = (path: string, held: readonly PathGrant[]): boolean =>
        isGranted(path, held) &&
        !isClosed(path) &&
        !isPrivate(path, (secret ??= foldedPrivatePaths(home)), held)
      return {
        agent: principal?.agent ?? 'unknown',
        workspace,
        mayRead: (path) => isOpen(path, forReading()),
        mayWrite: (path) => isOpen(path, forWriting()),
        whyProtected(path) {
          const protection = { places, writes: forWriting(), protect }
          const isHeld =
            isProtected(path, protection) || isBehindLink(path, protection) || isForGit(path, protection)
          return isHeld ? whyProtected(path, places) : undefined
        },
      }
    },
    async accessToWrite(path, call) {
      const access = tools.accessFor(call)
      const places: PatternBases = { workspace: access.workspace, home }
      const roots = pathGrants(call.grants, 'write', places).map(
        ({ pattern }) => `/${pattern.names.join('/')}`,
      )
      const named = (await options.namedByGit?.(tools.pathOf(path, access), access.workspace, roots)) ?? []
      return {
        ...access,
        whyProtected: (place) =>
          access.whyProtected(place) ??
          (named.some((each) => isInFolder(place, each))
            ? 'your git configuration runs it or reads it'
            : undefined),
      }
    },
    pathOf(path, { workspace }) {
      if (path === '~' || path.startsWith('~/')) return join(home, path.slice(1))
      return resolve(workspace, path)
    },
  }
  return tools
}

/** The entries of a git directory. Anything else next to them may be a work tree. */
const gitEntries: ReadonlySet<string> = new Set(
  `HEAD config config.worktree commondir gitdir hooks objects refs reftable info logs modules worktrees branches remotes
   packed-refs index shallow rebase-merge rebase-apply sequencer`.split(/\s+/),
)

/** Whether the file is part of a git directory, whatever its name, or would turn a folder into one. */
function isForGit(path: string, { places, writes }: Protection): boolean {
  if (gitAllowed(writes, places).some((folder) => isInFolder(path, folder))) return false
  for (let at = path; at !== '/'; at = dirname(at)) {
    if (gitEntries.has(basename(at)) && isGitDir(dirname(at), path)) return true
  }
  return false
}

/** Whether a protected name is a link to the path. */
function isBehindLink(path: string, protection: Protection): boolean {
  const { workspace } = protection.places
  const folders = [{ path: workspace, access: 'write' as const }]
  const held = guardedPlaces({ folders, guarded: guardedPaths(protection) })
  return held.some((place) => isInFolder(path, place))
}
