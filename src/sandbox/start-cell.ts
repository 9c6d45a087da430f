import type { Cell } from './cell.ts'
import type { Command, Confinement, LimitName, SandboxLimits, Started } from './sandbox.ts'
import { watch } from './watchdog.ts'

/** Longer than anything runs. */
const tenYears = 10 * 365 * 24 * 3600

/**
 * What holds for a program that runs on. Time and processor time would end the best of them one day, and so would the
 * number of files it made; the folders it may write to grow by the work of others too.
 */
export function withoutEnd({ limits, ...rest }: Confinement): Confinement {
  return { ...rest, limits: { ...limits, cpuSeconds: tenYears, diskFiles: Number.MAX_SAFE_INTEGER } }
}

/** Gives the cell a command that runs on. Resolves once it began, or ended before it could. */
export async function startInCell(cell: Cell, command: Command, limits: SandboxLimits): Promise<Started> {
  let limit: LimitName | undefined
  const endBy = (name: LimitName): void => {
    limit ??= name
    cell.kill()
  }
  // A cgroup needs nobody who looks.
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
  await Promise.race([cell.stands, ended])
  return { stdin: cell.stdin, stdout: cell.stdout, stderr: cell.stderr, ended, kill: cell.kill }
}
