/**
 * Runs as a separate process: for every folder on stdin it opens the store there, appends one audit record, and prints
 * the result. With `stranger` it is another user, if this one is not bound by file modes.
 */

import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { CodedError } from '../../src/core/errors/errors.ts'
import { loadDriver } from '../../src/platform/storage/sqlite.ts'
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
    return { error: error instanceof CodedError ? error.toObject() : String(error) }
  }
}

if (process.argv[2] === 'stranger' && process.getuid?.() === 0) {
  // The last file that only the first user may be able to read.
  loadDriver()
  process.setgroups?.([])
  process.setgid?.(65_534)
  process.setuid?.(65_534)
}

for await (const folder of createInterface(process.stdin)) {
  process.stdout.write(`${JSON.stringify(visit(folder))}\n`)
}
