/** State that outlives a session. Opened on first use, because clients wait for their server to start. */

import { randomBytes } from 'node:crypto'

import { LOCAL_TENANT, scopeOf, type Scope } from '../core/call.ts'
import type { RunCheck } from '../core/checks.ts'
import { maskAndScrub, type TextChecks } from '../core/findings.ts'
import type { Clock, CountTokens, LastingText, ToolHost } from '../core/ports.ts'
import type { Tool } from '../core/tool.ts'
import type { Bank } from '../memory/bank/bank.ts'
import type { Archiver, MemoryUser, MemoryReach } from '../memory/memory-access.ts'
import { createBranches, type Branches } from '../memory/branches/branches.ts'
import type { Checkpoints } from '../memory/checkpoints/checkpoints.ts'
import type { RepositoryWatch } from '../memory/repository/watch.ts'
import type { Embedder } from '../memory/search/embedder.ts'
import type { VectorIndex, VectorKind } from '../memory/search/vector-index.ts'
import type { Config } from '../platform/config/config-schema.ts'
import { lastingTextIn } from '../platform/lasting-text.ts'
import type { Log } from '../platform/log.ts'
import { finishedFolders } from '../platform/storage/chunk-words.ts'
import type { Store } from '../platform/storage/store.ts'
import type { RuleSet } from '../stages/policy/rule-set.ts'
import type { FileTools } from '../tools/files/file-tools.ts'
import { branchTools } from '../tools/memory/branch-tools.ts'
import { checkpointTools, type CheckpointToolParts } from '../tools/memory/checkpoint-tools.ts'
import { hostCheckpoints } from '../tools/memory/host-checkpoints.ts'
import { hostMemory } from '../tools/memory/host-memory.ts'
import { memoryTools, type MemoryToolParts } from '../tools/memory/memory-tools.ts'
import { repoSearch } from '../tools/memory/repo-search.ts'
import type { OpenRepository } from './repository.ts'

export interface MemoryParts {
  readonly config: Config
  /** The project folder of the calls. */
  readonly project: string
  readonly store: Store
  readonly clock: Clock
  readonly count: CountTokens
  readonly rules: () => RuleSet
  /** The files agents may read. */
  readonly files: FileTools
  /** Scrubs text for storage and makes it readable again. */
  readonly texts: TextChecks & { readonly check: RunCheck; readonly lasting: LastingText }
  /** The value of a secret that the user set by name. */
  readonly secret: (name: string) => string | undefined
  readonly log: Log
}

export interface OpenMemory {
  readonly tools: readonly Tool[]
  bank(): Promise<Bank>
  checkpoints(): Promise<Checkpoints>
  readonly branches: Branches
  repository(): Promise<OpenRepository>
  /** Keeps indexed repositories current until closed; opens nothing if none is indexed. */
  watchRepositories(): Promise<Pick<RepositoryWatch, 'close'>>
  embedder(): Promise<Embedder | undefined>
  /** An agent outside of any call, such as the one whose session a hook starts. */
  agentIn(session: Pick<Scope, 'project' | 'session'>, agent: string): MemoryUser
  /**
   * The operator at the terminal, who has full access; without `session`, with the tokens that all of the operator's
   * commands share.
   */
  operatorIn(session?: string): MemoryUser
  /** For user-made tools. */
  forTool(host: Pick<ToolHost, 'call' | 'archive' | 'recall'>): Pick<ToolHost, 'memory' | 'checkpoints'>
}

const tenant = LOCAL_TENANT

export function openMemory(parts: MemoryParts): OpenMemory {
  const { config, project, store, clock, count, rules, files, texts, log } = parts

  const keyNamed = (name: string): string | undefined => (name === '' ? undefined : parts.secret(name))
  /** Search falls back to keywords; missing vectors can be added later. */
  const fallBackToWords = (cause: unknown): Error => {
    log('warn', 'memory is searched by words only', { cause: String(cause) })
    return cause instanceof Error ? cause : new Error(String(cause))
  }
  const embedder = once(async (): Promise<Embedder | undefined> => {
    const { openEmbedder } = await import('../memory/search/open-embedder.ts')
    const { embedder: kind, embedder_url: url, embedder_model: model, embedder_file: file } = config.memory
    const key = (): string | undefined => keyNamed(config.memory.embedder_key)
    return openEmbedder({ kind, url, model, file, key }).catch(async (error: unknown) => {
      const { unavailableEmbedder } = await import('../memory/search/unavailable.ts')
      return unavailableEmbedder(fallBackToWords(error))
    })
  })
  const vectors = async (kind: VectorKind): Promise<VectorIndex> => {
    const { openVectors } = await import('../memory/search/open-vectors.ts')
    const { vectors: driver, qdrant_url: url, qdrant_key: key } = config.memory
    const settings = { kind: driver, url, key: () => keyNamed(key) }
    return openVectors({ store, tenant, kind, settings }).catch(async (error: unknown) => {
      const { unavailableVectors } = await import('../memory/search/unavailable.ts')
      return unavailableVectors(fallBackToWords(error))
    })
  }

  /** What semantic comparison needs; empty if the embedder is off. */
  const semantics = async (kind: VectorKind): Promise<{ embedder?: Embedder; vectors?: VectorIndex }> => {
    const known = await embedder()
    return known === undefined ? {} : { embedder: known, vectors: await vectors(kind) }
  }

  const bank = once(async () => {
    const [{ createBank }, semantic] = await Promise.all([
      import('../memory/bank/bank.ts'),
      semantics('memory'),
    ])
    return createBank({ store, tenant, clock, ...semantic })
  })
  const checkpoints = once(async () => {
    const { createCheckpoints } = await import('../memory/checkpoints/checkpoints.ts')
    return createCheckpoints({ store, tenant, clock, count })
  })

  const repository = once(async () => {
    const [{ openRepository }, semantic] = await Promise.all([import('./repository.ts'), semantics('chunk')])
    return openRepository({ config, store, clock, check: texts.check, files, ...semantic })
  })

  const scopesOf = (agent: string): Pick<MemoryReach, 'read' | 'write'> =>
    rules().agents.get(agent)?.memory ?? { read: [], write: [] }
  const archiverIn = (session: string): Archiver =>
    lastingTextIn(
      session,
      texts.lasting,
      (text) => maskAndScrub(text, { tenant, session }, texts, undefined).text,
    )
  const branches = createBranches({
    store,
    tenant,
    project,
    clock,
    newId: () => randomBytes(9).toString('base64url'),
    limits: config.branch,
  })
  const userOf = ({ call, archive, recall }: Pick<ToolHost, 'call' | 'archive' | 'recall'>): MemoryUser => {
    if (call.principal === undefined) throw new Error('a tool ran for an unidentified caller')
    const { agent } = call.principal
    return {
      reach: { ...scopeOf(call, call.principal), ...scopesOf(agent) },
      archiver: { archive, recall },
    }
  }
  const memoryParts = async (): Promise<MemoryToolParts> => ({ bank: await bank(), store, count, userOf })
  const checkpointParts = async (): Promise<CheckpointToolParts> => ({
    checkpoints: await checkpoints(),
    userOf,
  })
  return {
    bank,
    checkpoints,
    embedder,
    agentIn: ({ project, session }, name) => {
      const agent = rules().resolveAgent(name) ?? 'default'
      return { reach: { tenant, project, session, agent, ...scopesOf(agent) }, archiver: archiverIn(session) }
    },
    operatorIn: (session = 'operator') => ({
      reach: { tenant, project, session, agent: 'operator', read: ['all'], write: ['all'] },
      archiver: archiverIn(session),
    }),
    forTool: (host) => ({
      memory: hostMemory(memoryParts, host),
      checkpoints: hostCheckpoints(checkpointParts, host),
    }),
    branches,
    repository,
    async watchRepositories() {
      const { watchRepositories } = await import('../memory/repository/watch-all.ts')
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
        remember: async (memory, host) => (await (await bank()).store(userOf(host), memory)).memory.id,
      }),
      repoSearch(async () => ({ ...(await repository()), files, count })),
    ],
  }
}

/** Opens once; concurrent callers share the result, and a failed attempt is retried by the next caller. */
function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined
  return () =>
    (opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    }))
}
