/** What a program started and left behind, wherever it went. */

import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Children inherit it, also those that left their parent, group and session. */
export const markVariable = 'CONTEXTD_STARTED'

export function newMark(): string {
  return randomBytes(8).toString('hex')
}

/** Ends the group and everything with this mark. Resolves when none is left. */
export async function endAll(group: number, mark: string): Promise<void> {
  signalGroup(group, 'SIGKILL')
  // One that starts others while we look is found the next time.
  for (let round = 0; round < maxRounds; round++) {
    const found = await markedWith(mark)
    if (found.length === 0) return
    for (const pid of found) signalTo(pid, 'SIGKILL')
    await sleep(5)
  }
}

const maxRounds = 400

/** Processes of ours that live; those of others do not show their environment. */
async function markedWith(mark: string): Promise<number[]> {
  const names = await readdir('/proc').catch(() => [])
  const found = await Promise.all(
    names.map(async (name) => {
      if (!/^\d+$/.test(name)) return []
      // Empty for one that has ended and was not waited for yet.
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
    // Gone already.
  }
}
