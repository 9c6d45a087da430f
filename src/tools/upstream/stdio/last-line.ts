const newline = 0x0a
/** Of a line; enough for what went wrong. */
const most = 2048

export interface LastLine {
  push(chunk: Buffer): void
  /** The last line that is not empty, as far as it came. */
  text(): string | undefined
}

/** Keeps one line of a stream, however much there is of it. */
export function createLastLine(): LastLine {
  let complete: Buffer = Buffer.alloc(0)
  let partial: Buffer = Buffer.alloc(0)

  const lastFullLine = (chunk: Buffer, firstBreak: number, lastBreak: number): Buffer => {
    for (let end = lastBreak; end > firstBreak;) {
      const before = chunk.lastIndexOf(newline, end - 1)
      const line = chunk.subarray(before + 1, end)
      if (!isBlank(line)) return line
      end = before
    }
    return Buffer.concat([partial, chunk.subarray(0, firstBreak)])
  }

  return {
    push(chunk) {
      const firstBreak = chunk.indexOf(newline)
      if (firstBreak === -1) {
        if (partial.length < most) partial = bounded(Buffer.concat([partial, chunk.subarray(0, most)]))
        return
      }
      const lastBreak = chunk.lastIndexOf(newline)
      const line = lastFullLine(chunk, firstBreak, lastBreak)
      if (!isBlank(line)) complete = bounded(line)
      partial = bounded(chunk.subarray(lastBreak + 1))
    },
    text() {
      const line = isBlank(partial) ? complete : partial
      return line.length === 0 ? undefined : line.toString('utf8').trim()
    },
  }
}

/** A copy: a slice would keep all of its chunk alive. */
function bounded(line: Buffer): Buffer {
  return Buffer.from(line.subarray(0, most))
}

export function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
}
