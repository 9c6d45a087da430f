/** `ctxd audit verify`. */

import type { Records } from '../../../compose.ts'
import { ContextdError } from '../../../core/errors/errors.ts'
import { withControl } from '../../support/control.ts'
import { printJson, printLine, type CliIo, type JsonOption } from '@contextd/shared/cli/output'
import { counted } from '@contextd/shared/text/counted'
import { progressLine } from '@contextd/shared/cli/progress'
import { withRecords } from '../../support/with-runtime.ts'

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
 * Runs in this process even if a daemon runs: it reads the same file, adds no record to those it counts, works when
 * nothing can be written, and delays no agent's call.
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
  // Only the first record of the export is read.
  const [oldest] = audit.export()
  return newest === undefined || oldest === undefined ? 0 : newest.seq - oldest.seq + 1
}

async function verifyThere(io: CliIo): Promise<Verdict> {
  const line = progressLine(io, 'record')
  const answered = await withControl(io, (api) =>
    api.stream('Audit/Verify', {}, ({ checked }) => line.show({ done: Number(checked) })),
  ).finally(line.clear)
  // False and empty fields may be omitted on the wire.
  return { ok: false, records: 0, first_bad: null, ...answered }
}
