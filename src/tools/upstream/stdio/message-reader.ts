import { isBlankLine, splitLines } from '../../../platform/line-splitter.ts'
import { edge, idAtTheEdges, parseSafely, type RequestId } from '../../../platform/message-json.ts'

export interface MessageSink {
  message(value: unknown): void
  /** Called for an unreadable message with this id. */
  onUnreadable(id: RequestId, why: string): void
  /** Called once, as the last call, when the stream is not worth reading any further. */
  onInvalidStream(why: string): void
}

/** Servers print banners and warnings between messages. One that prints only those is no MCP server. */
const maxInvalidMessages = 1000

/** Reads one JSON message per line, from an untrusted program. */
export function readMessages(maxBytes: number, sink: MessageSink): (chunk: Buffer) => void {
  let invalid = 0
  let unfinished = 0
  let isOver = false

  const stop = (why: string): void => {
    if (isOver) return
    isOver = true
    sink.onInvalidStream(why)
  }
  const tooLong = (): void => stop(`it sent a message of more than ${maxBytes} bytes`)
  const split = splitLines(maxBytes, edge, {
    line(bytes) {
      if (isOver || isBlankLine(bytes)) return
      const parsed = parseSafely(bytes)
      if ('value' in parsed && typeof parsed.value === 'object') {
        invalid = 0
        // A batch, which 2025-03-26 allows.
        if (Array.isArray(parsed.value)) parsed.value.forEach(sink.message)
        else sink.message(parsed.value)
        return
      }
      invalid += 1
      if (invalid >= maxInvalidMessages)
        return stop(`it sent ${maxInvalidMessages} lines that are not messages`)
      const id = idAtTheEdges(bytes, bytes)
      if (id !== null && 'error' in parsed) sink.onUnreadable(id, parsed.error.what as string)
    },
    tooLong,
  })

  return (chunk) => {
    if (isOver) return
    split(chunk)
    // The splitter does not report a line before it ends.
    const lastBreak = chunk.lastIndexOf(0x0a)
    unfinished = lastBreak === -1 ? unfinished + chunk.length : chunk.length - lastBreak - 1
    if (unfinished > maxBytes) tooLong()
  }
}
