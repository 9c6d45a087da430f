import { Readable } from 'node:stream'
import { createGunzip, createInflateRaw } from 'node:zlib'

import { ArchiveError } from './archive-entry.ts'

/** Decompresses on demand, so that a reader can stop early. Throws ArchiveError. */
export async function* inflateChunks(
  chunks: Iterable<Uint8Array>,
  format: 'gzip' | 'deflate',
): AsyncGenerator<Uint8Array> {
  const source = Readable.from(chunks)
  const inflater = format === 'gzip' ? createGunzip() : createInflateRaw()
  source.on('error', (error) => inflater.destroy(error))
  source.pipe(inflater)
  try {
    for await (const chunk of inflater) yield chunk as Buffer
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code?.startsWith('Z_') ? new ArchiveError('its compressed data is corrupt') : error
  } finally {
    source.destroy()
    inflater.destroy()
  }
}
