/** Checkpoints: saved once they read back, listed without their weight, restored at the level asked for. */

import { randomBytes } from 'node:crypto'

import type { Scope } from '../../core/call.ts'
import { ContextdError } from '../../core/errors/errors.ts'
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
import type { Keeping, MemoryUser, MemoryReach } from '../memory-access.ts'
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
import { contextOf, fullTextOf, pageOf, checkpointSummary } from './levels.ts'
import { pack, unpack } from './packed-text.ts'
import { filesInRecords } from './touched-files.ts'

export interface CheckpointsOptions {
  readonly store: Store
  readonly tenant: string
  readonly clock: Clock
  readonly count: CountTokens
  /** `cp_` and something that no other checkpoint of the tenant has. */
  readonly newId?: () => string
}

/**
 * Checkpoints of one project are seen by whoever may read (and saved by whoever may write) its memories:
 * MEMORY_SCOPE_REFUSED otherwise. What is not there, or is another project's or tenant's, is CHECKPOINT_NOT_FOUND.
 */
export interface Checkpoints {
  /** Throws INVALID_ARGUMENTS for what cannot be kept, MEMORY_NOT_KEPT where it does not read back: then nothing is. */
  save(user: MemoryUser, draft: CheckpointDraft): SavedCheckpoint
  /** The newest first. */
  list(user: MemoryUser, page?: PageWanted): CheckpointPage
  /** The first page, or the one from before that checkpoint on, as an answer of a tool. */
  listed(user: MemoryUser, before?: string): Json
  get(user: MemoryUser, id: string): Checkpoint
  /** Within the tokens of its level; what does not fit is shortened and says so. */
  restore(user: MemoryUser, id: string, level: 'summary' | 'context'): JsonObject
  /** All of it as one text, to be read in slices. */
  fullText(user: MemoryUser, id: string): string
  /** What a session may want to go on from; undefined where there is nothing recent, or nothing that it may read. */
  offer(user: MemoryUser, when: OfferWhen): CheckpointBrief | undefined
}

export interface PageWanted {
  readonly limit?: number | undefined
  /** `next` of the page before. */
  readonly before?: string | undefined
}

/** `compacted`: the newest of this very session. `started`: the newest of the others, unless it was offered before. */
export type OfferWhen = 'compacted' | 'started'

export interface SavedCheckpoint {
  readonly id: string
  readonly tokens: CheckpointTokens
  readonly files: number
  readonly branches: number
  readonly refs: number
}

const usualPage = 20
const maxRefs = 20
/** After this long a project has moved on. */
const offeredForMs = 7 * 86_400_000

export function createCheckpoints({
  store,
  tenant,
  clock,
  count,
  newId = randomId,
}: CheckpointsOptions): Checkpoints {
  const rowsOf = (project: string) => store.rows('checkpoints', { tenant, project })

  const rowOf = ({ project }: Scope, id: string): SqlRow => {
    const row = rowsOf(project).first({ id })
    if (row === undefined) throw new ContextdError('CHECKPOINT_NOT_FOUND')
    return row
  }
  const read = ({ reach, keeping }: MemoryUser, id: string): Checkpoint => {
    refuseScope(reach, 'read', 'project')
    return checkpointOf(rowOf(reach, id), keeping)
  }

  /**
   * What the agent has open, by what the session stored itself: nothing here has to be scrubbed again. Branches of other
   * agents are left out: who knows the id of one that waits can take it.
   */
  const around = ({
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

  const list: Checkpoints['list'] = ({ reach, keeping }, { limit = usualPage, before } = {}) => {
    refuseScope(reach, 'read', 'project')
    const owner = { tenant, project: reach.project }
    const from = before === undefined ? {} : { before: Number(rowOf(reach, before).seq) }
    // One more than asked for tells whether there is a next page.
    const lines = checkpointLines(store, owner, { limit: limit + 1, ...from })
    const checkpoints = lines.slice(0, limit).map((row) => lineOf(row, keeping, firstLine))
    const last = checkpoints.at(-1)
    return {
      checkpoints,
      total: countCheckpoints(store, owner),
      ...(lines.length > limit && last !== undefined && { next: last.id }),
    }
  }

  return {
    save({ reach, keeping }, draft) {
      refuseScope(reach, 'write', 'project')
      const { project, session, agent, branch = null } = reach
      const seen = filesInRecords(store, { tenant, project, session })
      const archived = archivedDraft(draft, { project, seen, count, archive: keeping.archive })
      const { branches, refs } = around(reach)
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
        if (!readsBack(rowsOf(project).first({ id }), archived)) throw new ContextdError('MEMORY_NOT_KEPT')
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

    list,
    listed: (user, before) => pageOf(list(user, { before }), { count, now: clock() }),
    get: read,
    restore(user, id, level) {
      const showing = { count, now: clock() }
      const checkpoint = read(user, id)
      return level === 'summary' ? checkpointSummary(checkpoint, showing) : contextOf(checkpoint, showing)
    },
    fullText: (user, id) => fullTextOf(read(user, id), clock()),

    offer({ reach, keeping }, when) {
      if (!reaches(reach.read, 'project')) return undefined
      const { project, session } = reach
      const now = clock()
      // Two clients that start at once are not both offered the same.
      const row = store.transaction(() => {
        const newest = newestCheckpoint(
          store,
          { tenant, project, session },
          when === 'compacted' ? 'own' : 'others',
        )
        if (newest === undefined || when === 'compacted') return newest
        if (newest.offered_at !== null || Number(newest.created_at) < now - offeredForMs) return undefined
        rowsOf(project).update({ offered_at: now }, { id: newest.id ?? null })
        return newest
      })
      return row && checkpointSummary(lineOf(row, keeping), { count, now })
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

/** With what light reads bring. */
function lineOf(row: SqlRow, { recall }: Keeping, shown = (text: string) => text): CheckpointLine {
  return {
    id: String(row.id),
    name: recall(String(row.name)),
    summary: shown(recall(String(row.summary))),
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

function checkpointOf(row: SqlRow, keeping: Keeping): Checkpoint {
  const { recall } = keeping
  const files = JSON.parse(String(row.files)) as Checkpoint['files']
  const branches = JSON.parse(String(row.branches)) as OpenBranch[]
  return {
    ...lineOf(row, keeping),
    context: recall(String(row.context)),
    state: recall(unpack(row.state as Uint8Array)),
    files: { written: files.written.map(recall), read: files.read.map(recall) },
    branches: branches.map(({ id, description }) => ({ id, description: recall(description) })),
    refs: JSON.parse(String(row.refs)) as KeptRef[],
    ...(row.branch !== null && { branch: String(row.branch) }),
  }
}
