/** Checkpoints: verified after saving, listed cheaply, restored at the requested level. */

import { randomBytes } from 'node:crypto'

import type { Scope } from '../../core/call.ts'
import { ContextdError, shortName } from '../../core/errors/errors.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import { reaches } from '../../core/memory-scope.ts'
import type { Clock, CountTokens } from '../../core/ports.ts'
import {
  checkpointLines,
  countCheckpoints,
  newestCheckpoint,
  refLines,
} from '../../platform/storage/checkpoint-rows.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'
import { refuseScope } from '../memory-access.ts'
import type { Archiver, MemoryUser, MemoryReach } from '../memory-access.ts'
import type {
  Checkpoint,
  CheckpointBrief,
  CheckpointDraft,
  CheckpointLine,
  CheckpointPage,
  CheckpointTokens,
  KeptRef,
  OpenBranch,
} from './checkpoint.ts'
import { archivedDraft, type ArchivedDraft } from './draft.ts'
import { renderContext, renderFullText, renderPage, checkpointSummary } from './levels.ts'
import { pack, unpack } from './packed-text.ts'
import { filesInRecords } from './touched-files.ts'

export interface CheckpointsOptions {
  readonly store: Store
  readonly tenant: string
  readonly clock: Clock
  readonly count: CountTokens
  /** Must return ids unique within the tenant, with the prefix `cp_`. */
  readonly newId?: () => string
}

/**
 * Callers that may read (or write) a project's memories may read (or save) its checkpoints: MEMORY_SCOPE_REFUSED
 * otherwise. CHECKPOINT_NOT_FOUND if it does not exist or belongs to another project or tenant.
 */
export interface Checkpoints {
  /**
   * Throws INVALID_ARGUMENTS for invalid drafts, and MEMORY_NOT_KEPT if it does not read back; then nothing is saved.
   */
  save(user: MemoryUser, draft: CheckpointDraft): SavedCheckpoint
  /** Newest first. */
  list(user: MemoryUser, page?: PageOptions): CheckpointPage
  /** The first page, or the page after that checkpoint, as a tool's answer. */
  listAnswer(user: MemoryUser, before?: string): Json
  get(user: MemoryUser, id: string): Checkpoint
  /** Within the level's token limit; text that does not fit is shortened and marked as such. */
  restore(user: MemoryUser, id: string, level: 'summary' | 'context'): JsonObject
  /** Everything as one text, to be read in slices. */
  fullText(user: MemoryUser, id: string): string
  /** A checkpoint that a session may want to continue from; undefined if nothing is recent or readable. */
  offer(user: MemoryUser, when: OfferWhen): CheckpointBrief | undefined
}

export interface PageOptions {
  readonly limit?: number | undefined
  /** `next` of the previous page. */
  readonly before?: string | undefined
}

/** `compacted`: the newest of this session. `started`: the newest of other sessions, unless it was already offered. */
export type OfferWhen = 'compacted' | 'started'

export interface SavedCheckpoint {
  readonly id: string
  readonly tokens: CheckpointTokens
  readonly files: number
  readonly branches: number
  readonly refs: number
}

const defaultPageSize = 20
const maxRefs = 20
/** By then, the project has moved on. */
const offerTtlMs = 7 * 86_400_000

export function createCheckpoints(options: CheckpointsOptions): Checkpoints {
  return { ...checkpointWriter(options), ...checkpointReader(options) }
}

function checkpointWriter({
  store,
  tenant,
  clock,
  count,
  newId = randomId,
}: CheckpointsOptions): Pick<Checkpoints, 'save'> {
  /**
   * Branches and refs the agent has open, from data that is already scrubbed. Branches of other agents are excluded:
   * knowing the id of a waiting one is enough to join it.
   */
  const openState = ({
    project,
    session,
    agent,
    branch,
  }: MemoryReach): { branches: OpenBranch[]; refs: KeptRef[] } => ({
    branches: store
      .rows('branches', { tenant, project, session, agent })
      .all({ ended_at: null, ends_at: { atLeast: clock() + 1 } }, { orderBy: 'seq' })
      .map(({ id, description }) => ({ id: String(id), description: String(description) })),
    refs: refLines(
      store,
      { tenant, project, session, agent },
      { branch: branch ?? '', now: clock(), limit: maxRefs },
    ).map(({ id, bytes }) => ({ id: String(id), bytes: Number(bytes) })),
  })

  return {
    save({ reach, archiver }, draft) {
      refuseScope(reach, 'write', 'project')
      const { project, session, agent, branch = null } = reach
      const recorded = filesInRecords(store, { tenant, project, session })
      const archived = archivedDraft(draft, { project, recorded, count, archive: archiver.archive })
      const { branches, refs } = openState(reach)
      const id = newId()
      store.transaction(() => {
        store.rows('checkpoints', { tenant, project, session, agent }).insert({
          id,
          branch,
          name: archived.name,
          summary: archived.summary,
          context: archived.context,
          state: pack(archived.state),
          state_bytes: Buffer.byteLength(archived.state),
          tokens: JSON.stringify(archived.tokens),
          files: JSON.stringify(archived.files),
          branches: JSON.stringify(branches),
          refs: JSON.stringify(refs),
          automatic: draft.isAutomatic === true ? 1 : 0,
          created_at: clock(),
          offered_at: null,
        })
        if (!readsBack(store.rows('checkpoints', { tenant, project }).first({ id }), archived))
          throw new ContextdError('MEMORY_NOT_KEPT')
      })
      const { tokens, files } = archived
      return {
        id,
        tokens,
        files: files.written.length + files.read.length,
        branches: branches.length,
        refs: refs.length,
      }
    },
  }
}

function checkpointReader({ store, tenant, clock, count }: CheckpointsOptions): Omit<Checkpoints, 'save'> {
  const rowsOf = (project: string) => store.rows('checkpoints', { tenant, project })

  const rowOf = ({ project }: Scope, id: string): SqlRow => {
    const row = rowsOf(project).first({ id })
    if (row === undefined) throw new ContextdError('CHECKPOINT_NOT_FOUND', { id: shortName(id) })
    return row
  }
  const read = ({ reach, archiver }: MemoryUser, id: string): Checkpoint => {
    refuseScope(reach, 'read', 'project')
    return checkpointOf(rowOf(reach, id), archiver)
  }

  const list: Checkpoints['list'] = ({ reach, archiver }, { limit = defaultPageSize, before } = {}) => {
    refuseScope(reach, 'read', 'project')
    const owner = { tenant, project: reach.project }
    const from = before === undefined ? {} : { before: Number(rowOf(reach, before).seq) }
    // One extra row shows whether there is a next page.
    const lines = checkpointLines(store, owner, { limit: limit + 1, ...from })
    const checkpoints = lines.slice(0, limit).map((row) => lineOf(row, archiver, firstLine))
    const last = checkpoints.at(-1)
    return {
      checkpoints,
      total: countCheckpoints(store, owner),
      ...(lines.length > limit && last !== undefined && { next: last.id }),
    }
  }

  return {
    list,
    listAnswer: (user, before) => renderPage(list(user, { before }), { count, now: clock() }),
    get: read,
    restore(user, id, level) {
      const options = { count, now: clock() }
      const checkpoint = read(user, id)
      return level === 'summary' ? checkpointSummary(checkpoint, options) : renderContext(checkpoint, options)
    },
    fullText: (user, id) => renderFullText(read(user, id), clock()),

    offer({ reach, archiver }, when) {
      if (!reaches(reach.read, 'project')) return undefined
      const { project, session } = reach
      const now = clock()
      // Two clients that start simultaneously must not both be offered the same one.
      const row = store.transaction(() => {
        const newest = newestCheckpoint(
          store,
          { tenant, project, session },
          when === 'compacted' ? 'own' : 'others',
        )
        if (newest === undefined || when === 'compacted') return newest
        if (newest.offered_at !== null || Number(newest.created_at) < now - offerTtlMs) return undefined
        rowsOf(project).update({ offered_at: now }, { id: newest.id ?? null })
        return newest
      })
      return row && checkpointSummary(lineOf(row, archiver), { count, now })
    },
  }
}

function randomId(): string {
  return `cp_${randomBytes(6).toString('hex')}`
}

function readsBack(row: SqlRow | undefined, draft: ArchivedDraft): boolean {
  return (
    row !== undefined &&
    row.name === draft.name &&
    row.summary === draft.summary &&
    row.context === draft.context &&
    row.files === JSON.stringify(draft.files) &&
    unpack(row.state as Uint8Array) === draft.state
  )
}

/** A list entry, without the large columns. */
function lineOf(row: SqlRow, { recall }: Archiver, display = (text: string) => text): CheckpointLine {
  return {
    id: String(row.id),
    name: recall(String(row.name)),
    summary: display(recall(String(row.summary))),
    tokens: JSON.parse(String(row.tokens)) as CheckpointTokens,
    isAutomatic: row.automatic === 1,
    agent: String(row.agent),
    session: String(row.session),
    created: Number(row.created_at),
  }
}

function firstLine(text: string): string {
  return text.trimStart().split('\n', 1)[0] ?? ''
}

function checkpointOf(row: SqlRow, archiver: Archiver): Checkpoint {
  const { recall } = archiver
  const files = JSON.parse(String(row.files)) as Checkpoint['files']
  const branches = JSON.parse(String(row.branches)) as OpenBranch[]
  return {
    ...lineOf(row, archiver),
    context: recall(String(row.context)),
    state: recall(unpack(row.state as Uint8Array)),
    files: { written: files.written.map(recall), read: files.read.map(recall) },
    branches: branches.map(({ id, description }) => ({ id, description: recall(description) })),
    refs: JSON.parse(String(row.refs)) as KeptRef[],
    ...(row.branch !== null && { branch: String(row.branch) }),
  }
}
