/** Stores memories atomically. */

import { randomUUID } from 'node:crypto'

import type { Clock } from '../../core/ports.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Bank, Stored } from './bank.ts'
import { vectorOf, type BankVectors } from './bank-vectors.ts'
import { priorEvidence } from './confidence.ts'
import { refuseScope, scopeOfMemory } from '../memory-access.ts'
import { refuseUnfit } from './memory-fields.ts'
import { archiveTexts, rearchived, readMemory, sourcesText, rowTexts, textToEmbed } from './memory-row.ts'
import type { MemoryUser, MemoryReach } from '../memory-access.ts'
import type { RowWriter } from './row-writer.ts'
import { refuseTooMany } from './source-limit.ts'

export interface BankParts {
  readonly store: Store
  readonly tenant: string
  readonly clock: Clock
  readonly newId: () => string
  readonly vectors: BankVectors
  readonly writer: RowWriter
  /** A row that the caller may read; MEMORY_NOT_FOUND otherwise. */
  readonly rowOf: (reach: MemoryReach, id: string) => SqlRow
}

/** Short, because answers contain many of them. */
export function newMemoryId(): string {
  return `mem_${randomUUID().slice(-12)}`
}

export function bankWriters(parts: BankParts): Pick<Bank, 'store' | 'edit'> {
  const { store, tenant, clock, vectors, writer } = parts
  return {
    async store(user, memory, { signal, embedMs } = {}) {
      refuseUnfit(memory)
      const { project, session, agent, branch = null } = user.reach
      const scope = memory.scope ?? 'project'
      refuseScope(user.reach, 'write', scope)
      const now = clock()
      const { title, description, content, outcome, task = '', tags = [] } = memory
      const texts = archiveTexts({ title, description, content, task, tags }, user.archiver)
      const {
        vectors: [vector],
        note,
      } = await vectors.embed([textToEmbed(texts)], embedMs)
      // A caller that received a timeout must not find it stored.
      signal?.throwIfAborted()
      const columns = {
        ...texts,
        ...priorEvidence(memory.confidence),
        ...vectors.columns(vector),
        project,
        session,
        agent,
        branch,
        scope,
        outcome,
        sources: sourcesText(memory.sources),
        created_at: now,
        changed_at: now,
      }
      const id = parts.newId()
      const finish = store.transaction(() => {
        refuseTooMany(store, tenant, memory.sources)
        return vectors.place(vectorOf(writer.insert(id, columns), columns, vector))
      })
      const warning = note ?? (await finish())
      return stored({ ...columns, id, used_at: null, merged_into: null }, user, warning)
    },

    async edit(user, id, changes) {
      refuseUnfit(changes)
      const { outcome, scope } = changes
      const texts = archiveTexts(changes, user.archiver)
      const mayChange = (row: SqlRow): void => {
        refuseScope(user.reach, 'write', scopeOfMemory(row, user.reach))
        if (scope !== undefined) refuseScope(user.reach, 'write', scopeOfMemory(row, user.reach, scope))
      }
      for (;;) {
        const seen = parts.rowOf(user.reach, id)
        mayChange(seen)
        const text = textToEmbed({ ...rowTexts(seen), ...texts })
        const {
          vectors: [vector],
          note,
        } = await vectors.embed([rearchived(text, user.archiver)])
        const written = store.transaction(() => {
          const row = parts.rowOf(user.reach, id)
          mayChange(row)
          const columns = {
            ...rowTexts(row),
            ...texts,
            ...vectors.columns(vector),
            scope: scope ?? (row.scope as string),
            outcome: outcome ?? row.outcome!,
            changed_at: clock(),
          }
          // Another writer was faster: this vector belongs to the old text.
          if (textToEmbed(columns) !== text) return undefined
          const seq = Number(row.seq)
          writer.update(seq, columns)
          const newVectors = vectorOf(seq, { ...columns, project: row.project as string }, vector)
          const finish = vector === undefined ? vectors.remove([seq]) : vectors.place(newVectors)
          return { row: { ...row, ...columns }, finish }
        })
        if (written !== undefined) return stored(written.row, user, note ?? (await written.finish()))
      }
    },
  }
}

function stored(row: SqlRow, { archiver }: MemoryUser, note: string | undefined): Stored {
  return { memory: readMemory(row, archiver), ...(note !== undefined && { note }) }
}
