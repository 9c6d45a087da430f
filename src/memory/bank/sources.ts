/** What a memory can be distilled from: a checkpoint, a branch that has returned, or the course of a session. */

import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'
import { refuseScope } from '../memory-access.ts'
import { isId, memoryLimits, throwIssues } from './memory-fields.ts'
import type { MemoryUser } from '../memory-access.ts'

export interface MemorySource {
  readonly id: string
  readonly kind: 'checkpoint' | 'branch' | 'session'
  /** What is known of it, for whoever reads it now. */
  readonly text: string
}

/** Stands for the session of whoever asks: nobody knows its id. */
const thisSession = 'session'

/** Of the caller's project only. INVALID_ARGUMENTS names what there is none of. */
export function readSources(
  store: Store,
  { reach, keeping }: MemoryUser,
  ids: readonly string[],
): MemorySource[] {
  refuseScope(reach, 'read', 'project')
  // To look for each takes time, in which nobody else is answered.
  if (ids.length > memoryLimits.sources)
    throwIssues([{ field: 'from', expected: `at most ${memoryLimits.sources} items` }])
  const { tenant, project } = reach
  const find = (id: string): MemorySource | undefined => {
    if (!isId(id)) return undefined
    const checkpoint = store.rows('checkpoints', { tenant, project }).first({ id })
    if (checkpoint !== undefined)
      return { id, kind: 'checkpoint', text: checkpointText(checkpoint, keeping.recall) }
    const branch = store.rows('branches', { tenant, project }).first({ id })
    if (branch !== undefined) return { id, kind: 'branch', text: branchText(branch, keeping.recall) }
    const session = store.rows('sessions', { tenant, project }).first({ id })
    if (session === undefined) return undefined
    return {
      id,
      kind: 'session',
      text: courseOf(
        store
          .rows('audit_entries', { tenant, project, session: id })
          .iterate({ method: 'tool' }, { orderBy: 'seq' }),
      ),
    }
  }
  const wanted = [...new Set(ids.map((id) => (id === thisSession ? reach.session : id)))]
  const found = wanted.map(find)
  const isMissing = (at: number): boolean => found[at] === undefined
  throwIssues(
    wanted.flatMap((_, at) =>
      isMissing(at)
        ? [
            {
              field: `from[${at}]`,
              expected: 'a checkpoint, branch or session of this project, or session for this one',
            },
          ]
        : [],
    ),
  )
  return found.filter((source) => source !== undefined)
}

function checkpointText({ name, summary, context }: SqlRow, recall: (text: string) => string): string {
  return [name, summary, context]
    .filter((text) => text !== '')
    .map((text) => recall(String(text)))
    .join('\n')
}

function branchText(
  { description, prompt, state, message }: SqlRow,
  recall: (text: string) => string,
): string {
  const parts = [
    ['Task', `${String(description)}: ${String(prompt)}`],
    [`Ended (${String(state)})`, String(message)],
  ] as const
  return parts
    .filter(([, text]) => text !== '')
    .map(([label, text]) => `${label}: ${recall(text)}`)
    .join('\n')
}

/** Steps of a session that say how it went; the first ones of a long one say least. */
const maxSteps = 60

interface Step {
  readonly what: string
  many: number
}

/** Which tools were called one after the other, and what failed or was refused; nothing of what was asked or answered. */
function courseOf(entries: Iterable<SqlRow>): string {
  const steps: Step[] = []
  let calls = 0
  const failures = new Map<string, number>()
  for (const { tool, target_tool, error, decision } of entries) {
    calls += 1
    const name = String(target_tool ?? tool)
    const failure = error === null ? '' : ` ${decision === 'deny' ? 'refused' : 'failed'}: ${String(error)}`
    if (failure !== '') failures.set(`${name}${failure}`, (failures.get(`${name}${failure}`) ?? 0) + 1)
    const what = `${name}${failure}`
    const last = steps.at(-1)
    if (last?.what === what) last.many += 1
    else steps.push({ what, many: 1 })
  }
  const shown = steps.slice(-maxSteps)
  const course = shown.map(({ what, many }) => (many === 1 ? what : `${what} ×${many}`)).join(' → ')
  const skipped = steps.length - shown.length
  const failure = [...failures].map(([what, many]) => `${what} ×${many}`).join(', ')
  return [
    `${calls} calls${failure === '' ? '' : `; ${failure}`}`,
    ...(course === '' ? [] : [`${skipped > 0 ? `… ${skipped} steps → ` : ''}${course}`]),
  ].join('\n')
}
