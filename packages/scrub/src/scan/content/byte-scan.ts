/** Scans bytes as text: UTF-8, UTF-16 with or without a byte order mark, or the printable parts of a binary. */

import { createStringsReader } from './printable-strings.ts'
import type { Search } from './search-text.ts'
import { createTextScan, nothingFound, type LocatedSecret, type TextScanResult } from './text-scan.ts'

export interface ByteScan {
  push(bytes: Uint8Array): TextScanResult
  end(): TextScanResult
  /** Whether offsets are in bytes. A binary has no lines; all of it is line 1. */
  isBinary(): boolean
}

/** Enough bytes to detect the type. */
export const sniffLength = 8192

type Kind = 'utf-8' | 'utf-16le' | 'utf-16be' | 'binary'

export function createByteScan(search: Search, firstLine = 1): ByteScan {
  const scan = createTextScan(search, firstLine)
  let head: Uint8Array[] | undefined = []
  let headLength = 0
  let reader: Reader | undefined
  let kind: Kind = 'utf-8'

  const begin = (): TextScanResult => {
    const first = Buffer.concat(head ?? [])
    head = undefined
    kind = sniff(first)
    reader = readerFor(kind)
    return read(first, reader)
  }
  const read = (bytes: Uint8Array, reader: Reader): TextScanResult => {
    if (kind !== 'binary' && kind !== 'utf-8') return scan.push(reader.push(bytes))
    return concatResults(
      splitAtZeros(bytes).map((part) =>
        typeof part === 'number'
          ? concatResults([scan.push(reader.end()), scan.skip(part)])
          : scan.push(reader.push(part)),
      ),
    )
  }
  const located = ({ found, allowed }: TextScanResult): TextScanResult =>
    kind === 'binary' ? { found: found.map(asSingleLine), allowed } : { found, allowed }

  return {
    push(bytes) {
      if (reader !== undefined) return located(read(bytes, reader))
      head?.push(Buffer.from(bytes))
      headLength += bytes.length
      return headLength < sniffLength ? nothingFound : located(begin())
    },
    end() {
      const first = reader === undefined ? begin() : undefined
      const rest = scan.push(reader?.end() ?? '')
      const last = scan.end()
      return located(concatResults([...(first ? [first] : []), rest, last]))
    },
    isBinary: () => kind === 'binary',
  }
}

function concatResults(results: readonly TextScanResult[]): TextScanResult {
  return {
    found: results.flatMap(({ found }) => found),
    allowed: results.flatMap(({ allowed }) => allowed),
  }
}

const zeroBlock = Buffer.alloc(16_384)

/**
 * The bytes in order, with long runs of zeros replaced by their length: disk images and sparse files are full of them.
 */
function splitAtZeros(bytes: Uint8Array): (Uint8Array | number)[] {
  const parts: (Uint8Array | number)[] = []
  let from = 0
  for (let at = 0; at + zeroBlock.length <= bytes.length; at += zeroBlock.length) {
    if (bytes[at] !== 0 || zeroBlock.compare(bytes, at, at + zeroBlock.length) !== 0) continue
    if (at > from) parts.push(bytes.subarray(from, at))
    const last = parts.at(-1)
    if (typeof last === 'number') parts[parts.length - 1] = last + zeroBlock.length
    else parts.push(zeroBlock.length)
    from = at + zeroBlock.length
  }
  return from === 0 ? [bytes] : [...parts, bytes.subarray(from)]
}

interface Reader {
  push(bytes: Uint8Array): string
  end(): string
}

function readerFor(kind: Kind): Reader {
  if (kind === 'binary') return createStringsReader()
  const decoder = new TextDecoder(kind)
  return { push: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() }
}

function sniff(bytes: Uint8Array): Kind {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const head = bytes.subarray(0, sniffLength)
  if (!head.includes(0)) return 'utf-8'
  let even = 0
  let odd = 0
  for (let at = 0; at < head.length; at++) {
    if (head[at] !== 0) continue
    if (at % 2 === 0) even++
    else odd++
  }
  // In UTF-16 text in Latin script, almost all zero bytes are in the same half of each pair.
  const pairs = head.length / 2
  if (odd > pairs * 0.6 && even < pairs * 0.05) return 'utf-16le'
  if (even > pairs * 0.6 && odd < pairs * 0.05) return 'utf-16be'
  return 'binary'
}

function asSingleLine(found: LocatedSecret): LocatedSecret {
  const { start, end } = found
  return { ...found, line: 1, column: start + 1, endLine: 1, endColumn: end + 1, matchLine: 1 }
}
