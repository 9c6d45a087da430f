/** Model tokens as reported by providers, shared by all processes. */

import type { Scope } from '../../core/call.ts'
import type { ModelReport, ModelUsage, UsageGroup } from '../../core/model.ts'
import type { Clock } from '../../core/ports.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'

export interface ModelUsageBook {
  /** Adds the usage of one response, if it reported any. */
  add(scope: Scope, provider: string, report: ModelReport): void
  /** All tokens of an agent in a session. */
  inSession(scope: Scope): number
  /** All tokens of an agent today, in all sessions. */
  today(scope: Scope): number
  /** Deletes days that ended before that time (epoch milliseconds). */
  prune(before: number): number
}

export function createModelUsage(store: Store, tenant: string, clock: Clock): ModelUsageBook {
  const rows = store.rows('model_usage', { tenant })
  const sum = (found: readonly SqlRow[]): number =>
    found.reduce((total, row) => total + totalOf(usageIn(row)), 0)
  return {
    add({ project, session, agent }, provider, { model = '', usage }) {
      if (usage === undefined) return
      const key = { day: dayOf(clock()), session, agent, provider, model }
      store.transaction(() => {
        const known = rows.first(key)
        const { input, output, cacheRead, cacheWrite } = known === undefined ? noUsage : usageIn(known)
        rows.put({
          ...key,
          project: known === undefined ? project : (known.project as string),
          requests: Number(known?.requests ?? 0) + 1,
          input_tokens: input + usage.input,
          output_tokens: output + usage.output,
          cache_read_tokens: cacheRead + usage.cacheRead,
          cache_write_tokens: cacheWrite + usage.cacheWrite,
        })
      })
    },
    inSession: ({ session, agent }) => sum(rows.all({ session, agent })),
    today: ({ agent }) => sum(rows.all({ day: dayOf(clock()), agent })),
    prune: (before) => rows.remove({ day: { atMost: dayOf(before - dayMs) } }),
  }
}

export interface UsageSum extends ModelUsage {
  /** The day, session, agent or model. */
  readonly name: string
  readonly requests: number
}

/** The usage since the start of that day, by name: most tokens first, days in order. */
export function sumUsage(
  store: Store,
  tenant: string,
  { since, by }: { since: number; by: UsageGroup },
): UsageSum[] {
  const sums = new Map<string, UsageSum>()
  for (const row of store.rows('model_usage', { tenant }).iterate({ day: { atLeast: dayOf(since) } })) {
    const name = String(row[by])
    const { requests, ...before } = sums.get(name) ?? { ...noUsage, requests: 0 }
    sums.set(name, { name, requests: requests + Number(row.requests), ...added(before, usageIn(row)) })
  }
  const found = [...sums.values()]
  return by === 'day'
    ? found.sort((one, other) => (one.name < other.name ? -1 : 1))
    : found.sort((one, other) => totalOf(other) - totalOf(one))
}

export function totalOf({ input, output, cacheRead, cacheWrite }: ModelUsage): number {
  return input + output + cacheRead + cacheWrite
}

const dayMs = 86_400_000
const noUsage: ModelUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** In UTC, such as `2026-11-16`. */
function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

function usageIn(row: SqlRow): ModelUsage {
  return {
    input: Number(row.input_tokens),
    output: Number(row.output_tokens),
    cacheRead: Number(row.cache_read_tokens),
    cacheWrite: Number(row.cache_write_tokens),
  }
}

function added(one: ModelUsage, other: ModelUsage): ModelUsage {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite: one.cacheWrite + other.cacheWrite,
  }
}
