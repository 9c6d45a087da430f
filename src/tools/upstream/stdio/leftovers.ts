/** Finds and ends processes that a server started and left behind. */

import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** All descendants inherit this variable, even those that left their parent, process group and session. */
export const markVariable = 'CONTEXTD_STARTED'

export function newMark(): string {
  return randomBytes(8).toString('hex')
}

/** Kills the process group and every process with the mark. Resolves when none is left. */
export async function endAll(group: number, mark: string): Promise<void> {
  signalGroup(group, 'SIGKILL')
  // Processes started during a scan are found in the next one.
  for (let round = 0; round < maxRounds; round++) {
    const found = await markedWith(mark)
    if (found.length === 0) return
    for (const pid of found) signalTo(pid, 'SIGKILL')
    await sleep(5)
  }
}

const maxRounds = 400

/** Running processes of this user; the environment of other users' processes is not readable. */
async function markedWith(mark: string): Promise<number[]> {
  const names = await readdir('/proc').catch(() => [])
  const found = await Promise.all(
    names.map(async (name) => {
      if (!/^\d+$/.test(name)) return []
      // Empty for zombies.
      const variables = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '')
      return variables.split('\0').includes(`${markVariable}=${mark}`) ? [Number(name)] : []
    }),
  )
  return found.flat()
}

export function signalGroup(group: number, signal: NodeJS.Signals): void {
  signalTo(-group, signal)
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has already ended.
  }
}
