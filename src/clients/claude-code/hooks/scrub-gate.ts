/**
 * Buffers a command's output on its way to the model. Short output passes at once when the command has ended; long
 * output, and that of a command that pauses, passes in parts that end with a complete line.
 */

export interface OutputPart {
  /** The text just before this part. */
  readonly before: string
  readonly text: string
}

export interface OutputGate {
  add(text: string): void
  /** Number of buffered characters. */
  readonly size: number
  /** The part that can pass now; undefined if nothing can. */
  take(when: 'full' | 'quiet' | 'end'): OutputPart | undefined
}

/** How far back the scrubber looks for the context of a value. */
const lookBack = 4096
/** How much of a long output is retained: a secret that starts before the cut may extend this far. */
const lookAhead = 16_384
export const fullAt = 524_288
/** An incomplete key block is retained up to this length. */
const maxBlockLength = 65_536

export function createOutputGate(): OutputGate {
  let held = ''
  let before = ''
  return {
    add(text) {
      held += text
    },
    get size() {
      return held.length
    },
    take(when) {
      const end = endOf(held, when)
      if (end === 0) return undefined
      const part = { before, text: held.slice(0, end) }
      before = (before + part.text).slice(-lookBack)
      held = held.slice(end)
      return part
    },
  }
}

function endOf(held: string, when: 'full' | 'quiet' | 'end'): number {
  if (when === 'end') return held.length
  if (when === 'full' && held.length < fullAt) return 0
  const maxEnd = when === 'full' ? held.length - lookAhead : held.length
  const line = held.lastIndexOf('\n', maxEnd - 1) + 1
  const end = line === 0 && when === 'full' ? betweenWords(held, maxEnd) : line
  const block = openBlock(held.slice(0, end))
  return block === undefined || end - block > maxBlockLength ? end : block
}

/** The last position before `maxEnd` that does not split a value, if there is one nearby. */
function betweenWords(held: string, maxEnd: number): number {
  for (let at = maxEnd; at > maxEnd - lookAhead; at -= 1)
    if (/[\s"'`,;<>()[\]{}|]/.test(held[at - 1]!)) return at
  return maxEnd
}

/** The start of the line with an unterminated key block. */
function openBlock(text: string): number | undefined {
  const begin = text.lastIndexOf('-----BEGIN ')
  if (begin === -1 || text.indexOf('-----END ', begin) !== -1) return undefined
  return text.lastIndexOf('\n', begin) + 1
}
