/** State that outlives a session. Opened on first use, because clients wait for their server to start. */

import { randomBytes } from 'node:crypto'

import { LOCAL_TENANT } from '../../core/call.ts'
import type { Clock, CountTokens, ToolHost } from '../../core/ports.ts'
import type { Tool } from '../../core/tool.ts'
import type { Bank } from '../../memory/bank/bank.ts'
import { createBranches, type Branches } from '../../memory/branches/branches.ts'
import type { Checkpoints } from '../../memory/checkpoints/checkpoints.ts'
import type { IndexWatch } from '../../memory/repository/watch.ts'
import { finishedFolders } from '../../platform/storage/chunk-words.ts'
import type { FileTools } from '../../tools/files/file-tools.ts'
import { branchTools } from '../../tools/memory/branch-tools.ts'
import { checkpointTools, type CheckpointToolParts } from '../../tools/memory/checkpoint-tools.ts'
import { hostCheckpoints } from '../../tools/memory/host-checkpoints.ts'
import { hostMemory } from '../../tools/memory/host-memory.ts'
import { memoryTools, type MemoryToolParts } from '../../tools/memory/memory-tools.ts'
import { repoSearch } from '../../tools/memory/repo-search.ts'
import { createMemoryUsers, type MemoryUserParts, type MemoryUsers } from './memory-users.ts'
import type { OpenRepository } from './repository.ts'
import { openOnce, openSemantics, type OpenSemantics, type SemanticParts } from './semantics.ts'

export interface MemoryParts extends SemanticParts, MemoryUserParts {
  readonly clock: Clock
  readonly count: CountTokens
  /** The files agents may read. */
  readonly files: FileTools
}

export interface OpenMemory
  extends Pick<MemoryUsers, 'agentIn' | 'operatorIn'>, Pick<OpenSemantics, 'embedder'> {
  readonly tools: readonly Tool[]
  bank(): Promise<Bank>
  checkpoints(): Promise<Checkpoints>
  readonly branches: Branches
  repository(): Promise<OpenRepository>
  /** Keeps indexed repositories current until closed; opens nothing if none is indexed. */
  watchRepositories(): Promise<Pick<IndexWatch, 'close'>>
  /** For user-made tools. */
  forTool(host: Pick<ToolHost, 'call' | 'archive' | 'recall'>): Pick<ToolHost, 'memory' | 'checkpoints'>
}

const tenant = LOCAL_TENANT

export function openMemory(parts: MemoryParts): OpenMemory {
  const { config, project, store, clock, count, files, texts, log } = parts
  const semantics = openSemantics(parts)
  const { agentIn, operatorIn, callerOf } = createMemoryUsers(parts)

  const bank = openOnce(async () => {
    const [{ createBank }, semantic] = await Promise.all([
      import('../../memory/bank/bank.ts'),
      semantics.forKind('memory'),
    ])
    return createBank({ store, tenant, clock, ...semantic })
  })
  const checkpoints = openOnce(async () => {
    const { createCheckpoints } = await import('../../memory/checkpoints/checkpoints.ts')
    return createCheckpoints({ store, tenant, clock, count })
  })
  const repository = openOnce(async () => {
    const [{ openRepository }, semantic] = await Promise.all([
      import('./repository.ts'),
      semantics.forKind('chunk'),
    ])
    return openRepository({ config, store, clock, check: texts.check, files, ...semantic })
  })
  const branches = createBranches({
    store,
    tenant,
    project,
    clock,
    newId: () => randomBytes(9).toString('base64url'),
    limits: config.branch,
  })

  const memoryParts = async (): Promise<MemoryToolParts> => ({
    bank: await bank(),
    store,
    count,
    userOf: callerOf,
  })
  const checkpointParts = async (): Promise<CheckpointToolParts> => ({
    checkpoints: await checkpoints(),
    userOf: callerOf,
  })
  return {
    bank,
    checkpoints,
    embedder: semantics.embedder,
    agentIn,
    operatorIn,
    forTool: (host) => ({
      memory: hostMemory(memoryParts, host),
      checkpoints: hostCheckpoints(checkpointParts, host),
    }),
    branches,
    repository,
    async watchRepositories() {
      const { watchRepositories } = await import('../../memory/repository/watch-all.ts')
      return watchRepositories({
        index: {
          folders: () => finishedFolders(store, tenant),
          update: async (...which) => (await repository()).index.update(...which),
        },
        log,
      })
    },
    tools: [
      ...memoryTools(memoryParts),
      ...checkpointTools(checkpointParts),
      ...branchTools({
        branches,
        count,
        remember: async (memory, host) => (await (await bank()).store(callerOf(host), memory)).memory.id,
      }),
      repoSearch(async () => ({ ...(await repository()), files, count })),
    ],
  }
}
