/**
 * npm run storm:sandbox [-- rounds [seed]]: contextd is killed repeatedly while commands run; nothing may be left
 * behind.
 */

import { sandboxStorm } from '../test/sandbox/storm.ts'

const rounds = Number(process.argv[2] ?? 1000)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)

const left = await sandboxStorm({
  rounds,
  seed,
  onRound: (round) => process.stderr.write(round % 50 === 0 ? `${round} of ${rounds}\n` : ''),
})
process.stdout.write(
  [
    `${rounds} kills (seed ${seed}), ${left.busyRounds} of them while commands ran`,
    `${left.leftProcesses} processes survived, ${left.newMounts} mounts, ${left.leftFiles.length} files and ${left.leftGroups.length} groups left`,
    '',
  ].join('\n'),
)
const isClean = left.leftProcesses + left.newMounts + left.leftFiles.length + left.leftGroups.length === 0
process.exitCode = isClean ? 0 : 1
