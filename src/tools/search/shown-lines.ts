/** Shows found lines as `path:line:text`, masking parts of secrets as `safe_read` does. */

import { join } from 'node:path'

import { CodedError } from '../../core/errors/errors.ts'
import type { ToolHost } from '../../core/ports.ts'
import { decodeText, fileKind, headBytes } from '../../platform/files/file-kind.ts'
import { openForRead, type ReadableFile } from '../files/confined-file.ts'
import { maskParts, surroundingBytes } from '../files/secret-parts.ts'
import { maxLineBytes, shownName, type FoundLine, type SearchedFile, type SearchPlace } from './search.ts'

/** The beginning of a file whose lines have no byte positions, because they were decoded. */
const maxDecodedBytes = 1_048_576

/** Empty if the file can no longer be read. */
export async function showLines(
  { name, lines }: SearchedFile,
  place: SearchPlace,
  scrub: ToolHost['scrub'],
): Promise<string[]> {
  try {
    const file = await openForRead(join(place.folder, name), place.access)
    try {
      const texts = await maskLines(file, lines, scrub)
      return lines.map(({ number, isMatch }, index) => {
        const mark = isMatch ? ':' : '-'
        return `${shownName(name, place)}${mark}${number}${mark}${texts[index]!}`
      })
    } finally {
      file.close()
    }
  } catch (error) {
    if (error instanceof CodedError) return []
    throw error
  }
}

const tooLong = `(longer than ${maxLineBytes} bytes)`

async function maskLines(
  file: ReadableFile,
  lines: readonly FoundLine[],
  scrub: ToolHost['scrub'],
): Promise<string[]> {
  const shown: string[] = []
  for (const { text: around, lines: near } of await surroundingsOf(file, lines)) {
    const scrubbed = (await scrub(around)).replaceAll('\r\n', '\n')
    const masked = await maskParts(
      near.map(({ text }) => text ?? ''),
      scrubbed,
      scrub,
    )
    shown.push(...near.map(({ text }, index) => (text === undefined ? tooLong : masked[index]!)))
  }
  return shown
}

interface Surroundings {
  readonly text: string
  readonly lines: readonly FoundLine[]
}

/** Lines that are close to each other share theirs. In the order of the lines. */
async function surroundingsOf(file: ReadableFile, lines: readonly FoundLine[]): Promise<Surroundings[]> {
  const { size } = file.stat
  const kind = fileKind(await file.read(0, Math.min(size, headBytes)), size <= headBytes)
  if (kind.kind === 'text' && kind.encoding.startsWith('utf-16')) {
    const bytes = await file.read(0, Math.min(size, maxDecodedBytes))
    return [{ text: decodeText(bytes, kind.encoding), lines }]
  }
  const ranges: { from: number; to: number; lines: FoundLine[] }[] = []
  for (const line of lines) {
    const from = Math.max(0, line.offset - surroundingBytes)
    const to = Math.min(size, line.offset + maxLineBytes + surroundingBytes)
    const last = ranges.at(-1)
    if (last === undefined || from > last.to) ranges.push({ from, to, lines: [line] })
    else {
      last.to = Math.max(last.to, to)
      last.lines.push(line)
    }
  }
  const found: Surroundings[] = []
  for (const { from, to, lines: near } of ranges) {
    const text = (await file.read(from, Math.max(0, to - from))).toString()
    found.push({ text: text.replace(/^\uFEFF/, ''), lines: near })
  }
  return found
}
