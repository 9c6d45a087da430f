import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A new name for a file that is valid as long as this process runs, even if it is killed. */
export function processFileName(): string {
  return `${process.pid}-${startOf(process.pid) ?? 0}-${randomBytes(8).toString('hex')}`
}

/** Undefined if no process made the name. An extension is ignored. */
export function readProcessFileName(name: string): { pid: number; isRunning: boolean } | undefined {
  const [, digits, start] = /^(\d+)-(\d+)-[0-9a-f]{16}(?:\.json)?$/.exec(name) ?? []
  if (digits === undefined) return undefined
  const pid = Number(digits)
  return { pid, isRunning: startOf(pid) === start }
}

/**
 * The start time of a process, in ticks since boot; undefined if missing. With its id it identifies a process: in a
 * container the next process often has the same id.
 */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
