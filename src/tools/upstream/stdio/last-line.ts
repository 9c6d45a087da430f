import { isBlankLine } from '../../../platform/line-splitter.ts'

const newline = 0x0a
/** Of a line; enough for what went wrong. */
const most = 2048

export interface LastLine {
  push(chunk: Buffer): void
  /** The last line that says something, as far as it came; of lines that say little, the last. */
  text(): string | undefined
}

/** Keeps two lines of a stream, however much there is of it. */
export function createLastLine(): LastLine {
  let telling: Buffer = Buffer.alloc(0)
  let complete: Buffer = Buffer.alloc(0)
  let partial: Buffer = Buffer.alloc(0)

  /** The lines of the chunk that are complete, the last first. */
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
        if (partial.length < most) partial = bounded(Buffer.concat([partial, chunk.subarray(0, most)]))
        return
      }
      const lastBreak = chunk.lastIndexOf(newline)
      let isLast = true
      for (const line of linesBack(chunk, firstBreak, lastBreak)) {
        if (isBlankLine(line)) continue
        if (isLast) complete = bounded(line)
        isLast = false
        if (!isTelling(line)) continue
        telling = bounded(line)
        break
      }
      partial = bounded(chunk.subarray(lastBreak + 1))
    },
    text() {
      const last = isBlankLine(partial) ? complete : partial
      const line = isTelling(last) || telling.length === 0 ? last : telling
      return line.length === 0 ? undefined : line.toString('utf8').trim()
    },
  }
}

/** What runtimes print after the message of an error: frames and fields, which are indented, a brace, their version. */
const aftermath = /^(?:[ \t]|[\])}]+[,;]?\s*$|Node\.js v\d)/

function isTelling(line: Buffer): boolean {
  return !isBlankLine(line) && !aftermath.test(line.toString('utf8', 0, 80))
}

/** A copy: a slice would keep all of its chunk alive. */
function bounded(line: Buffer): Buffer {
  return Buffer.from(line.subarray(0, most))
}
