/** Reads the many small files of a client, and ends before they are more than fits into memory. */

import { readSmallFile, type FileRead } from '@contextd/shared/files/small-file'
import { notLookedAt, type FileError } from './client-files.ts'
import type { Frontmatter, FrontmatterFault } from './frontmatter.ts'

/** In bytes: many times what the largest collections of agents and skills take. */
const most = 128 << 20
const forEachFile = 4096
/** What a parser makes of a character takes as much as so many, in memory and in time. */
const forPlainYaml = 16
const forAnyYaml = 32

export interface LimitedReader {
  /** As if it were missing where too much was read already; of the first one that is left out it is told. */
  readonly read: (file: string) => FileRead
  /** To be called with what was found at the head of a file. */
  readonly count: (head: Frontmatter | FrontmatterFault | undefined) => void
}

export function limitedReader(report: (problem: FileError) => void, limit = most): LimitedReader {
  let used = 0
  let isOver = false
  return {
    read(file) {
      if (isOver) return { kind: 'missing' }
      const read = readSmallFile(file)
      used += forEachFile + (read.kind === 'bytes' ? read.bytes.length : 0)
      isOver = used > limit
      if (!isOver) return read
      report(notLookedAt(file, 'Agents and skills are more than contextd reads: this file and all after it'))
      return { kind: 'missing' }
    },
    count(head) {
      if (head !== undefined) used += head.body * (head.ok && head.isPlain ? forPlainYaml : forAnyYaml)
    },
  }
}
