/** Binary input and output, for commands in a pipeline. */

import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'

import { CommonError, missingThing } from '../errors/common-error.ts'
import type { CliIo } from './output.ts'

/** The bytes of a file, or of standard input for `-`. */
export async function* readInput(named: string, io: CliIo): AsyncGenerator<Uint8Array> {
  const isPiped = named === '-'
  const source = isPiped
    ? (io.stdin ?? (process.stdin as AsyncIterable<Uint8Array>))
    : createReadStream(resolve(io.cwd, named), { highWaterMark: 1 << 18 })
  try {
    yield* source
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    if (code === 'ENOENT' && !isPiped) throw new CommonError('NOT_FOUND', missingThing('file', named))
    throw new CommonError('USAGE', {
      problem: `the input cannot be read (${code})`,
      hint: 'Name a file that you may read, or pipe the text in.',
    })
  }
}

export interface ByteOutput {
  /** Resolves when there is room for more. */
  write(bytes: Uint8Array): Promise<void>
  /** Whether the reader has closed the pipe. */
  readonly isCut: boolean
}

export function byteOutput({ stdout }: CliIo): ByteOutput {
  let isCut = false
  let proceed = (): void => {}
  stdout.on?.('drain', () => proceed())
  stdout.on?.('error', () => {
    isCut = true
    proceed()
  })
  return {
    async write(bytes) {
      if (isCut || bytes.length === 0 || stdout.write(bytes) !== false) return
      await new Promise<void>((resolve) => (proceed = resolve))
    },
    get isCut() {
      return isCut
    },
  }
}
