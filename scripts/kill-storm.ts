/**
 * npm run storm [-- rounds [seed]]: ten writers on one store are killed repeatedly; no acknowledged record may be lost.
 */

import { killStorm } from '../test/support/kill-storm.ts'

const writers = 10
const rounds = Number(process.argv[2] ?? 100)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)

const failed = await killStorm(
  { writers, rounds, records: 60, seed },
  ({ acknowledged, complaints, integrity, lost, verify }) => {
    const missing = lost()
    const { ok, records, problem } = verify()
    process.stdout.write(
      [
        `${rounds} rounds of ${writers} writers, all killed (seed ${seed})`,
        `${acknowledged.size} records acknowledged, ${missing.length} of them lost`,
        `${records} records in the chain, which is ${ok ? 'valid' : `invalid: ${problem}`}`,
        `file: ${integrity}`,
        ...complaints,
        '',
      ].join('\n'),
    )
    return missing.length > 0 || !ok || integrity !== 'ok' || complaints.length > 0
  },
)
process.exitCode = failed ? 1 : 0
