import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { closeSync, constants as fileFlags, mkdtempSync, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

import { isMissingProgram } from './executable.ts'

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

const maxComplaintLength = 8192

/** What a program prints, as it comes. Throws ProgramError; the program ends when the reader stops early. */
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
  // It may end without having read everything.
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

/** A program that runs in our place: it reads what we would have read, and what it prints is ours to pass on. */
export interface StandIn {
  /** What it and everything it started prints, in the order it was printed. Ends when the last of them has ended. */
  readonly output: Socket
  /** Its exit status as shells tell it: 128 and the number of the signal where one ended it. */
  readonly status: Promise<number>
}

/** A program that heard a signal has ended by then, or does not mean to. */
const groupSignalMs = 1000

/** `env` says what differs from our own environment. Signals that are meant for us go to it. */
export function startInOurPlace(file: string, args: readonly string[], env: NodeJS.ProcessEnv): StandIn {
  const { read, write } = openPipe()
  try {
    // First: a signal that comes while the program starts must not end us in its place.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) {
      // Clients signal the whole group, so it has come to the program too, and must not come twice: only to one that has
      // not ended after a while was it perhaps sent to us alone.
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

/** Its exit status as shells tell it: 128 and the number of the signal where one ended it, 127 where it never started. */
function endOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(127))
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal!]))
  })
}

/** Both ends of a pipe that programs can open again by way of /dev/stdout. What Node makes for its children is a socket. */
function openPipe(): { read: number; write: number } {
  const folder = mkdtempSync(join(tmpdir(), 'contextd-'))
  const path = join(folder, 'pipe')
  try {
    const { status } = spawnSync('mkfifo', ['-m', '600', path], { stdio: 'ignore' })
    if (status !== 0) throw new ProgramError('failed', 'mkfifo could not make a pipe', '')
    const read = openSync(path, fileFlags.O_RDONLY | fileFlags.O_NONBLOCK)
    return { read, write: openSync(path, 'w') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A program that outlives us reads on where we stopped, and writes where we wrote. */
export function handOver(rest: Socket, file: string, args: readonly string[]): void {
  const child = spawn(file, [...args], { detached: true, stdio: [rest, 'inherit', 'inherit'] })
  child.on('error', () => {})
  child.unref()
}

/** A program that has our terminal until it ends, such as an editor. Answers its exit status as shells tell it. */
export function runOnTerminal(
  file: string,
  args: readonly string[],
  place: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<number> {
  const child = spawn(file, [...args], { ...place, stdio: 'inherit' })
  return endOf(child)
}
