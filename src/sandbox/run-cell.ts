import { ContextdError } from '../core/errors/errors.ts'
import type { Cell } from './cell.ts'
import { guardAbsent } from './guard.ts'
import type { Command, Confinement, Ended, LimitName, RunOptions } from './sandbox.ts'
import { watch } from './watchdog.ts'

const progressEveryMs = 1000

/** What the kernel ends a process with at a limit of its own, as a shell says it. */
const limitSignals: Readonly<Record<number, LimitName>> = { 152: 'cpu', 153: 'file_size' }

/** Gives the cell its command and stays with it to the end. Throws what the signal was aborted with. */
export async function runInCell(
  cell: Cell,
  command: Command,
  { folders, guarded, limits }: Confinement,
  { signal, onProgress }: RunOptions,
): Promise<Ended> {
  const began = performance.now()
  const elapsed = (): number => performance.now() - began
  let limit: LimitName | undefined
  const endBy = (name: LimitName): void => {
    limit ??= name
    cell.kill()
  }

  const output = collectOutput(cell, limits.outputBytes, () => endBy('output'))
  const writable = folders.filter(({ access }) => access === 'write').map(({ path }) => path)
  const guard = guardAbsent(writable, guarded, cell.kill)
  const timer = setTimeout(() => endBy('time'), limits.timeMs)
  const ticker =
    onProgress &&
    setInterval(() => onProgress({ elapsedMs: elapsed(), outputBytes: output.size() }), progressEveryMs)
  const stopWatching = watch({
    pid: cell.pid,
    limits,
    cgroup: cell.cgroup,
    folders: writable,
    onExceeded: endBy,
  })
  signal?.addEventListener('abort', cell.kill, { once: true })
  try {
    if (signal?.aborted) cell.kill()
    else cell.release(command)
    const exitCode = await cell.ended
    signal?.throwIfAborted()
    limit ??= metLimit(stopWatching(), exitCode)
    return {
      exitCode,
      ...(limit !== undefined && { limit }),
      ...output.texts(),
      durationMs: elapsed(),
      movedAside: guard.end(),
    }
  } finally {
    clearTimeout(timer)
    clearInterval(ticker)
    stopWatching()
    signal?.removeEventListener('abort', cell.kill)
    guard.end()
  }
}

/**
 * A command that did all it should in spite of a limit was not stopped by it. For want of memory a process was killed,
 * though, and the command may not even know: `killed | tail` ends with 0 and says nothing.
 */
function metLimit(seen: LimitName | undefined, exitCode: number): LimitName | undefined {
  if (seen === 'memory') return seen
  return exitCode === 0 ? undefined : (seen ?? limitSignals[exitCode])
}

/** The folder to run in was not there, or not to be seen inside: the same to whoever asked. */
export function refuseMissingFolder(cell: Cell): void {
  if (cell.progress() === 'no folder') {
    throw new ContextdError('PATH_NOT_GRANTED', { agent: 'of this call', action: 'run commands in' })
  }
}

interface Output {
  size(): number
  texts(): Pick<Ended, 'stdout' | 'stderr'>
}

/** Both streams up to so many bytes together; what is beyond is dropped, and whoever writes it ended. */
function collectOutput({ stdout, stderr }: Cell, most: number, onFull: () => void): Output {
  let size = 0
  const collect = (stream: Cell['stdout']): Buffer[] => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => {
      const room = most - size
      if (room > 0) chunks.push(chunk.subarray(0, room))
      size += chunk.length
      if (size > most) onFull()
    })
    return chunks
  }
  const out = collect(stdout)
  const err = collect(stderr)
  return {
    size: () => Math.min(size, most),
    texts: () => ({ stdout: Buffer.concat(out), stderr: Buffer.concat(err) }),
  }
}
