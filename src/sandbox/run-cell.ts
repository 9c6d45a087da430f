import { ContextdError } from '../core/errors/errors.ts'
import type { Cell } from './cell.ts'
import { guardAbsent } from './guard.ts'
import type { Command, Confinement, Ended, LimitName, RunOptions } from './sandbox.ts'
import { watch } from './watchdog.ts'

const progressEveryMs = 1000

/** The exit codes, as in a shell, of processes that the kernel ends at a limit. */
const limitSignals: Readonly<Record<number, LimitName>> = { 152: 'cpu', 153: 'file_size' }

/** Sends the cell its command and waits for its end. Throws the signal's abort reason. */
export async function runInCell(
  cell: Cell,
  command: Command,
  { folders, guarded, limits, caches = [] }: Confinement,
  { signal, onProgress, onOutput }: RunOptions,
): Promise<Ended> {
  const began = performance.now()
  const elapsed = (): number => performance.now() - began
  let limit: LimitName | undefined
  const endBy = (name: LimitName): void => {
    limit ??= name
    cell.kill()
  }

  const output =
    onOutput === undefined
      ? collectOutput(cell, limits.outputBytes, () => endBy('output'))
      : passOn(cell, onOutput)
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
    folders: [...writable, ...caches.map(({ source }) => source)],
    onExceeded: endBy,
  })
  signal?.addEventListener('abort', cell.kill, { once: true })
  try {
    if (signal?.aborted) cell.kill()
    else cell.release(command)
    const exitCode = await cell.ended
    signal?.throwIfAborted()
    limit ??= limitReached(stopWatching(), exitCode)
    return {
      exitCode,
      ...(limit !== undefined && { limit }),
      ...output.texts(),
      durationMs: elapsed(),
      movedAside: guard.end(),
      refusedRequests: cell.refusedRequests(),
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
 * A command that succeeded despite a limit was not stopped by it. Memory is different: a process was killed, and the
 * command may not notice, as in `killed | tail`, which exits with 0.
 */
function limitReached(seen: LimitName | undefined, exitCode: number): LimitName | undefined {
  if (seen === 'memory') return seen
  return exitCode === 0 ? undefined : (seen ?? limitSignals[exitCode])
}

/** The working folder does not exist or is not visible inside: the same for the caller. */
export function refuseMissingFolder(cell: Cell): void {
  if (cell.progress() === 'no folder') {
    throw new ContextdError('PATH_NOT_GRANTED', { agent: 'of this call', action: 'run commands in' })
  }
}

interface Output {
  size(): number
  texts(): Pick<Ended, 'stdout' | 'stderr'>
}

/** Reads no faster than this; a command that prints more waits. Otherwise, reading would take all of our time. */
const maxBytesPerWindow = 512 << 10
const windowMs = 100

function passOn({ stdout, stderr }: Cell, onOutput: NonNullable<RunOptions['onOutput']>): Output {
  let size = 0
  let windowSize = 0
  let timer: NodeJS.Timeout | undefined
  const streams = { stdout, stderr }
  const nextWindow = (): void => {
    timer = undefined
    windowSize = 0
    for (const stream of Object.values(streams)) stream.resume()
  }
  for (const [name, stream] of Object.entries(streams) as ['stdout' | 'stderr', Cell['stdout']][]) {
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length
      windowSize += chunk.length
      onOutput(name, chunk)
      timer ??= setTimeout(nextWindow, windowMs)
      if (windowSize > maxBytesPerWindow) for (const each of Object.values(streams)) each.pause()
    })
  }
  const nothing = Buffer.alloc(0)
  return { size: () => size, texts: () => ({ stdout: nothing, stderr: nothing }) }
}

/** Both streams, up to so many bytes together; the rest is dropped, and the command ended. */
function collectOutput({ stdout, stderr }: Cell, maxBytes: number, onFull: () => void): Output {
  let size = 0
  const collect = (stream: Cell['stdout']): Buffer[] => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => {
      const room = maxBytes - size
      if (room > 0) chunks.push(chunk.subarray(0, room))
      size += chunk.length
      if (size > maxBytes) onFull()
    })
    return chunks
  }
  const out = collect(stdout)
  const err = collect(stderr)
  return {
    size: () => Math.min(size, maxBytes),
    texts: () => ({ stdout: Buffer.concat(out), stderr: Buffer.concat(err) }),
  }
}
