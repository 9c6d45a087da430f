/** The newest records, and every new one as it is written. */

import { CONTROL_SERVER, OPERATOR } from '../../../core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { AuditReader } from '../../../stages/audit/query.ts'
import type { AuditRecord } from '../../../stages/audit/record.ts'
import { choiceIn, countField, flagIn, textIn } from './request.ts'
import { jsonOf } from './response.ts'

export interface TailParts {
  readonly audit: Pick<AuditReader, 'tail'>
  /** Tells of what this process writes; others write too, so the end of the table is looked at now and then. */
  readonly onAppended?: (listener: () => void) => () => void
  readonly signal: AbortSignal
  send(record: JsonObject): unknown
}

const usualLimit = 20
const page = 500
/** How long a record of another process may go unnoticed. One look reads one entry of an index. */
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
        countField(request, 'limit', { least: 1 }) ?? usualLimit,
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

/** Which records are meant. Throws for a request that makes no sense. */
export function tailFilter(request: JsonObject): (record: AuditRecord) => boolean {
  flagIn(request, 'follow')
  countField(request, 'limit', { least: 1 })
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

/** `ended`: calls that are over, and events. */
function isOfKind(record: AuditRecord, kind: 'call' | 'event' | 'ended' | undefined): boolean {
  if (kind === undefined) return true
  if (kind === 'ended') return record.kind !== 'intent'
  return (record.kind === 'event') === (kind === 'event')
}

/** Who calls is not known at the beginning of a call; if it was an agent, its outcome is shown. */
function isOperatorQuery({ kind, server, agent }: AuditRecord): boolean {
  return server === CONTROL_SERVER && (kind === 'intent' || agent === OPERATOR)
}

/** Further back nobody looks for the last few. */
const furthestBack = 100_000

function lastOf(
  audit: TailParts['audit'],
  limit: number,
  isWanted: (record: AuditRecord) => boolean,
): { readonly records: readonly AuditRecord[]; readonly newest: number } {
  for (let size = limit; ; size *= 4) {
    const records = audit.tail({ limit: size })
    const wanted = records.filter(isWanted)
    const isAll = records.length < size || size >= furthestBack
    if (wanted.length >= limit || isAll) {
      return { records: wanted.slice(-limit), newest: records.at(-1)?.seq ?? 0 }
    }
  }
}

/** Resolves when something may have been written since the last time, and when nobody listens any more. */
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
