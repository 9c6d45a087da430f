/** `ctxd audit verify`. */

import type { Records } from '../../../compose.ts'
import { ContextdError } from '../../../core/errors.ts'
import { withControl } from '../../control.ts'
import { counted, printJson, printLine, type CliIo, type JsonOption } from '../../ui/output.ts'
import { progressLine } from '../../ui/progress.ts'
import { withRecords } from '../../with-runtime.ts'

type Verdict = ReturnType<Records['verify']>

export async function verify({ json }: JsonOption, io: CliIo): Promise<void> {
  const verdict = io.env.CONTEXTD_ADDR ? await verifyThere(io) : await verifyHere(io)
  if (json) printJson(verdict, io)
  else if (verdict.ok)
    printLine(`${counted(verdict.records, 'record')}, none changed, removed, added or moved.`, io)
  if (!verdict.ok)
    throw new ContextdError('AUDIT_TAMPERED', { seq: verdict.first_bad, problem: verdict.problem })
}

/**
 * In this process also where a daemon runs: it reads the same file, adds no record to what it counts, works where nothing
 * can be written any more, and keeps no call of an agent waiting.
 */
function verifyHere(io: CliIo): Promise<Verdict> {
  return withRecords(io, ({ audit, verify: check }) => {
    const line = progressLine(io, 'record')
    const total = io.stderr.isTTY === true ? length(audit) : 0
    try {
      return check((done) => line.show({ done, total: Math.max(done, total) }))
    } finally {
      line.clear()
    }
  })
}

function length(audit: Records['audit']): number {
  const [newest] = audit.tail({ limit: 1 })
  // The first of the export, which is read no further.
  const [oldest] = audit.export()
  return newest === undefined || oldest === undefined ? 0 : newest.seq - oldest.seq + 1
}

async function verifyThere(io: CliIo): Promise<Verdict> {
  const line = progressLine(io, 'record')
  const answered = await withControl(io, (api) =>
    api.stream('Audit/Verify', {}, ({ checked }) => line.show({ done: Number(checked) })),
  ).finally(line.clear)
  // Over the wire what is false or nothing may be left out.
  return { ok: false, records: 0, first_bad: null, ...answered }
}
