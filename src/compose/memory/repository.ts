/** The repository index with its dependencies. Loaded on first use. */

import { LOCAL_TENANT } from '../../core/call.ts'
import type { CheckFor, RunCheck } from '../../core/checks.ts'
import type { Clock } from '../../core/ports.ts'
import type { RepositoryView } from '../../memory/repository/find.ts'
import { readWholeFile } from '../../memory/repository/file-words.ts'
import { findGrammars } from '../../memory/repository/grammars.ts'
import { createIndexRefresher, type IndexRefresher } from '../../memory/repository/index-refresher.ts'
import { createRepositoryIndex, type RepositoryIndex } from '../../memory/repository/repository-index.ts'
import type { Embedder } from '../../memory/search/embedder.ts'
import type { VectorIndex } from '../../memory/search/vector-index.ts'
import type { Config } from '../../platform/config/config-schema.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { FileTools } from '../../tools/files/file-tools.ts'
import { realPathOf } from '../../tools/real-path.ts'

export type { ChunkMatch } from '../../memory/repository/find.ts'
export { pathFilter } from '../../tools/memory/path-filter.ts'

export interface RepositoryParts {
  readonly config: Config
  readonly store: Store
  readonly clock: Clock
  readonly check: RunCheck
  readonly files: FileTools
  readonly embedder?: Embedder | undefined
  readonly vectors?: VectorIndex | undefined
}

export interface OpenRepository {
  readonly index: RepositoryIndex
  readonly current: IndexRefresher
  /** Whether code is split along its syntax. */
  readonly hasGrammars: boolean
  /** The operator's view, which may read all of the operator's files. */
  operatorView(folder: string): RepositoryView
}

/** Tokens of this session are never shown, and are numbered independently of any conversation. */
const session = 'repository-index'
const tenant = LOCAL_TENANT
const whose: CheckFor = { tenant, session, reader: undefined }

export function openRepository({
  config,
  store,
  clock,
  check,
  files,
  embedder,
  vectors,
}: RepositoryParts): OpenRepository {
  const grammars = findGrammars()
  const index = createRepositoryIndex({
    store,
    tenant,
    clock,
    async secretsIn(text) {
      const { value } = await check({ kind: 'spans', value: text }, whose)
      return Array.from({ length: value.length / 2 }, (_, at) => ({
        start: value[2 * at]!,
        end: value[2 * at + 1]!,
      }))
    },
    // An agent with a general grant that names no paths: secret files and our own folders stay closed to it.
    mayIndex: files.accessFor({ project: '/', grants: [{ kind: 'fs:read' }] }).mayRead,
    maxFileBytes: config.index.file_kb * 1024,
    grammars,
    embedder,
    vectors,
    vectorPlace: config.memory.vectors,
  })
  return {
    index,
    current: createIndexRefresher(index, clock),
    hasGrammars: grammars !== undefined,
    operatorView: (folder) => ({
      workspace: realPathOf(folder),
      mayRead: () => true,
      read: async (path) => readWholeFile(path, config.index.file_kb * 1024),
    }),
  }
}
