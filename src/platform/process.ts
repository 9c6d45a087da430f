import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'

/** Starts a program that outlives us, its output in a file of its own. Answers its process id. */
export function startDetached(
  file: string,
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; cwd: string; logFile: string },
): number | undefined {
  const log = openSync(options.logFile, 'a', 0o600)
  try {
    const child = spawn(file, [...args], {
      cwd: options.cwd,
      env: options.env,
      detached: true,
      stdio: ['ignore', log, log],
    })
    // A failed start shows as a missing process id.
    child.on('error', () => {})
    child.unref()
    return child.pid
  } finally {
    closeSync(log)
  }
}

/** True while a process with that id exists, ours or not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A program could not be started, or ended badly. */
export class ProgramError extends Error {
  readonly kind: 'missing' | 'failed'
  /** What it said on stderr, from the beginning. */
  readonly complaint: string

  constructor(kind: ProgramError['kind'], message: string, complaint: string) {
    super(message)
    this.name = 'ProgramError'
    this.kind = kind
    this.complaint = complaint
  }
}

const longestComplaint = 8192

/** What a program prints, as it comes. Throws ProgramError; the program ends when the reader stops early. */
export async function* outputOf(
  file: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; input?: string },
): AsyncGenerator<Buffer, void> {
  const { input, ...place } = options
  const child = spawn(file, [...args], { ...place, stdio: 'pipe' })
  const ended = new Promise<{ code: number | null; error?: NodeJS.ErrnoException }>((resolve) => {
    child.once('error', (error) => resolve({ code: null, error }))
    child.once('close', (code) => resolve({ code }))
  })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, longestComplaint)
  })
  // It may end without having read everything.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  try {
    for await (const chunk of child.stdout) yield chunk as Buffer
    const { code, error } = await ended
    if (error !== undefined) {
      throw new ProgramError(error.code === 'ENOENT' ? 'missing' : 'failed', error.message, complaint)
    }
    if (code !== 0) throw new ProgramError('failed', `${file} ended with ${code ?? 'a signal'}`, complaint)
  } finally {
    child.kill()
  }
}
