/** Scrubs a text that arrives in chunks. */

import { lookAhead, lookBack, pieceLength } from '../text/segments.ts'
import type { Scrubbed } from './scrubbed.ts'
import type { ScrubbedPieces } from './text-scrubber.ts'

/**
 * A text that arrives in chunks. Each call returns the text that is safe to pass on so far; offsets of findings are those
 * in the whole stream.
 *
 * @example
 * import { createScrubber, type ScrubStream } from '@contextd/scrub'
 *
 * const stream: ScrubStream = createScrubber().stream({ session: 'build-7' })
 * for (const chunk of ['two ', 'chunks\n']) process.stdout.write(stream.write(chunk).text)
 * process.stdout.write(stream.end().text)
 */
export interface ScrubStream {
  write(chunk: string): Scrubbed
  end(): Scrubbed
}

/** `scrubPieces` scrubs the pieces of a text from an offset on; if it has not ended, only those that are complete. */
export function createScrubStream(
  scrubPieces: (text: string, from: number, ended: boolean) => ScrubbedPieces,
): ScrubStream {
  let held = ''
  /** How much of `held` has been returned already, and the offset of `held` in the stream. */
  let done = 0
  let offset = 0

  const advance = (ended: boolean): Scrubbed => {
    const { pieces, to } = scrubPieces(held, done, ended)
    const shift = offset
    const keepFrom = Math.max(0, to - lookBack)
    held = held.slice(keepFrom)
    offset += keepFrom
    done = to - keepFrom
    return {
      text: pieces.text,
      findings: pieces.findings.map(({ rule, start, end, token }) => ({
        rule,
        start: start + shift,
        end: end + shift,
        token,
      })),
    }
  }
  return {
    write(chunk) {
      held += chunk
      return held.length - done < pieceLength + lookAhead ? { text: '', findings: [] } : advance(false)
    },
    end: () => advance(true),
  }
}
