/** Opens archives, one level deep: what is in an archive inside an archive stays closed. */

import {
  BrokenArchive,
  createArchiveBounds,
  withinBounds,
  type ArchiveBounds,
  type ArchiveEntry,
} from './archive-bounds.ts'
import { peek } from './chunks.ts'
import { inflated } from './inflate-stream.ts'
import type { OpenFile } from '@contextd/shared/files/open-file'
import { isTarHeader, streamTar } from './tar.ts'
import { streamZip } from './zip.ts'

export type ArchiveKind = 'zip' | 'gzip' | 'tar'

/** How the first bytes of a file look. `closed`: compressed in a way that is not read here. */
export function sniffArchive(head: Uint8Array): ArchiveKind | { readonly closed: string } | undefined {
  const begins = (...bytes: readonly number[]): boolean => bytes.every((byte, at) => head[at] === byte)
  if (begins(0x50, 0x4b, 3, 4) || begins(0x50, 0x4b, 5, 6)) return 'zip'
  if (begins(0x1f, 0x8b, 8)) return 'gzip'
  for (const [name, ...bytes] of closedFormats) if (begins(...bytes)) return { closed: name }
  return isTarHeader(head) ? 'tar' : undefined
}

const closedFormats: readonly (readonly [name: string, ...bytes: number[]])[] = [
  ['xz', 0xfd, 0x37, 0x7a, 0x58, 0x5a, 0],
  ['zstd', 0x28, 0xb5, 0x2f, 0xfd],
  ['7z', 0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c],
  ['rar', 0x52, 0x61, 0x72, 0x21, 0x1a, 7],
  // `BZh`, the size of its blocks aside, then π.
  ['bzip2', 0x42, 0x5a, 0x68, 0x39, 0x31, 0x41, 0x59],
]

export interface ArchiveVisit {
  /** The chunks of an entry are gone when this is done. */
  entry(entry: ArchiveEntry): Promise<void>
  /** An entry that stays unread. */
  skip(name: string, why: string): void
  /** Not all of the archive could be read, and why. */
  incomplete(why: string): void
}

/** `name` is that of the archive: what is inside a plain gzip file has no other. */
export async function visitArchive(
  kind: ArchiveKind,
  file: OpenFile,
  name: string,
  visit: ArchiveVisit,
): Promise<void> {
  const bounds = createArchiveBounds(file.size)
  try {
    for await (const entry of entriesOf(kind, file, name, bounds, visit)) await visit.entry(entry)
  } catch (error) {
    if (!(error instanceof BrokenArchive)) throw error
    // Cut short by us, it looks broken too.
    if (bounds.reached() === undefined) visit.incomplete(error.message)
  }
  const reached = bounds.reached()
  if (reached !== undefined) visit.incomplete(reached)
}

function entriesOf(
  kind: ArchiveKind,
  file: OpenFile,
  name: string,
  bounds: ArchiveBounds,
  visit: ArchiveVisit,
): AsyncGenerator<ArchiveEntry> {
  if (kind === 'zip') return streamZip(file, bounds, visit.skip)
  if (kind === 'tar') return streamTar(file.chunks(), bounds)
  return readGzip(file, name, bounds)
}

async function* readGzip(file: OpenFile, name: string, bounds: ArchiveBounds): AsyncGenerator<ArchiveEntry> {
  const { head, all } = await peek(withinBounds(inflated(file.chunks(), 'gzip'), bounds), 512)
  if (isTarHeader(head)) yield* streamTar(all, bounds)
  else yield { name: innerName(name), chunks: all }
}

/** `backup/log.txt.gz` holds `log.txt`. */
function innerName(name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1)
  return last.replace(/\.gz$/i, '') || last
}
