/** Streams the newest records, and then new ones as they are written. */

import { CONTROL_SERVER, OPERATOR } from '../../../core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { AuditReader } from '../../../stages/audit/query.ts'
import type { AuditRecord } from '../../../stages/audit/record.ts'
import { choiceIn, countField, flagIn, textIn } from './request.ts'
import { jsonOf } from './response.ts'

export interface TailParts {
  readonly audit: Pick<AuditReader, 'tail'>
  /** Called for records of this process; other processes write too, so the table is also polled. */
  readonly onAppended?: (listener: () => void) => () => void
  readonly signal: AbortSignal
  send(record: JsonObject): unknown
}

const usualLimit = 20
const page = 500
/** Maximum delay for records of other processes. A poll reads a single index entry. */
const lookEveryMs = 250

export async function followAudit(request: JsonObject, parts: TailParts): Promise<void> {
  const { audit, signal, send } = parts
  const isWanted = tailFilter(request)
  const news = listenForNews(parts)
  try {
    const given = countField(request, 'after')
    let after = given ?? 0
    if (given === undefined) {
      const { records, newest } = lastOf(
        audit,
        countField(request, 'limit', { min: 1 }) ?? usualLimit,
        isWanted,
      )
      for (const record of records) await send(jsonOf(record))
      after = newest
    }
    for (;;) {
      for (let records = audit.tail({ after, limit: page }); records.length > 0 && !signal.aborted;) {
        for (const record of records) if (isWanted(record)) await send(jsonOf(record))
        after = records.at(-1)?.seq ?? after
        records = records.length < page ? [] : audit.tail({ after, limit: page })
      }
      if (request.follow === false || signal.aborted) return
      await news.next()
    }
  } finally {
    news.stop()
  }
}

/** Which records match. Throws if the request is invalid. */
export function tailFilter(request: JsonObject): (record: AuditRecord) => boolean {
  flagIn(request, 'follow')
  countField(request, 'limit', { min: 1 })
  countField(request, 'after')
  const agent = textIn(request, 'agent')
  const server = textIn(request, 'server')
  const tool = textIn(request, 'tool')
  const session = textIn(request, 'session')
  const decision = choiceIn(request, 'decision', ['allow', 'deny'])
  const error = textIn(request, 'error')
  const kind = choiceIn(request, 'kind', ['call', 'event', 'ended'])
  const event = textIn(request, 'event')
  const isAboutThePerson = agent === OPERATOR || server === CONTROL_SERVER
  return (record) =>
    (isAboutThePerson || !isOperatorQuery(record)) &&
    (agent === undefined || record.agent === agent) &&
    (server === undefined || record.server === server || record.target_server === server) &&
    (tool === undefined || record.tool === tool || record.target_tool === tool) &&
    (session === undefined || record.session === session) &&
    (decision === undefined || record.decision === decision) &&
    (error === undefined || record.error === error) &&
    isOfKind(record, kind) &&
    (event === undefined || record.event === event)
}

/** `ended`: completed calls, and events. */
function isOfKind(record: AuditRecord, kind: 'call' | 'event' | 'ended' | undefined): boolean {
  if (kind === undefined) return true
  if (kind === 'ended') return record.kind !== 'intent'
  return (record.kind === 'event') === (kind === 'event')
}

/** The start of a call has no caller yet; if it was an agent, its outcome is shown. */
function isOperatorQuery({ kind, server, agent }: AuditRecord): boolean {
  return server === CONTROL_SERVER && (kind === 'intent' || agent === OPERATOR)
}

/** How far back to search for the last few records. */
const maxRecordsBack = 100_000

function lastOf(
  audit: TailParts['audit'],
  limit: number,
  isWanted: (record: AuditRecord) => boolean,
): { readonly records: readonly AuditRecord[]; readonly newest: number } {
  for (let size = limit; ; size *= 4) {
    const records = audit.tail({ limit: size })
    const wanted = records.filter(isWanted)
    const isAll = records.length < size || size >= maxRecordsBack
    if (wanted.length >= limit || isAll) {
      return { records: wanted.slice(-limit), newest: records.at(-1)?.seq ?? 0 }
    }
  }
}

/** Resolves when records may have been written since the last time, and on abort. */
function listenForNews({ onAppended, signal }: TailParts): { next(): Promise<void>; stop(): void } {
  let wake: (() => void) | undefined
  let isMissed = false
  const ring = (): void => {
    if (wake === undefined) isMissed = true
    else wake()
  }
  const stopListening = onAppended?.(ring)
  const timer = setInterval(ring, lookEveryMs)
  signal.addEventListener('abort', ring)
  return {
    async next() {
      if (!isMissed && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve))
      wake = undefined
      isMissed = false
    },
    stop() {
      stopListening?.()
      clearInterval(timer)
      signal.removeEventListener('abort', ring)
    },
  }
}
