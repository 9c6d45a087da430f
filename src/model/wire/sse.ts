/**
 * Parses server-sent events from a byte stream and preserves their bytes, so that unchanged events pass exactly as
 * received. Concatenating the raw bytes of all events gives the stream.
 */

import { ResponseTooLarge } from './response-too-large.ts'

export interface SseEvent {
  /** All its bytes, including the final empty line. */
  readonly raw: Buffer
  /** The `data` lines joined by line feeds. Absent without any, as in a comment or `retry`. */
  readonly data?: string
}

export interface SseReader {
  /** The events that are complete now. */
  read(chunk: Buffer): SseEvent[]
  /** The remaining event when the stream ends, even without its final empty line. */
  end(): SseEvent[]
}

/** Room for a complete response in one event, which some providers send at the end of a stream. */
const defaultMaxBytes = 32 << 20

const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * Throws ResponseTooLarge for an event of more than `maxBytes`. It could contain a tool input, which must not pass
 * unread, so the response ends there.
 */
export function createSseReader(maxBytes: number = defaultMaxBytes): SseReader {
  let parts: Buffer[] = []
  let length = 0
  /** The current line is empty so far. */
  let isLineEmpty = true
  /** The last byte was a carriage return, so a following line feed is part of the same line end. */
  let isAfterReturn = false
  let isStart = true

  const append = (part: Buffer): void => {
    if (part.length === 0) return
    length += part.length
    if (length > maxBytes)
      throw new ResponseTooLarge(`an event of the model's response is over ${maxBytes} bytes`)
    parts.push(part)
  }
  const finish = (): SseEvent => {
    const raw = parts.length === 1 ? parts[0]! : Buffer.concat(parts, length)
    const event = eventOf(raw, isStart)
    parts = []
    length = 0
    isStart = false
    return event
  }

  return {
    read(chunk) {
      const events: SseEvent[] = []
      let start = 0
      for (let at = 0; at < chunk.length; at += 1) {
        const byte = chunk[at]!
        const isSecondOfLineEnd = byte === lineFeed && isAfterReturn
        isAfterReturn = byte === carriageReturn
        if (isSecondOfLineEnd) continue
        if (byte !== lineFeed && byte !== carriageReturn) {
          isLineEmpty = false
        } else if (!isLineEmpty) {
          isLineEmpty = true
        } else {
          // A carriage return ends the event immediately. If a line feed follows in the next chunk, it starts the
          // next event, where an empty line is ignored.
          const hasLineFeed = isAfterReturn && chunk[at + 1] === lineFeed
          if (hasLineFeed) at += 1
          isAfterReturn &&= !hasLineFeed
          append(chunk.subarray(start, at + 1))
          start = at + 1
          events.push(finish())
        }
      }
      append(chunk.subarray(start))
      return events
    },
    end: () => (length === 0 ? [] : [finish()]),
  }
}

const lineEnd = /\r\n|\n|\r/
const byteOrderMark = '\ufeff'

function eventOf(raw: Buffer, isFirst: boolean): SseEvent {
  const text = raw.toString()
  const lines = (isFirst && text.startsWith(byteOrderMark) ? text.slice(1) : text).split(lineEnd)
  const data: string[] = []
  for (const line of lines) {
    const { field, value } = fieldOf(line)
    if (field === 'data') data.push(value)
  }
  return { raw, ...(data.length > 0 && { data: data.join('\n') }) }
}

function fieldOf(line: string): { field: string; value: string } {
  const colon = line.indexOf(':')
  if (colon === -1) return { field: line, value: '' }
  const start = line[colon + 1] === ' ' ? colon + 2 : colon + 1
  return { field: line.slice(0, colon), value: line.slice(start) }
}

/** The event with different data. Its other lines and its line ends stay. */
export function withData({ raw }: SseEvent, data: string): Buffer {
  const text = raw.toString()
  const end = lineEnd.exec(text.trimStart())?.[0] ?? '\n'
  const lines = text.split(lineEnd)
  const first = lines.findIndex((line) => fieldOf(line).field === 'data')
  const dataLines = data.split(lineEnd).map((line) => `data: ${line}`)
  const changed = lines.flatMap((line, index) => {
    if (fieldOf(line).field !== 'data') return [line]
    return index === first ? dataLines : []
  })
  while (changed.at(-1) === '') changed.pop()
  return Buffer.from([...changed, '', ''].join(end))
}
