/** Reads a client's many small files, up to a total limit that bounds memory use. */

import { readSmallFile, type FileRead } from '@contextd/shared/files/small-file'
import { notChecked, type FileError } from './client-files.ts'
import type { Frontmatter, FrontmatterFault } from './frontmatter.ts'

/** Many times the size of the largest known collections of agents and skills. */
const maxBytes = 128 << 20
const bytesPerFile = 4096
/** Approximate cost of parsing one character, in bytes of memory and comparable time. */
const bytesPerPlainCharacter = 16
const bytesPerYamlCharacter = 32

export interface LimitedReader {
  /** Once the limit is exceeded, files read as missing, and the first of them is reported. */
  readonly read: (file: string) => FileRead
  /** Adds the parsing cost of a file's frontmatter. */
  readonly count: (head: Frontmatter | FrontmatterFault | undefined) => void
}

export function limitedReader(report: (problem: FileError) => void, limit = maxBytes): LimitedReader {
  let used = 0
  let isOver = false
  return {
    read(file) {
      if (isOver) return { kind: 'missing' }
      const read = readSmallFile(file)
      used += bytesPerFile + (read.kind === 'bytes' ? read.bytes.length : 0)
      isOver = used > limit
      if (!isOver) return read
      report(notChecked(file, 'Agents and skills exceed what contextd reads: this file and all after it'))
      return { kind: 'missing' }
    },
    count(head) {
      if (head !== undefined)
        used += head.body * (head.ok && head.isPlain ? bytesPerPlainCharacter : bytesPerYamlCharacter)
    },
  }
}
