/** A tool in an archive: a file, or an address where one lies. */

import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

import { maxArchiveBytes, readArchive } from './archive.ts'
import { refused, sourceUnavailable } from './problems.ts'
import { checkSha256, type ToolSource } from './source.ts'
import { writeTree } from './tree.ts'

/** Known by its bytes, so that all of them are there before anything is said about it. */
export function archiveSource(read: () => Promise<Buffer>, sha256: string | undefined): ToolSource {
  return {
    async resolve() {
      const bytes = await read()
      const found = checkSha256(bytes, sha256)
      return {
        revision: `sha256:${found}`,
        fetch: async (into) => writeTree(into, await readArchive(bytes)),
      }
    },
  }
}

/** Never waits (for a pipe). */
export function readArchiveFile(path: string): Buffer {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    throw sourceUnavailable(`the file cannot be opened (${(error as NodeJS.ErrnoException).code})`)
  }
  try {
    const found = fstatSync(file)
    if (!found.isFile()) throw sourceUnavailable('it is no file')
    if (found.size > maxArchiveBytes)
      throw refused(`the archive is larger than ${maxArchiveBytes / 1_048_576} MB`)
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}
