/**
 * Metrics about calls, computed from the audit log on request: this covers calls of all doors and processes without
 * delaying them.
 */

import { setImmediate as breathe } from 'node:timers/promises'

import type { Runtime } from '../../compose.ts'
import { LOCAL_TENANT, OWN_SERVER, type Principal } from '../../core/call.ts'
import type { ErrorCode } from '../../core/errors/errors.ts'
import { privateRule } from '../../core/findings.ts'
import { countRows } from '../../platform/storage/count-rows.ts'
import {
  kindsIn,
  newestRecorded,
  recordedIn,
  recordFurtherOn,
  type RecordedEntry,
} from '../../stages/audit/recorded.ts'
import { builtinNames } from '../../tools/builtin/names.ts'
import { builtinRule } from '@contextd/scrub/rules'
import type { GaugeName, Metrics, Sample } from './http-metrics.ts'

export interface AuditMetrics {
  /** Counts the records since the last time. */
  catchUp(): Promise<void>
  /** The current state, with the servers that this caller may see. */
  gauges(principal: Principal): Partial<Record<GaugeName, number | readonly Sample[]>>
}

/** Small enough not to delay agents' calls. */
const batch = 500

export function createAuditMetrics(
  { store, upstream }: Pick<Runtime, 'store' | 'upstream'>,
  metrics: Metrics,
): AuditMetrics {
  let seen = newestRecorded(store)
  let running: Promise<void> | undefined

  const readOn = async (): Promise<void> => {
    const newest = newestRecorded(store)
    while (seen < newest) {
      const upTo = recordFurtherOn(store, seen, batch)
      const stretch = { tenant: LOCAL_TENANT, after: seen, upTo }
      for (const [kind, count] of kindsIn(store, stretch)) {
        metrics.count('contextd_audit_records_total', { kind }, count)
      }
      const ended = recordedIn(store, stretch, { which: 'ended', limit: batch })
      for (const record of ended) countRecord(record, metrics)
      seen = upTo
      await breathe()
    }
  }

  return {
    catchUp: () => (running ??= readOn().finally(() => (running = undefined))),
    gauges(principal) {
      return {
        contextd_sessions_open: countRows(store, 'sessions', LOCAL_TENANT, { ended_at: null }),
        contextd_upstream_up: upstream.health(principal).map(({ server, state }) => ({
          labels: { server },
          value: state === 'failing' ? 0 : 1,
        })),
        contextd_webhook_deliveries: ['waiting', 'dead'].map((state) => ({
          labels: { state },
          value: countRows(store, 'webhook_deliveries', LOCAL_TENANT, { state }),
        })),
      }
    },
  }
}

function countRecord(record: RecordedEntry, metrics: Metrics): void {
  if (record.event === 'tool-output-scrubbed') return countScrubbed(record, metrics)
  if (record.kind !== 'outcome') return
  const { door = '', method = '', error = '', duration_ms: duration = 0, tokens, findings = [] } = record
  metrics.count('contextd_calls_total', { door, method, outcome: outcomeOf(record), error })
  metrics.observe('contextd_call_duration_seconds', { door, method }, duration / 1000)
  if (tokens !== undefined) metrics.count('contextd_answer_tokens_total', {}, tokens)
  for (const { layer, rule, count } of findings) {
    if (layer !== 'arguments') {
      metrics.count('contextd_secrets_held_back_total', { class: classOf(rule) }, count)
    }
  }
  const tool = sandboxedTool(record)
  if (tool !== undefined) metrics.count('contextd_sandbox_runs_total', { tool })
}

/** Recorded by the client's hook: the event has all rules, but only a total count. */
function countScrubbed({ details: { found, rules } = {} }: RecordedEntry, metrics: Metrics): void {
  const [rule] = Array.isArray(rules) ? rules : []
  if (typeof found !== 'number' || typeof rule !== 'string') return
  metrics.count('contextd_secrets_held_back_total', { class: classOf(rule) }, found)
}

function outcomeOf({ decision, error }: RecordedEntry): 'answered' | 'refused' | 'failed' {
  if (decision === 'deny') return 'refused'
  return error === undefined ? 'answered' : 'failed'
}

/** User-defined rules have arbitrary names, so they share one class. */
function classOf(rule: string): 'provider' | 'generic' | 'private' | 'set' | 'own' {
  if (rule === privateRule) return 'private'
  if (rule.startsWith('set:')) return 'set'
  if (rule.startsWith('generic-')) return 'generic'
  return builtinRule(rule) === undefined ? 'own' : 'provider'
}

/** Errors after which the tool did not run. */
const notRunCodes: ReadonlySet<ErrorCode | undefined> = new Set<ErrorCode>([
  'SANDBOX_UNAVAILABLE',
  'INVALID_ARGUMENTS',
  'TOOL_NOT_FOUND',
  'BUDGET_EXHAUSTED',
  'SCRUB_FAILED',
])

/**
 * Of our tools only the shell runs in the sandbox, and all user-defined tools do. The latter share one series,
 * because their names are arbitrary.
 */
function sandboxedTool(record: RecordedEntry): 'safe_bash' | 'user' | undefined {
  const { method, decision, error, server, tool = '' } = record
  const ran = method === 'tool' && server === OWN_SERVER && decision === 'allow' && !notRunCodes.has(error)
  if (!ran) return undefined
  if (tool === 'safe_bash') return tool
  return builtinNames.has(tool) || record.target_server !== undefined ? undefined : 'user'
}
