/**
 * Rewrites a stream without `alt=sse`: one JSON array whose elements arrive one after the other. Each element passes
 * once it is complete.
 */

import type { ResponseRewriter } from '../../core/model.ts'
import type { ResponseFormat } from '../wire/response-rewriter.ts'
import { ResponseTooLarge } from '../wire/response-too-large.ts'

/** The same limit as for an event of a stream. */
const defaultMaxBytes = 32 << 20

const quote = 0x22
const backslash = 0x5c
const openers = new Set([0x5b, 0x7b])
const closers = new Set([0x5d, 0x7d])

/** Bytes between elements pass unchanged. All significant bytes are ASCII, which no other UTF-8 character contains. */
export function rewriteArray(
  format: Pick<ResponseFormat, 'whole' | 'report'>,
  maxBytes: number = defaultMaxBytes,
): ResponseRewriter {
  let depth = 0
  let isInString = false
  let isEscaped = false
  let parts: Buffer[] = []
  let length = 0

  const append = (part: Buffer): void => {
    length += part.length
    if (length > maxBytes)
      throw new ResponseTooLarge(`a part of the model's response is over ${maxBytes} bytes`)
    parts.push(part)
  }
  const element = async (): Promise<Buffer> => {
    const bytes = Buffer.concat(parts, length)
    parts = []
    length = 0
    const text = bytes.toString()
    const changed = await format.whole(text)
    return changed === text ? bytes : Buffer.from(changed)
  }

  return {
    async write(chunk) {
      const output: Buffer[] = []
      let start = 0
      for (const [at, byte] of chunk.entries()) {
        if (isInString) {
          isInString = isEscaped || byte !== quote
          isEscaped = !isEscaped && byte === backslash
        } else if (byte === quote) {
          isInString = true
        } else if (openers.has(byte)) {
          depth += 1
          if (depth === 2) {
            output.push(chunk.subarray(start, at))
            start = at
          }
        } else if (closers.has(byte)) {
          depth -= 1
          if (depth === 1) {
            append(chunk.subarray(start, at + 1))
            output.push(await element())
            start = at + 1
          }
        }
      }
      const rest = chunk.subarray(start)
      if (depth > 1) append(rest)
      else output.push(rest)
      return Buffer.concat(output)
    },
    // An incomplete element passes unchanged: the client runs no tool with it.
    end: async () => Buffer.concat(parts, length),
    report: () => format.report(),
  }
}
