import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { closeSync, constants as fileFlags, mkdtempSync, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

import { isMissingProgram } from './executable.ts'

/** Starts a program that outlives this process and logs to a file. Returns its process id. */
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

/** Whether a process with that id exists, even one of another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A program could not be started, or failed. */
export class ProgramError extends Error {
  readonly kind: 'missing' | 'failed'
  /** The beginning of its stderr. */
  readonly complaint: string

  constructor(kind: ProgramError['kind'], message: string, complaint: string) {
    super(message)
    this.name = 'ProgramError'
    this.kind = kind
    this.complaint = complaint
  }
}

const maxComplaintLength = 8192

/** Streams a program's stdout. Throws ProgramError; kills the program if the reader stops early. */
export async function* outputOf(
  file: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; input?: string | Uint8Array; signal?: AbortSignal },
): AsyncGenerator<Buffer, void> {
  const { input, ...place } = options
  const child = spawn(file, [...args], { ...place, stdio: 'pipe' })
  const ended = new Promise<{ code: number | null; error?: NodeJS.ErrnoException }>((resolve) => {
    child.once('error', (error) => resolve({ code: null, error }))
    child.once('close', (code) => resolve({ code }))
  })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, maxComplaintLength)
  })
  // The program may exit without reading all of its input.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  try {
    for await (const chunk of child.stdout) yield chunk as Buffer
    const { code, error } = await ended
    if (error !== undefined) {
      const kind = isMissingProgram(error, file, options.env) ? 'missing' : 'failed'
      throw new ProgramError(kind, error.message, complaint)
    }
    if (code !== 0) throw new ProgramError('failed', `${file} ended with ${code ?? 'a signal'}`, complaint)
  } finally {
    child.kill()
  }
}

/** A program that replaces this process: it inherits stdin, and this process forwards its output. */
export interface ForwardedProgram {
  /** Interleaved stdout and stderr of the program and its descendants. Ends when the last of them exits. */
  readonly output: Socket
  /** Its exit status as in shells: 128 plus the signal number if a signal ended it. */
  readonly status: Promise<number>
}

/** A program that received a signal has exited by then, or ignores it. */
const groupSignalMs = 1000

/** `env` overrides the current environment. Signals to this process are forwarded to the program. */
export function startForwarded(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): ForwardedProgram {
  const { read, write } = openPipe()
  try {
    // Before the start, so that a signal during startup does not end this process instead.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) {
      // Clients signal the whole group, so the program usually received it too and must not receive it twice. If it still
      // runs after a while, the signal may have been sent to this process only.
      process.on(signal, () => setTimeout(() => child.kill(signal), groupSignalMs).unref())
    }
    const child = spawn(file, [...args], {
      env: { ...process.env, ...env },
      stdio: ['inherit', write, write],
    })
    return { output: new Socket({ fd: read, readable: true, writable: false }), status: endOf(child) }
  } finally {
    closeSync(write)
  }
}

/** The exit status as in shells: 128 plus the signal number if a signal ended it, 127 if it never started. */
function endOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(127))
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal!]))
  })
}

/** Opens a pipe, because programs cannot reopen the sockets that Node creates for children through /dev/stdout. */
function openPipe(): { read: number; write: number } {
  const folder = mkdtempSync(join(tmpdir(), 'contextd-'))
  const path = join(folder, 'pipe')
  try {
    const { status } = spawnSync('mkfifo', ['-m', '600', path], { stdio: 'ignore' })
    if (status !== 0) throw new ProgramError('failed', 'mkfifo could not create a pipe', '')
    const read = openSync(path, fileFlags.O_RDONLY | fileFlags.O_NONBLOCK)
    return { read, write: openSync(path, 'w') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Starts a detached program that continues with the rest of the input and the same output. */
export function handOver(rest: Socket, file: string, args: readonly string[]): void {
  const child = spawn(file, [...args], { detached: true, stdio: [rest, 'inherit', 'inherit'] })
  child.on('error', () => {})
  child.unref()
}

/** Runs an interactive program such as an editor on the terminal. Returns its exit status as in shells. */
export function runOnTerminal(
  file: string,
  args: readonly string[],
  place: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<number> {
  const child = spawn(file, [...args], { ...place, stdio: 'inherit' })
  return endOf(child)
}
