/** Runs programs that fetch a tool, with limits on their output, files and time. */

import { isOnPath } from '@contextd/shared/executable'
import { outputOf, ProgramError } from '@contextd/shared/process'
import { refused, sourceUnavailable } from './problems.ts'

export interface ProgramCall {
  readonly program: 'git' | 'npm'
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly input?: string
  /** Max bytes of output. */
  readonly maxBytes: number
}

/** Per file: a server decides how much it sends. */
const maxFileBytes = 128 * 1_048_576
const timeMs = 10 * 60_000
/** The shell counts in blocks of 512 bytes. */
const script = `ulimit -f ${maxFileBytes / 512} && exec "$@"`

/** Returns its output. Throws SOURCE_UNAVAILABLE, with its error message passed through `explain`. */
export async function runProgram(
  { program, args, cwd, env, input, maxBytes }: ProgramCall,
  explain: (complaint: string) => string,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    const options = { cwd, env, signal: AbortSignal.timeout(timeMs), ...(input !== undefined && { input }) }
    for await (const chunk of outputOf('/bin/sh', ['-c', script, 'sh', program, ...args], options)) {
      size += chunk.length
      if (size > maxBytes) throw refused('it is larger than any tool needs')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error
    // 127, or 126 if a folder of PATH cannot be searched.
    if (/ended with 12[67]$/.test(error.message) && !isOnPath(program, env))
      throw sourceUnavailable(
        `${program} is not on this machine`,
        `Install ${program}, or name another kind of source.`,
      )
    if (isTooLarge(error)) throw refused('it is larger than any tool needs, or corrupt')
    throw sourceUnavailable(explain(error.complaint))
  }
}

/** It exceeded the limit itself, or reports that a helper did. */
function isTooLarge({ message, complaint }: ProgramError): boolean {
  return (
    message.endsWith('ended with a signal') ||
    /died of signal 25|file size limit|file too large|EFBIG|invalid index-pack output/i.test(complaint)
  )
}
