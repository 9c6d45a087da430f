/** Reads archives, one level deep: an archive inside an archive is not opened. */

import { ArchiveError } from '@contextd/shared/archives/archive-entry'
import { peek, type Chunks } from '@contextd/shared/archives/chunks'
import { inflateChunks } from '@contextd/shared/archives/inflate'
import { isTarHeader, readTar } from '@contextd/shared/archives/tar'
import { readZip } from '@contextd/shared/archives/zip'
import type { OpenFile } from '@contextd/shared/files/open-file'
import { createArchiveBounds, withinBounds, type ArchiveBounds } from './archive-bounds.ts'

export type ArchiveKind = 'zip' | 'gzip' | 'tar'

/** Recognises an archive by its first bytes. `closed` names a compression that is not supported. */
export function sniffArchive(head: Uint8Array): ArchiveKind | { readonly closed: string } | undefined {
  const startsWith = (...bytes: readonly number[]): boolean => bytes.every((byte, at) => head[at] === byte)
  if (startsWith(0x50, 0x4b, 3, 4) || startsWith(0x50, 0x4b, 5, 6)) return 'zip'
  if (startsWith(0x1f, 0x8b, 8)) return 'gzip'
  for (const [name, ...bytes] of unsupportedFormats) if (startsWith(...bytes)) return { closed: name }
  return isTarHeader(head) ? 'tar' : undefined
}

const unsupportedFormats: readonly (readonly [name: string, ...bytes: number[]])[] = [
  ['xz', 0xfd, 0x37, 0x7a, 0x58, 0x5a, 0],
  ['zstd', 0x28, 0xb5, 0x2f, 0xfd],
  ['7z', 0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c],
  ['rar', 0x52, 0x61, 0x72, 0x21, 0x1a, 7],
  // `BZh`, the block size, then the digits of π.
  ['bzip2', 0x42, 0x5a, 0x68, 0x39, 0x31, 0x41, 0x59],
]

export interface VisitedEntry {
  readonly name: string
  /** Cannot be read after the visit. */
  readonly chunks: AsyncIterable<Uint8Array>
}

export interface ArchiveVisitor {
  entry(entry: VisitedEntry): Promise<void>
  /** Called for an entry that cannot be read. */
  skip(name: string, why: string): void
  /** Called when a part of the archive was not read. */
  incomplete(why: string): void
}

/** `name` is the archive's name; the content of a plain gzip file has no other. */
export async function visitArchive(
  kind: ArchiveKind,
  file: OpenFile,
  name: string,
  visitor: ArchiveVisitor,
): Promise<void> {
  const bounds = createArchiveBounds(file.size)
  try {
    if (kind === 'zip') await visitZip(file, bounds, visitor)
    else if (kind === 'tar') await visitTar(file.chunks(), bounds, visitor)
    else await visitGzip(file, name, bounds, visitor)
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    // An archive that was not read to its end looks corrupt too.
    if (bounds.reached() === undefined) visitor.incomplete(error.message)
  }
  const reached = bounds.reached()
  if (reached !== undefined) visitor.incomplete(reached)
}

async function visitZip(file: OpenFile, bounds: ArchiveBounds, visitor: ArchiveVisitor): Promise<void> {
  for (const { path, kind, problem, chunks } of readZip(file, 'lenient')) {
    if (kind === 'folder') continue
    if (!bounds.admitEntry()) return
    if (problem !== undefined) visitor.skip(path, problem)
    else await visitor.entry({ name: path, chunks: withinBounds(chunks, bounds) })
    if (bounds.reached() !== undefined) return
  }
}

async function visitTar(chunks: Chunks, bounds: ArchiveBounds, visitor: ArchiveVisitor): Promise<void> {
  for await (const { path, chunks: content } of readTar(chunks, 'lenient')) {
    if (!bounds.admitEntry()) return
    await visitor.entry({ name: path, chunks: content })
  }
}

async function visitGzip(
  file: OpenFile,
  name: string,
  bounds: ArchiveBounds,
  visitor: ArchiveVisitor,
): Promise<void> {
  const { head, all } = await peek(withinBounds(inflateChunks(file.chunks(), 'gzip'), bounds), 512)
  if (isTarHeader(head)) await visitTar(all, bounds, visitor)
  else await visitor.entry({ name: innerName(name), chunks: all })
}

/** `backup/log.txt.gz` contains `log.txt`. */
function innerName(name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1)
  return last.replace(/\.gz$/i, '') || last
}
