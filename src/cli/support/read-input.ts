import { readSync } from 'node:fs'

import { ContextdError } from '../../core/errors/errors.ts'

/** All of standard input, up to `most` bytes. Without a stream as long as it goes: to make one takes longer than to read. */
export async function readStdin(most = Infinity): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  const keep = (chunk: Buffer): void => {
    length += chunk.length
    if (length > most) throw new ContextdError('USAGE', { problem: `stdin has more than ${most} bytes` })
    chunks.push(chunk)
  }
  const buffer = Buffer.allocUnsafe(1 << 16)
  try {
    for (let read = readSync(0, buffer); read > 0; read = readSync(0, buffer)) {
      keep(Buffer.from(buffer.subarray(0, read)))
    }
  } catch (error) {
    // The other end does not write as fast as we read.
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    for await (const chunk of process.stdin) keep(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}
