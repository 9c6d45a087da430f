/** What the tar and zip readers have in common. */

/**
 * `strict` is for archives that will be unpacked: anything that another program could read differently is refused.
 * `lenient` is for searching: reads everything it can make sense of.
 */
export type ArchivePolicy = 'strict' | 'lenient'

export interface ArchiveEntry {
  /** As written in the archive: may be absolute, contain `..`, or end in `/` for a folder. */
  readonly path: string
  readonly kind: 'file' | 'folder'
  /** In bytes, as declared by the archive. */
  readonly size: number
  /** Unix permission bits; 0 if the archive has none. */
  readonly mode: number
  /** Must be read before the next entry is requested. */
  readonly chunks: AsyncIterable<Uint8Array>
  /** Why `chunks` cannot be read, to follow the entry's name. Lenient only; strict refuses the archive. */
  readonly problem?: string
}

/** The archive is corrupt, or the policy refuses it; the message says why. */
export class ArchiveError extends Error {
  override name = 'ArchiveError'
}

export function corruptArchive(): ArchiveError {
  return new ArchiveError('it is truncated or corrupt')
}

/** The name of an entry in a message, shortened. */
export function shownPath(path: string): string {
  return path.length > 80 ? `${path.slice(0, 80)}…` : path === '' ? 'an entry without a name' : path
}

/** Strict requires UTF-8. */
export function decodePath(bytes: Buffer, policy: ArchivePolicy): string {
  if (policy === 'lenient') return bytes.toString('utf8')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new ArchiveError('a name is not UTF-8')
  }
}
