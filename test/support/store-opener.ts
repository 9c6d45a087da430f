/**
 * Run as a process of its own: for every folder on stdin it opens the store there and appends one audit record, and says
 * on stdout how that went.
 */

import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { ContextdError } from '../../src/core/errors.ts'
import { openStore } from '../../src/platform/storage/store.ts'
import { createAuditLog } from '../../src/stages/audit/log.ts'

function visit(folder: string): object {
  try {
    const store = openStore(join(folder, 'contextd.db'))
    const log = createAuditLog({
      store,
      keysDir: join(folder, 'keys'),
      headFile: join(folder, 'audit.head'),
      clock: Date.now,
      tenant: 'local',
      user: 'opener',
      report: (_, message) => {
        throw new Error(message)
      },
    })
    const { seq } = log.event('opened')
    log.flush()
    store.close()
    return { seq }
  } catch (error) {
    return { error: error instanceof ContextdError ? error.toObject() : String(error) }
  }
}

for await (const folder of createInterface(process.stdin)) {
  process.stdout.write(`${JSON.stringify(visit(folder))}\n`)
}
