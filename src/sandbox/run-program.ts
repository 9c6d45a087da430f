import { execFile } from 'node:child_process'

export interface Finished {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end with an empty environment. Never throws: one that cannot be started has code 127. */
export function runProgram(
  file: string,
  args: readonly string[],
  options: { timeoutMs: number },
): Promise<Finished> {
  return new Promise((resolve) => {
    execFile(
      file,
      [...args],
      { env: {}, timeout: options.timeoutMs, killSignal: 'SIGKILL', maxBuffer: 1 << 20 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 127
        resolve({ code, stdout, stderr: stderr || (error?.message ?? '') })
      },
    )
  })
}
