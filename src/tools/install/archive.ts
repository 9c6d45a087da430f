import { gunzipSync } from 'node:zlib'

import { packageLimits } from '../plugins/package-files.ts'
import { refused } from './problems.ts'
import { unpackTar } from './tar.ts'
import { createTree, highestRatio, packageTooLarge, withoutOuterFolder, type TreeFile } from './tree.ts'
import { unpackZip } from './zip.ts'

/** The largest archive that is looked at. */
export const maxArchiveBytes = packageLimits.bytes
/** Headers and names, beside what the files hold. */
const roomForHeaders = 4 * 1_048_576
/** Below this the ratio says nothing. */
const alwaysFine = 1_048_576

/** The files of a .tar.gz or .zip archive. Throws ARCHIVE_REFUSED, and holds no more in memory than the limits say. */
export function readArchive(bytes: Buffer): readonly TreeFile[] {
  const most = Math.min(packageLimits.bytes, alwaysFine + highestRatio * bytes.length)
  const tree = createTree(most)
  const start = bytes.subarray(0, 4).toString('latin1')
  if (start.startsWith('\u001F\u008B')) unpackTar(gunzip(bytes, most + roomForHeaders), tree)
  else if (start === 'PK\u0003\u0004') unpackZip(bytes, tree)
  else throw refused('this is neither a .tar.gz nor a .zip archive')
  return withoutOuterFolder(tree.files())
}

function gunzip(bytes: Buffer, most: number): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: most })
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw refused(isLarge ? packageTooLarge : 'the archive is cut off or broken')
  }
}
