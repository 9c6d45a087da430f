import { readSync } from 'node:fs'

import { ContextdError } from '../../core/errors/errors.ts'

/**
 * All of standard input, up to `maxBytes`. Synchronous while data is available, because creating a stream takes
 * longer.
 */
export async function readStdin(maxBytes = Infinity): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  const keep = (chunk: Buffer): void => {
    length += chunk.length
    if (length > maxBytes)
      throw new ContextdError('USAGE', { problem: `stdin has more than ${maxBytes} bytes` })
    chunks.push(chunk)
  }
  const buffer = Buffer.allocUnsafe(1 << 16)
  try {
    for (let read = readSync(0, buffer); read > 0; read = readSync(0, buffer)) {
      keep(Buffer.from(buffer.subarray(0, read)))
    }
  } catch (error) {
    // The writer is slower than we are.
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    for await (const chunk of process.stdin) keep(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}
