import { isBlankLine, splitLines } from '../../../platform/line-splitter.ts'
import { edge, idAtTheEdges, parseSafely, type RequestId } from '../../../platform/message-json.ts'

export interface MessageSink {
  message(value: unknown): void
  /** A message with this id that cannot be read. */
  onUnreadable(id: RequestId, why: string): void
  /** What comes is not worth reading any more. Called once, and nothing after it. */
  giveUp(why: string): void
}

/** Servers print banners and warnings where only messages belong. One that prints nothing else is no server. */
const maxInvalidMessages = 1000

/** One JSON message a line, from a program that nobody vouches for. */
export function readMessages(maxBytes: number, sink: MessageSink): (chunk: Buffer) => void {
  let nonsense = 0
  let unfinished = 0
  let isOver = false

  const giveUp = (why: string): void => {
    if (isOver) return
    isOver = true
    sink.giveUp(why)
  }
  const tooLong = (): void => giveUp(`it sent a message of more than ${maxBytes} bytes`)
  const split = splitLines(maxBytes, edge, {
    line(bytes) {
      if (isOver || isBlankLine(bytes)) return
      const parsed = parseSafely(bytes)
      if ('value' in parsed && typeof parsed.value === 'object') {
        nonsense = 0
        // Several at once, as 2025-03-26 allows.
        if (Array.isArray(parsed.value)) parsed.value.forEach(sink.message)
        else sink.message(parsed.value)
        return
      }
      nonsense += 1
      if (nonsense >= maxInvalidMessages)
        return giveUp(`it sent ${maxInvalidMessages} lines that are no messages`)
      const id = idAtTheEdges(bytes, bytes)
      if (id !== null && 'error' in parsed) sink.onUnreadable(id, parsed.error.what as string)
    },
    tooLong,
  })

  return (chunk) => {
    if (isOver) return
    split(chunk)
    // A line that never ends is never handed on.
    const lastBreak = chunk.lastIndexOf(0x0a)
    unfinished = lastBreak === -1 ? unfinished + chunk.length : chunk.length - lastBreak - 1
    if (unfinished > maxBytes) tooLong()
  }
}
