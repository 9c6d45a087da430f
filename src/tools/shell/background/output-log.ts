/**
 * The most recent output of a command that keeps running. Only whole lines can be read, because a secret that is still
 * being written cannot be recognized yet. Pure.
 */

export interface OutputLog {
  append(stream: 'stdout' | 'stderr', chunk: Uint8Array): void
  /** Nothing follows, so the last lines are complete. */
  end(): void
  /** Whole lines from the one that contains byte `since`; at least one line, if there is any. */
  read(since: number, maxBytes: number): LoggedOutput
}

export interface LoggedOutput {
  /** Offsets in everything that was ever written. */
  readonly from: number
  readonly next: number
  /** Where the output that can be read now ends. */
  readonly end: number
  readonly text: string
  /** The text with what is before and after it: for recognizing secrets of several lines. */
  readonly around: string
}

export interface OutputLogOptions {
  readonly maxBytes: number
  /** Bytes before and after a part that are checked with it. */
  readonly aroundBytes: number
}

/** A longer line is stored in pieces; the other stream waits for its end, up to as many bytes. */
const maxHeldBytes = 65_536
const maxAddedBytes = 262_144
const maxAddedParts = 4096
const newline = 0x0a

export function createOutputLog({ maxBytes, aroundBytes }: OutputLogOptions): OutputLog {
  let stored = Buffer.alloc(0)
  /** The offset of the first stored byte. */
  let start = 0
  let isEnded = false
  const held = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) }
  /** The stream whose last line is stored in part. */
  let openLine: 'stdout' | 'stderr' | undefined

  /** Not yet in `stored`, because joining costs as much as all of it. */
  let added: Buffer[] = []
  let addedBytes = 0

  const store = (bytes: Buffer): void => {
    added.push(bytes)
    addedBytes += bytes.length
    if (addedBytes > maxAddedBytes || added.length > maxAddedParts) join()
  }
  const join = (): void => {
    stored = Buffer.concat([stored, ...added])
    added = []
    addedBytes = 0
    const excess = stored.length - maxBytes - aroundBytes
    if (excess <= 0) return
    // Copied, so that the rest can be freed.
    stored = Buffer.from(stored.subarray(excess))
    start += excess
  }
  /** The first byte that can still be read: what is before it is only for checking. */
  const firstReadable = (): number => (start === 0 ? 0 : lineAfter(stored, aroundBytes))
  const lastReadable = (): number =>
    isEnded ? stored.length : beforeOpenKey(stored, stored.lastIndexOf(newline) + 1, aroundBytes)

  const append = (stream: 'stdout' | 'stderr', chunk: Uint8Array): void => {
    const bytes = Buffer.concat([held[stream], chunk])
    const lines = bytes.lastIndexOf(newline) + 1
    const isWaiting = openLine !== undefined && openLine !== stream && bytes.length <= maxHeldBytes
    const whole = isWaiting ? 0 : bytes.length - lines > maxHeldBytes ? bytes.length : lines
    held[stream] = bytes.subarray(whole)
    if (whole === 0) return
    store(bytes.subarray(0, whole))
    openLine = bytes[whole - 1] === newline ? undefined : stream
    const other = stream === 'stdout' ? 'stderr' : 'stdout'
    if (openLine === undefined && held[other].length > 0) append(other, Buffer.alloc(0))
  }

  return {
    append,
    end() {
      // The rest of a line that is stored in part comes first.
      store(held[openLine ?? 'stdout'])
      store(held[openLine === 'stderr' ? 'stdout' : 'stderr'])
      isEnded = true
    },
    read(since, maxPart) {
      join()
      const end = lastReadable()
      const first = Math.min(firstReadable(), end)
      const wanted = Math.min(Math.max(since - start, first), end)
      const from = Math.max(first, stored.lastIndexOf(newline, wanted - 1) + 1)
      const lineStart = wanted === 0 || wanted === end ? wanted : from
      const cut = stored.lastIndexOf(newline, lineStart + maxPart - 1) + 1
      const to =
        end - lineStart <= maxPart ? end : cut > lineStart ? cut : Math.min(end, lineAfter(stored, lineStart))
      return {
        from: start + lineStart,
        next: start + to,
        end: start + end,
        text: stored.toString('utf8', lineStart, to),
        around: stored.toString('utf8', Math.max(0, lineStart - aroundBytes), to + aroundBytes),
      }
    },
  }
}

function lineAfter(bytes: Buffer, at: number): number {
  const found = bytes.indexOf(newline, at)
  return found === -1 ? bytes.length : found + 1
}

/** Holds back a key of several lines until its last line is written. */
function beforeOpenKey(bytes: Buffer, end: number, maxBytes: number): number {
  const begin = end === 0 ? -1 : bytes.lastIndexOf('-----BEGIN', end - 1)
  if (begin === -1 || end - begin > maxBytes) return end
  const close = bytes.indexOf('-----END', begin)
  return close !== -1 && close < end ? end : bytes.lastIndexOf(newline, begin) + 1
}
