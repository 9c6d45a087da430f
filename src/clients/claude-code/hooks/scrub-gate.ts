/**
 * The output of a command on its way to the model. A short one passes as a whole, when the command has ended; a long one
 * in parts that end with a line, and so does that of a command which goes on but has said nothing new for a moment.
 */

export interface OutputPart {
  /** What was passed on just before. */
  readonly before: string
  readonly text: string
}

export interface OutputGate {
  add(text: string): void
  /** How much waits. */
  readonly size: number
  /** The part that can pass now; undefined where there is none. */
  take(when: 'full' | 'quiet' | 'end'): OutputPart | undefined
}

/** As far back as the scrubber looks for what speaks for a value. */
const lookBack = 4096
/** What stays behind of a long output: a secret that begins before the cut may reach this far. */
const lookAhead = 16_384
export const fullAt = 524_288
/** A key that has begun is waited for, up to this length. */
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
  const most = when === 'full' ? held.length - lookAhead : held.length
  const line = held.lastIndexOf('\n', most - 1) + 1
  const end = line === 0 && when === 'full' ? betweenWords(held, most) : line
  const block = openBlock(held.slice(0, end))
  return block === undefined || end - block > maxBlockLength ? end : block
}

/** The last place before `most` where no value is cut in two, if there is one nearby. */
function betweenWords(held: string, most: number): number {
  for (let at = most; at > most - lookAhead; at -= 1) if (/[\s"'`,;<>()[\]{}|]/.test(held[at - 1]!)) return at
  return most
}

/** Where the line begins with which a key has begun that has not ended yet. */
function openBlock(text: string): number | undefined {
  const begin = text.lastIndexOf('-----BEGIN ')
  if (begin === -1 || text.indexOf('-----END ', begin) !== -1) return undefined
  return text.lastIndexOf('\n', begin) + 1
}
