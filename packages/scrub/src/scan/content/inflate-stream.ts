import { Readable } from 'node:stream'
import { createGunzip, createInflateRaw } from 'node:zlib'

import { BrokenArchive } from './archive-bounds.ts'

/** Inflates as it is read, so that whoever has seen enough can stop. Throws BrokenArchive. */
export async function* inflated(
  chunks: Iterable<Uint8Array>,
  format: 'gzip' | 'deflate',
): AsyncGenerator<Uint8Array> {
  const source = Readable.from(chunks)
  const inflate = format === 'gzip' ? createGunzip() : createInflateRaw()
  source.on('error', (error) => inflate.destroy(error))
  source.pipe(inflate)
  try {
    for await (const chunk of inflate) yield chunk as Buffer
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code?.startsWith('Z_') ? new BrokenArchive('its compressed data is broken') : error
  } finally {
    source.destroy()
    inflate.destroy()
  }
}
