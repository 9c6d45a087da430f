/** `ctxd audit tail`: follow the audit log. */

import type { JsonObject } from '@contextd/shared/json/value'
import { visibleText } from '@contextd/shared/text/visible-text'
import { followAudit } from '../../../servers/control/operations/audit-tail.ts'
import type { AuditRecord } from '../../../stages/audit/record.ts'
import { withControl } from '../../support/control.ts'
import { requestOf } from '../../support/request-of.ts'
import { paint, type CliIo, type JsonOption } from '@contextd/shared/cli/output'
import { cutToWidth, padText, textWidth } from '@contextd/shared/cli/text-width'
import { withRecords } from '../../support/with-runtime.ts'
import { stoppable } from '../memory/stoppable.ts'
import { eventWords, recordedTool } from './words.ts'

export interface TailOptions extends JsonOption {
  readonly limit: number
  readonly follow?: boolean
  readonly agent?: string
  readonly server?: string
  readonly tool?: string
  readonly session?: string
  readonly decision?: string
  readonly error?: string
  readonly kind?: string
  readonly event?: string
}

/** Follows on a terminal; into a pipe it stops after the newest record unless `--follow` is given. */
export async function tail({ json, ...options }: TailOptions, io: CliIo): Promise<void> {
  const follow = options.follow ?? io.stdout.isTTY === true
  // Users want to see how calls ended; their start is on the same line.
  const request = requestOf({ ...(!json && { kind: 'ended' }), ...options, follow })
  const print = (record: JsonObject): void => {
    const known = record as unknown as AuditRecord
    if (json) io.stdout.write(`${JSON.stringify(record)}\n`)
    else if (known.kind !== 'intent') io.stdout.write(`${recordLine(known, io)}\n`)
  }
  const { signal, stop, release } = stoppable()
  io.stdout.on?.('error', stop)
  try {
    await withControl(
      io,
      async (api) => {
        await api.stream('Audit/Tail', request, ({ record }) => print(record as JsonObject), { signal })
      },
      () => withRecords(io, ({ audit }) => followAudit(request, { audit, signal, send: print })),
    )
  } catch (error) {
    // The user interrupted it.
    if (!signal.aborted) throw error
  } finally {
    release()
  }
}

const agentWidth = 12
const toolWidth = 28

/**
 * `2026-11-15T18:30:05Z  main          contextd.read_more            REF_NOT_FOUND  3 ms`; on a terminal without the
 * day, and cut to its width.
 */
function recordLine(record: AuditRecord, io: CliIo): string {
  const { time, kind, agent, duration_ms: took } = record
  const isLookedAt = io.stdout.isTTY === true
  const when = isLookedAt ? time.slice(11, 19) : `${time.slice(0, 19)}Z`
  const what = kind === 'event' ? eventWords(record) : recordedTool(record)
  const [style, how] = outcome(record)
  // Events have no decision.
  const end = kind === 'event' ? '' : [how, ...(took === undefined ? [] : [`${took} ms`])].join('  ')
  const words = [padText(visibleText(agent || '-'), agentWidth), padText(visibleText(what), toolWidth)]
  const start = [when, ...words].join('  ')
  const room = isLookedAt ? io.stdout.columns || 80 : Infinity
  const shown = cutToWidth(start, room)
  const rest = cutToWidth(end, room - textWidth(shown) - 2)
  const painted = `${paint(io, 'dim', when)}${shown.slice(when.length)}`
  return (rest === '' ? painted : `${painted}  ${paint(io, style, rest)}`).trimEnd()
}

function outcome({ error, decision, rule }: AuditRecord): ['green' | 'red' | 'yellow', string] {
  if (decision === 'deny')
    return ['red', [error ?? decision, ...(rule ? [`by ${rule}`] : [])].map(visibleText).join(' ')]
  return error === undefined ? ['green', decision ?? 'done'] : ['yellow', visibleText(error)]
}
