/** Opens regular files only, whatever an attacker may have put in their place. */

import { closeSync, constants, fstatSync, openSync, readSync, type PathLike } from 'node:fs'

export interface OpenFile {
  readonly size: number
  /** Time of the last inode change in epoch milliseconds, which programs cannot set. */
  readonly changedMs: number
  /** The bytes of this range, fewer at the end of the file. */
  read(offset: number, length: number): Buffer
  /** Reads in chunks up to `to`, by default to the end of the file even if it has grown. */
  chunks(from?: number, to?: number): Iterable<Buffer>
  close(): void
}

const chunkSize = 1_048_576

/** Does not follow a link or block on a pipe. Undefined for anything but a regular file; throws what `open` throws. */
export function openFile(path: PathLike): OpenFile | undefined {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  const stat = fstatSync(file)
  if (!stat.isFile()) {
    closeSync(file)
    return undefined
  }
  const read = (offset: number, length: number): Buffer => {
    const buffer = Buffer.allocUnsafe(Math.max(0, length))
    let filled = 0
    while (filled < buffer.length) {
      const count = readSync(file, buffer, filled, buffer.length - filled, offset + filled)
      if (count === 0) break
      filled += count
    }
    return buffer.subarray(0, filled)
  }
  return {
    size: stat.size,
    changedMs: stat.ctimeMs,
    read,
    *chunks(from = 0, to = Infinity) {
      // One byte more than expected, to detect the end of the file in the first read.
      let wanted = Math.min(chunkSize, Math.max(stat.size - from, 0) + 1)
      for (let at = from; at < to;) {
        const asked = Math.min(wanted, to - at)
        const chunk = read(at, asked)
        if (chunk.length > 0) yield chunk
        if (chunk.length < asked) return
        at += chunk.length
        wanted = chunkSize
      }
    },
    close: () => closeSync(file),
  }
}
