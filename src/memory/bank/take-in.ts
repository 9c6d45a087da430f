import type { FieldIssue } from '../../core/tool.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Bank } from './bank.ts'
import { vectorOf } from './bank-vectors.ts'
import type { BankParts } from './bank-write.ts'
import { refuseScope } from '../memory-access.ts'
import { isId, isName, refuseUnfit, throwIssues } from './memory-fields.ts'
import { keepTexts, sourcesText, textToEmbed, type Owned } from './memory-row.ts'
import type { Memory } from './memory.ts'
import type { MemoryUser } from '../memory-access.ts'
import type { MemoryColumns } from './row-writer.ts'

type Fate = 'added' | 'replaced' | 'same' | 'different'

/** Takes memories in as they are, in one transaction. */
export function bankTakeIn({ store, tenant, vectors, writer }: BankParts): Bank['takeIn'] {
  const there = (id: string): SqlRow | undefined => store.rows('memories', { tenant }).first({ id })
  return async (user, memories, { replace = false, dryRun = false } = {}) => {
    refuseScope(user.reach, 'write', 'all')
    memories.forEach(refuseUnfitRecord)
    const records = memories.map((memory) => ({ id: memory.id, columns: columnsOf(memory, user) }))
    const taken: Record<Fate, string[]> = { added: [], replaced: [], same: [], different: [] }
    if (dryRun) {
      for (const { id, columns } of records) taken[fateOf(there(id), columns, replace)].push(id)
      return taken
    }
    // Only what will be written costs a vector.
    const wanted = records.filter(({ id, columns }) => isWritten(fateOf(there(id), columns, replace)))
    const made = await vectors.embed(wanted.map(({ columns }) => textToEmbed(columns)))
    const vectorById = new Map(wanted.map(({ id }, at) => [id, made.vectors[at]]))

    const endings = store.transaction(() => {
      const gone: number[] = []
      const placed = records.flatMap(({ id, columns }) => {
        const old = there(id)
        const fate = fateOf(old, columns, replace)
        taken[fate].push(id)
        if (!isWritten(fate)) return []
        if (old !== undefined) {
          gone.push(Number(old.seq))
          writer.remove(Number(old.seq))
        }
        const vector = vectorById.get(id)
        return vectorOf(writer.insert(id, { ...columns, ...vectors.columns(vector) }), columns, vector)
      })
      return [vectors.remove(gone), vectors.place(placed)]
    })
    const notes = [made.note]
    for (const end of endings) notes.push(await end())
    const note = notes.find((one) => one !== undefined)
    return { ...taken, ...(note !== undefined && { note }) }
  }
}

function isWritten(fate: Fate): boolean {
  return fate === 'added' || fate === 'replaced'
}

const told = ['title', 'description', 'content', 'outcome', 'task', 'tags', 'scope'] as const

function fateOf(row: SqlRow | undefined, columns: MemoryColumns, replace: boolean): Fate {
  if (row === undefined) return 'added'
  if (told.every((name) => row[name] === columns[name])) return 'same'
  return replace ? 'replaced' : 'different'
}

function columnsOf(memory: Memory, { keeping }: MemoryUser): MemoryColumns & Owned {
  const { title, description, content, task, tags, outcome, scope, evidence } = memory
  const { project, session, agent, branch = null, used = null, mergedInto = null } = memory
  return {
    ...keepTexts({ title, description, content, task, tags }, keeping),
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

function refuseUnfitRecord(memory: Memory): void {
  refuseUnfit(memory)
  const issues: FieldIssue[] = []
  const expect = (isFit: boolean, field: string, expected: string): void => {
    if (!isFit) issues.push({ field, expected })
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
