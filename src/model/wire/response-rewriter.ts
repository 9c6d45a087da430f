/** What every provider's rewriter shares: a stream of events, a whole JSON response, or bytes that pass as they are. */

import type { ModelReport, ResponseHead, ResponseRewriter } from '../../core/model.ts'
import { ResponseTooLarge } from './response-too-large.ts'
import { createSseReader, type SseEvent } from './sse.ts'

/** One provider's format, for one response. */
export interface ResponseFormat {
  /** The bytes the client gets for this event, and for events held before it. Called in order, one at a time. */
  event(event: SseEvent): Promise<readonly Buffer[]>
  /** What is still held when the stream ends. */
  endOfEvents(): readonly Buffer[]
  /** A whole response; the same text where nothing changes. */
  whole(text: string): Promise<string>
  report(): ModelReport
}

const maxWholeBytes = 64 << 20

/** Errors of the provider, and anything that is neither JSON nor events, pass as they are: tokens in them stay tokens. */
export function createResponseRewriter(head: ResponseHead, format: ResponseFormat): ResponseRewriter {
  const type = head.contentType.split(';')[0]!.trim().toLowerCase()
  if (head.status < 200 || head.status > 299) return passing(format)
  if (type === 'text/event-stream') return rewriteEvents(format)
  return type === 'application/json' ? rewriteWhole(format) : passing(format)
}

const nothing = Buffer.alloc(0)

function passing({ report }: ResponseFormat): ResponseRewriter {
  return { write: async (chunk) => chunk, end: async () => nothing, report }
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
      return nothing
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
