/** A file that is open to be searched: an ordinary one, whatever a stranger put in its place. */

import { closeSync, constants, fstatSync, openSync, readSync, type PathLike } from 'node:fs'

export interface OpenFile {
  readonly size: number
  /** When it was last changed in any way, in epoch milliseconds; no program can set that. */
  readonly changedMs: number
  /** What there is of this stretch. */
  read(offset: number, length: number): Buffer
  /** In pieces; to the end of the file where no other is given, also if it has grown. */
  chunks(from?: number, to?: number): Iterable<Buffer>
  close(): void
}

const chunkSize = 1_048_576

/** Not through a link, and never waiting for a pipe. Undefined for what is no regular file; throws what `open` throws. */
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
      // One more than there should be shows at once whether that was all.
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
