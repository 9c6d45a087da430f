import { gunzipSync } from 'node:zlib'

import { ArchiveError, corruptArchive, type ArchiveEntry } from '@contextd/shared/archives/archive-entry'
import { readTar } from '@contextd/shared/archives/tar'
import { readZip } from '@contextd/shared/archives/zip'
import type { ZipFile } from '@contextd/shared/archives/zip-directory'

import { packageLimits } from '../plugins/package-files.ts'
import { refused } from './problems.ts'
import {
  createTree,
  maxRatio,
  packageTooLarge,
  withoutOuterFolder,
  type Tree,
  type TreeFile,
} from './tree.ts'

export const maxArchiveBytes = packageLimits.bytes
/** Tar headers and names, in addition to the content of the files. */
const maxHeaderBytes = 4 * 1_048_576
/** Any ratio is fine below this. */
const ratioFreeBytes = 1_048_576

/** The files of a .tar.gz or .zip archive. Throws ARCHIVE_REFUSED, and never holds more in memory than the limits. */
export async function readArchive(bytes: Buffer): Promise<readonly TreeFile[]> {
  const maxBytes = Math.min(packageLimits.bytes, ratioFreeBytes + maxRatio * bytes.length)
  const tree = createTree(maxBytes)
  const start = bytes.subarray(0, 4).toString('latin1')
  try {
    if (start.startsWith('\u001F\u008B')) await unpackTar(gunzip(bytes, maxBytes + maxHeaderBytes), tree)
    else if (start === 'PK\u0003\u0004') await unpackZip(bytes, tree)
    else throw new ArchiveError('this is neither a .tar.gz nor a .zip archive')
  } catch (error) {
    throw error instanceof ArchiveError ? refused(error.message) : error
  }
  return withoutOuterFolder(tree.files())
}

function gunzip(bytes: Buffer, maxOutputLength: number): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength })
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw isLarge ? refused(packageTooLarge) : corruptArchive()
  }
}

async function unpackTar(bytes: Buffer, tree: Tree): Promise<void> {
  for await (const entry of readTar([bytes], 'strict')) {
    const put = tree.admit(entry)
    put(await contentOf(entry))
  }
}

async function unpackZip(bytes: Buffer, tree: Tree): Promise<void> {
  // Every declared size is checked before the first byte is decompressed.
  const admitted = [...readZip(inMemory(bytes), 'strict')].map((entry) => ({ entry, put: tree.admit(entry) }))
  for (const { entry, put } of admitted) put(await contentOf(entry))
}

async function contentOf({ chunks }: ArchiveEntry): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  // Always a copy: a view would keep the whole archive in memory.
  return Buffer.concat(parts)
}

function inMemory(bytes: Buffer): ZipFile {
  return {
    size: bytes.length,
    read: (offset, length) => bytes.subarray(offset, offset + length),
    chunks: (from = 0, to = bytes.length) => [bytes.subarray(from, to)],
  }
}
