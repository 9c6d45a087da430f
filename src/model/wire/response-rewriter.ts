/**
 * The part that all providers' rewriters share: handles an event stream, a complete JSON response, or bytes that pass
 * unchanged.
 */

import type { ModelReport, ResponseHead, ResponseRewriter } from '../../core/model.ts'
import { ResponseTooLarge } from './response-too-large.ts'
import { createSseReader, type SseEvent } from './sse.ts'

/** One provider's format for one response. */
export interface ResponseFormat {
  /** The bytes the client receives for this event, and for events held before it. Called in order, one at a time. */
  event(event: SseEvent): Promise<readonly Buffer[]>
  /** What is still held when the stream ends. */
  endOfEvents(): readonly Buffer[]
  /** Rewrites a complete response; returns the same text if nothing changes. */
  whole(text: string): Promise<string>
  report(): ModelReport
}

const maxWholeBytes = 64 << 20

/** Provider errors, and anything other than JSON and events, pass unchanged: tokens in them are not restored. */
export function createResponseRewriter(head: ResponseHead, format: ResponseFormat): ResponseRewriter {
  const type = head.contentType.split(';')[0]!.trim().toLowerCase()
  if (head.status < 200 || head.status > 299) return passing(format)
  if (type === 'text/event-stream') return rewriteEvents(format)
  return type === 'application/json' ? rewriteWhole(format) : passing(format)
}

const noBytes = Buffer.alloc(0)

function passing({ report }: ResponseFormat): ResponseRewriter {
  return { write: async (chunk) => chunk, end: async () => noBytes, report }
}

function rewriteEvents(format: ResponseFormat): ResponseRewriter {
  const reader = createSseReader()
  const bytesFor = async (events: readonly SseEvent[]): Promise<Buffer[]> => {
    const bytes: Buffer[] = []
    for (const event of events) bytes.push(...(await format.event(event)))
    return bytes
  }
  return {
    write: async (chunk) => Buffer.concat(await bytesFor(reader.read(chunk))),
    end: async () => Buffer.concat([...(await bytesFor(reader.end())), ...format.endOfEvents()]),
    report: () => format.report(),
  }
}

function rewriteWhole(format: ResponseFormat): ResponseRewriter {
  const chunks: Buffer[] = []
  let length = 0
  return {
    async write(chunk) {
      length += chunk.length
      if (length > maxWholeBytes)
        throw new ResponseTooLarge(`the model's response is over ${maxWholeBytes} bytes`)
      chunks.push(chunk)
      return noBytes
    },
    async end() {
      const bytes = Buffer.concat(chunks, length)
      const text = bytes.toString()
      const changed = await format.whole(text)
      return changed === text ? bytes : Buffer.from(changed)
    },
    report: () => format.report(),
  }
}
