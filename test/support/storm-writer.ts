/**
 * Runs as a separate process: appends audit records to the store in the given folder, and prints which ones are stored,
 * until it is killed.
 */

import { writeSync } from 'node:fs'
import { join } from 'node:path'

import { openStore } from '../../src/platform/storage/store.ts'
import { createAuditLog } from '../../src/stages/audit/log.ts'
import { sampleRecord } from './sample-record.ts'

const folder = process.argv[2] ?? ''
writeSync(1, 'opening\n')
const log = createAuditLog({
  store: openStore(join(folder, 'contextd.db')),
  keysDir: join(folder, 'keys'),
  headFile: join(folder, 'audit.head'),
  clock: Date.now,
  tenant: 'local',
  user: 'storm',
  report: (severity, message, fields) => writeSync(2, `${severity} ${message} ${JSON.stringify(fields)}\n`),
})
for (let count = 1; ; count++) {
  // Of various sizes, so that some records exceed a page.
  const output = 'x'.repeat((count * 977) % 9000)
  const { seq, hash } = log.append(sampleRecord({ call: `${process.pid}-${count}`, output }))
  writeSync(1, `${seq} ${Buffer.from(hash).toString('hex')}\n`)
  if (count % 7 === 0) log.flush()
}
