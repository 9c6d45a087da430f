import { readFileSync } from 'node:fs'

/**
 * The start time of a process, in ticks since boot; undefined if missing. With its id it identifies a process: in a
 * container the next process often has the same id.
 */
export function processStartOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
