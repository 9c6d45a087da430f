/** Converts audit records to webhook events. Pure. */

import type { ErrorCode } from '../../core/errors/errors.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import type { RecordedEntry } from '../../stages/audit/recorded.ts'

/** Events that a webhook can receive. */
export const webhookEvents = [
  'refusal',
  'leak-held-back',
  'approval-wanted',
  'server-down',
  'tool-definition-changed',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

export function isWebhookEvent(name: string): name is WebhookEvent {
  return (webhookEvents as readonly string[]).includes(name)
}

export interface Happening {
  readonly event: WebhookEvent
  readonly fields: JsonObject
}

/** Calls that we refused although the rules allow them. */
const refusedAfterPolicy: ReadonlySet<ErrorCode | undefined> = new Set<ErrorCode>([
  'BUDGET_EXHAUSTED',
  'SCRUB_FAILED',
  'SECRET_NOT_REVEALED',
  'SECRET_TOKEN_IN_ARGUMENT',
  'PATH_NOT_GRANTED',
  'PATH_PROTECTED',
])

/** Audit events, and the names under which webhooks receive them. */
const webhookEventOf: Readonly<Record<string, WebhookEvent>> = {
  'hook-refused': 'refusal',
  'attestation-refused': 'refusal',
  'call-foreseen-refused': 'refusal',
  'tool-approval-wanted': 'approval-wanted',
  'tool-output-scrubbed': 'leak-held-back',
  'upstream-down': 'server-down',
  'tool-held': 'tool-definition-changed',
  'tool-repinned': 'tool-definition-changed',
}

/** Event details that are sent. */
const sentDetails = [
  'hook',
  'server',
  'tool',
  'agent',
  'what',
  'code',
  'rule',
  'found',
  'rules',
  'why',
  'since',
  'sha256',
  'was',
  'findings',
] as const

const sentAlways = ['call', 'project', 'session', 'agent'] as const
const sentForCalls = [
  'client',
  'client_version',
  'door',
  'level',
  'method',
  'server',
  'tool',
  'target_server',
  'target_tool',
  'decision',
  'rule',
  'error',
  'duration_ms',
  'tokens',
] as const

/** Usually none. A call may have two: its answer contained a secret, and it was refused as well. */
export function happeningsOf(record: RecordedEntry): Happening[] {
  if (record.kind === 'event') return happeningsOfEvent(record)
  if (record.kind !== 'outcome') return []
  const fields = { record: record.seq, ...picked(record, sentAlways), ...picked(record, sentForCalls) }
  const happenings: Happening[] = []
  const refusal = refusalOf(record)
  if (refusal !== undefined) happenings.push(happening(refusal, fields))
  const found = (record.found_c1 ?? 0) + (record.found_c2 ?? 0)
  if (found > 0) {
    happenings.push(happening('leak-held-back', { ...fields, found, findings: foundBy(record) }))
  }
  return happenings
}

function happening(event: WebhookEvent, fields: JsonObject): Happening {
  return { event, fields }
}

function refusalOf({ decision, error }: RecordedEntry): WebhookEvent | undefined {
  if (error === 'APPROVAL_REQUIRED') return 'approval-wanted'
  // A call that was cancelled before the rules were evaluated was not refused.
  const isRefused = decision === 'deny' && error !== 'CANCELLED'
  return isRefused || refusedAfterPolicy.has(error) ? 'refusal' : undefined
}

/** By rule. Locations are omitted: they contain field names of the answer, which are part of its contents. */
function foundBy({ findings = [] }: RecordedEntry): Json {
  const counts = new Map<string, number>()
  for (const { layer, rule, count } of findings) {
    if (layer !== 'arguments') counts.set(rule, (counts.get(rule) ?? 0) + count)
  }
  return [...counts].map(([rule, count]) => ({ rule, count }))
}

function happeningsOfEvent(record: RecordedEntry): Happening[] {
  const name = record.event ?? ''
  const event = Object.hasOwn(webhookEventOf, name) ? webhookEventOf[name] : undefined
  if (event === undefined) return []
  const details = picked(record.details ?? {}, sentDetails)
  return [happening(event, { record: record.seq, ...picked(record, sentAlways), source: name, ...details })]
}

/** A server's own description can be long. */
const maxTextLength = 500

/** Without absent and empty fields. */
function picked(from: object, names: readonly string[]): JsonObject {
  const given = from as Readonly<Record<string, Json | undefined>>
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = Object.hasOwn(given, name) ? given[name] : undefined
      return value === undefined || value === null || value === ''
        ? []
        : [[name, typeof value === 'string' ? value.slice(0, maxTextLength) : value]]
    }),
  )
}
