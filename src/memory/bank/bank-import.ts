import type { FieldIssue } from '../../core/tool.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Bank } from './bank.ts'
import { vectorOf } from './bank-vectors.ts'
import type { BankParts } from './bank-write.ts'
import { refuseScope } from '../memory-access.ts'
import { isId, isName, refuseUnfit, throwIssues } from './memory-fields.ts'
import { archiveTexts, sourcesText, textToEmbed, type Owned } from './memory-row.ts'
import type { Memory } from './memory.ts'
import type { MemoryUser } from '../memory-access.ts'
import type { MemoryColumns } from './row-writer.ts'

type ImportOutcome = 'added' | 'replaced' | 'same' | 'different'

/** Imports memories unchanged in one transaction. */
export function bankImport({ store, tenant, vectors, writer }: BankParts): Bank['importBatch'] {
  const existingRow = (id: string): SqlRow | undefined => store.rows('memories', { tenant }).first({ id })
  return async (user, memories, { replace = false, dryRun = false } = {}) => {
    refuseScope(user.reach, 'write', 'all')
    memories.forEach(refuseInvalidRecord)
    const records = memories.map((memory) => ({ id: memory.id, columns: columnsOf(memory, user) }))
    const result: Record<ImportOutcome, string[]> = { added: [], replaced: [], same: [], different: [] }
    if (dryRun) {
      for (const { id, columns } of records) result[outcomeOf(existingRow(id), columns, replace)].push(id)
      return result
    }
    // Compute vectors only for what will be written.
    const toWrite = records.filter(({ id, columns }) =>
      isWritten(outcomeOf(existingRow(id), columns, replace)),
    )
    const embedded = await vectors.embed(toWrite.map(({ columns }) => textToEmbed(columns)))
    const vectorById = new Map(toWrite.map(({ id }, at) => [id, embedded.vectors[at]]))

    const finishers = store.transaction(() => {
      const removed: number[] = []
      const placed = records.flatMap(({ id, columns }) => {
        const old = existingRow(id)
        const outcome = outcomeOf(old, columns, replace)
        result[outcome].push(id)
        if (!isWritten(outcome)) return []
        if (old !== undefined) {
          removed.push(Number(old.seq))
          writer.remove(Number(old.seq))
        }
        const vector = vectorById.get(id)
        return vectorOf(writer.insert(id, { ...columns, ...vectors.columns(vector) }), columns, vector)
      })
      return [vectors.remove(removed), vectors.place(placed)]
    })
    const notes = [embedded.note]
    for (const finish of finishers) notes.push(await finish())
    const note = notes.find((one) => one !== undefined)
    return { ...result, ...(note !== undefined && { note }) }
  }
}

function isWritten(outcome: ImportOutcome): boolean {
  return outcome === 'added' || outcome === 'replaced'
}

const comparedFields = ['title', 'description', 'content', 'outcome', 'task', 'tags', 'scope'] as const

function outcomeOf(row: SqlRow | undefined, columns: MemoryColumns, replace: boolean): ImportOutcome {
  if (row === undefined) return 'added'
  if (comparedFields.every((name) => row[name] === columns[name])) return 'same'
  return replace ? 'replaced' : 'different'
}

function columnsOf(memory: Memory, { archiver }: MemoryUser): MemoryColumns & Owned {
  const { title, description, content, task, tags, outcome, scope, evidence } = memory
  const { project, session, agent, branch = null, used = null, mergedInto = null } = memory
  return {
    ...archiveTexts({ title, description, content, task, tags }, archiver),
    outcome,
    scope,
    project,
    session,
    agent,
    branch,
    sources: sourcesText(memory.sources),
    helped: evidence.helped,
    misled: evidence.misled,
    created_at: memory.created,
    changed_at: memory.changed,
    used_at: used,
    merged_into: mergedInto,
  }
}

function refuseInvalidRecord(memory: Memory): void {
  refuseUnfit(memory)
  const issues: FieldIssue[] = []
  const expect = (isValid: boolean, field: string, expected: string): void => {
    if (!isValid) issues.push({ field, expected })
  }
  const { id, evidence, mergedInto, branch = '', used = 0 } = memory
  expect(isId(id), 'id', 'letters, digits, - and _')
  expect(mergedInto === undefined || isId(mergedInto), 'mergedInto', 'an id')
  for (const name of ['project', 'session', 'agent'] as const)
    expect(isName(memory[name]), name, 'text without control characters')
  expect(isName(branch), 'branch', 'text without control characters')
  expect(
    memory.sources.every((source) => isName(source)),
    'sources',
    'ids',
  )
  for (const [field, time] of Object.entries({ created: memory.created, changed: memory.changed, used }))
    expect(Number.isSafeInteger(time) && time >= 0, field, 'a time in milliseconds')
  const counts = [evidence.helped, evidence.misled]
  expect(
    counts.every((count) => Number.isFinite(count) && count >= 0),
    'evidence',
    'numbers that are not negative',
  )
  throwIssues(issues)
}
