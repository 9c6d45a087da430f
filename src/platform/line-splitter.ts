/** Receives the lines of a splitter. */
export interface LineSink {
  line(bytes: Buffer): void
  /** A line that exceeded the limit, with its first and last bytes. */
  tooLong(head: Buffer, tail: Buffer): void
}

const newline = 0x0a

/**
 * Splits a byte stream into lines of at most `maxBytes`. Of a longer line, only `edge` bytes at either end are kept,
 * so that a client cannot exhaust memory. A last line without newline is an incomplete message and is dropped.
 */
export function splitLines(maxBytes: number, edge: number, sink: LineSink): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let length = 0
  let head: Buffer | undefined
  let tail: Buffer = Buffer.alloc(0)

  const take = (piece: Buffer): void => {
    length += piece.length
    if (head === undefined) {
      parts.push(piece)
      if (length <= maxBytes) return
      const start = Buffer.concat(parts)
      // Copies, because a slice would keep the whole line in memory.
      head = Buffer.from(start.subarray(0, edge))
      tail = Buffer.from(start.subarray(-edge))
      parts = []
    } else {
      tail = Buffer.from(Buffer.concat([tail, piece.subarray(-edge)]).subarray(-edge))
    }
  }

  const finish = (): void => {
    if (head === undefined) sink.line(parts.length === 1 ? parts[0]! : Buffer.concat(parts))
    else sink.tooLong(head, tail)
    parts = []
    length = 0
    head = undefined
  }

  return (chunk) => {
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      take(chunk.subarray(start, end))
      finish()
      start = end + 1
    }
    if (start < chunk.length) take(chunk.subarray(start))
  }
}

/** Contains nothing but spaces, tabs and carriage returns. */
export function isBlankLine(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
}
