import { spawn, spawnSync } from 'node:child_process'
import { closeSync, constants as fileFlags, mkdtempSync, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

/** A program that runs in our place: it reads what we would have read, and what it prints is ours to pass on. */
export interface StandIn {
  /** What it and everything it started prints, in the order it was printed. Ends when the last of them has ended. */
  readonly output: Socket
  /** Its exit status as shells tell it: 128 and the number of the signal where one ended it. */
  readonly status: Promise<number>
}

/** `env` says what differs from our own environment. Signals that are meant for us go to it. */
export function startInOurPlace(file: string, args: readonly string[], env: NodeJS.ProcessEnv): StandIn {
  const { read, write } = openPipe()
  try {
    const child = spawn(file, [...args], {
      env: { ...process.env, ...env },
      stdio: ['inherit', write, write],
    })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) {
      process.on(signal, () => child.kill(signal))
    }
    const status = new Promise<number>((resolve) => {
      child.once('error', () => resolve(127))
      child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal!]))
    })
    return { output: new Socket({ fd: read, readable: true, writable: false }), status }
  } finally {
    closeSync(write)
  }
}

/** Both ends of a pipe that programs can open again by way of /dev/stdout. What Node makes for its children is a socket. */
function openPipe(): { read: number; write: number } {
  const folder = mkdtempSync(join(tmpdir(), 'contextd-'))
  const path = join(folder, 'pipe')
  try {
    const { status } = spawnSync('mkfifo', ['-m', '600', path], { stdio: 'ignore' })
    if (status !== 0) throw new Error('mkfifo could not make a pipe')
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
