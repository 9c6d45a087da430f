/** A tool in an archive: a file, or a URL. */

import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

import { maxArchiveBytes, readArchive } from './archive.ts'
import { refused, sourceUnavailable } from './problems.ts'
import { verifySha256, type ToolSource } from './source.ts'
import { writeTree } from './tree.ts'

/** The revision is the hash of the bytes, so they are read before anything else. */
export function archiveSource(read: () => Promise<Buffer>, sha256: string | undefined): ToolSource {
  return {
    async resolve() {
      const bytes = await read()
      const found = verifySha256(bytes, sha256)
      return {
        revision: `sha256:${found}`,
        fetch: async (into) => writeTree(into, await readArchive(bytes)),
      }
    },
  }
}

/** Does not block on a pipe. */
export function readArchiveFile(path: string): Buffer {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    throw sourceUnavailable(`the file cannot be opened (${(error as NodeJS.ErrnoException).code})`)
  }
  try {
    const found = fstatSync(file)
    if (!found.isFile()) throw sourceUnavailable('it is not a regular file')
    if (found.size > maxArchiveBytes)
      throw refused(`the archive is larger than ${maxArchiveBytes / 1_048_576} MB`)
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}
