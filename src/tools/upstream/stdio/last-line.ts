import { isBlankLine } from '../../../platform/line-splitter.ts'

const newline = 0x0a
/** Max bytes of a line. */
const maxBytes = 2048

export interface LastLine {
  push(chunk: Buffer): void
  /** The last informative line (complete or not), else the last line. */
  text(): string | undefined
}

/** Remembers at most three lines of the stream. */
export function createLastLine(): LastLine {
  let informative: Buffer = Buffer.alloc(0)
  let complete: Buffer = Buffer.alloc(0)
  let partial: Buffer = Buffer.alloc(0)

  /** The complete lines of the chunk, last first. */
  function* linesBack(chunk: Buffer, firstBreak: number, lastBreak: number): Generator<Buffer> {
    for (let end = lastBreak; end > firstBreak;) {
      const before = chunk.lastIndexOf(newline, end - 1)
      yield chunk.subarray(before + 1, end)
      end = before
    }
    yield Buffer.concat([partial, chunk.subarray(0, firstBreak)])
  }

  return {
    push(chunk) {
      const firstBreak = chunk.indexOf(newline)
      if (firstBreak === -1) {
        if (partial.length < maxBytes)
          partial = bounded(Buffer.concat([partial, chunk.subarray(0, maxBytes)]))
        return
      }
      const lastBreak = chunk.lastIndexOf(newline)
      let isLast = true
      for (const line of linesBack(chunk, firstBreak, lastBreak)) {
        if (isBlankLine(line)) continue
        if (isLast) complete = bounded(line)
        isLast = false
        if (!isInformative(line)) continue
        informative = bounded(line)
        break
      }
      partial = bounded(chunk.subarray(lastBreak + 1))
    },
    text() {
      const last = isBlankLine(partial) ? complete : partial
      const line = isInformative(last) || informative.length === 0 ? last : informative
      return line.length === 0 ? undefined : line.toString('utf8').trim()
    },
  }
}

/** What runtimes print after an error message: indented stack frames and fields, a closing brace, their version. */
const errorTrailer = /^(?:[ \t]|[\])}]+[,;]?\s*$|Node\.js v\d)/

function isInformative(line: Buffer): boolean {
  return !isBlankLine(line) && !errorTrailer.test(line.toString('utf8', 0, 80))
}

/** Copies, because a slice would keep the whole chunk in memory. */
function bounded(line: Buffer): Buffer {
  return Buffer.from(line.subarray(0, maxBytes))
}
