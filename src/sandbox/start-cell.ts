import type { Cell } from './cell.ts'
import type { Command, Confinement, LimitName, SandboxLimits, Started } from './sandbox.ts'
import { watch } from './watchdog.ts'

/** Longer than anything runs. */
const tenYears = 10 * 365 * 24 * 3600

/**
 * Adapts a confinement for a program that keeps running. Limits on time and CPU time would end it eventually, and so
 * would the number of files it creates; its writable folders also grow by the work of others.
 */
export function withoutEnd({ limits, ...rest }: Confinement): Confinement {
  return { ...rest, limits: { ...limits, cpuSeconds: tenYears, diskFiles: Number.MAX_SAFE_INTEGER } }
}

/** Sends the cell a command that keeps running. Resolves once it has started, or ended before it could. */
export async function startInCell(cell: Cell, command: Command, limits: SandboxLimits): Promise<Started> {
  let limit: LimitName | undefined
  const endBy = (name: LimitName): void => {
    limit ??= name
    cell.kill()
  }
  // A cgroup enforces the limits by itself.
  const stopWatching =
    cell.cgroup === undefined
      ? watch({ pid: cell.pid, limits, cgroup: undefined, folders: [], onExceeded: endBy })
      : undefined
  const untilEnded = async (): ReturnType<() => Started['ended']> => {
    const exitCode = await cell.ended
    stopWatching?.()
    if (cell.cgroup?.exceeded().memory === true) limit ??= 'memory'
    return { exitCode, ...(limit !== undefined && { limit }) }
  }
  const ended = untilEnded()
  cell.releaseOpen(command)
  await Promise.race([cell.ready, ended])
  return { stdin: cell.stdin, stdout: cell.stdout, stderr: cell.stderr, ended, kill: cell.kill }
}
