/** What a memory can be distilled from: a checkpoint, a returned branch, or the history of a session. */

import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'
import { refuseScope } from '../memory-access.ts'
import { isId, memoryLimits, throwIssues } from './memory-fields.ts'
import type { MemoryUser } from '../memory-access.ts'
import { counted } from '@contextd/shared/text/counted'

export interface MemorySource {
  readonly id: string
  readonly kind: 'checkpoint' | 'branch' | 'session'
  /** What is known about it, as its reader may see it. */
  readonly text: string
}

/** Names the caller's own session, whose id agents do not know. */
const thisSession = 'session'

/** Of the caller's project only. INVALID_ARGUMENTS lists the missing ones. */
export function readSources(
  store: Store,
  { reach, archiver }: MemoryUser,
  ids: readonly string[],
): MemorySource[] {
  refuseScope(reach, 'read', 'project')
  // Each lookup blocks other requests for a moment.
  if (ids.length > memoryLimits.sources)
    throwIssues([{ field: 'from', expected: `at most ${memoryLimits.sources} items` }])
  const { tenant, project } = reach
  const find = (id: string): MemorySource | undefined => {
    if (!isId(id)) return undefined
    const checkpoint = store.rows('checkpoints', { tenant, project }).first({ id })
    if (checkpoint !== undefined)
      return { id, kind: 'checkpoint', text: checkpointText(checkpoint, archiver.recall) }
    const branch = store.rows('branches', { tenant, project }).first({ id })
    if (branch !== undefined) return { id, kind: 'branch', text: branchText(branch, archiver.recall) }
    const session = store.rows('sessions', { tenant, project }).first({ id })
    if (session === undefined) return undefined
    return {
      id,
      kind: 'session',
      text: historyOf(
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
              expected: 'a checkpoint, branch or session of this project, or "session" for this one',
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

/** Only the last steps of a long session: they say most about how it went. */
const maxSteps = 60

interface Step {
  readonly description: string
  count: number
}

/** The sequence of tool calls, and what failed or was refused; without arguments or results. */
function historyOf(entries: Iterable<SqlRow>): string {
  const steps: Step[] = []
  let calls = 0
  const failures = new Map<string, number>()
  for (const { tool, target_tool, error, decision } of entries) {
    calls += 1
    const name = String(target_tool ?? tool)
    const failure = error === null ? '' : ` ${decision === 'deny' ? 'refused' : 'failed'}: ${String(error)}`
    if (failure !== '') failures.set(`${name}${failure}`, (failures.get(`${name}${failure}`) ?? 0) + 1)
    const description = `${name}${failure}`
    const last = steps.at(-1)
    if (last?.description === description) last.count += 1
    else steps.push({ description, count: 1 })
  }
  const shown = steps.slice(-maxSteps)
  const history = shown
    .map(({ description, count }) => (count === 1 ? description : `${description} ×${count}`))
    .join(' → ')
  const skipped = steps.length - shown.length
  const failure = [...failures].map(([description, count]) => `${description} ×${count}`).join(', ')
  return [
    `${counted(calls, 'call')}${failure === '' ? '' : `; ${failure}`}`,
    ...(history === '' ? [] : [`${skipped > 0 ? `… ${counted(skipped, 'step')} → ` : ''}${history}`]),
  ].join('\n')
}
