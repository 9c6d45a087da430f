/** File access for agents, and the guard that keeps repositories in the workspace from running code. */

import { join } from 'node:path'

import { homeFolder } from '@contextd/shared/files/home-folder'
import { ownFoldersIn } from '../platform/files/paths.ts'
import { loadOrCreateKey } from '../platform/secrets/keys.ts'
import { ownProgramPaths } from '../platform/own-program.ts'
import { createFileTools, type FileTools } from '../tools/files/file-tools.ts'
import {
  createRepositoryGuard,
  type GuardReport,
  type RepositoryGuard,
} from '../tools/repositories/repository-guard.ts'
import type { Foundation } from './foundation.ts'

export interface OpenFiles {
  readonly files: FileTools
  readonly repositories: RepositoryGuard
  /** Reports what the guard did to the audit log. */
  readonly guardReport: GuardReport
  /** contextd's own folders: never for agents. */
  readonly ownFolders: readonly string[]
  /** Workspace paths that agents may not write, in addition to the ones that are always protected. */
  readonly protect: readonly string[]
}

export function openFiles({ config, paths, env, isShared, recordToolEvent }: Foundation): OpenFiles {
  const ownFolders = ownFoldersIn(paths)
  const protect = [...config.sandbox.protect, ...ownProgramPaths(isShared)]
  const repositories = createRepositoryGuard({
    env,
    home: env.HOME ?? homeFolder(),
    journal: join(paths.state, 'sandbox', 'watches'),
  })
  const guardReport: GuardReport = {
    onMoved: (moved) => {
      for (const { path, to } of moved) recordToolEvent('file-moved-aside', { path, to })
    },
    onLeft: (paths) => recordToolEvent('file-not-moved-aside', { paths: [...paths] }),
  }
  void repositories.recover(guardReport).catch(() => {})
  const files = createFileTools({
    hashKey: loadOrCreateKey(join(paths.keys, 'files.key')),
    ownFolders,
    protect,
    namedByGit: repositories.namedAround,
    notes: join(paths.state, 'writes'),
  })
  return { files, repositories, guardReport, ownFolders, protect }
}
