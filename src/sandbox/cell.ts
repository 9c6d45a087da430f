/** One sandbox from creation to end. It waits behind its gate for its command, and runs only that one. */

import { spawn, type ChildProcess } from 'node:child_process'
import type { Duplex, Readable, Writable } from 'node:stream'

import { childrenOf, gone } from './kill-inside.ts'
import type { Cgroup } from './cgroup/cgroup.ts'
import { gateFile, gateMessage } from './gate.ts'
import type { Pipe, Pipes } from './pipes.ts'
import type { Command } from './sandbox.ts'

export interface CellParts {
  /** Builds the sandbox and executes the gate in it. */
  readonly program: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** Written to the descriptors after the gate's; the program reads them before it builds the sandbox. */
  readonly feeds: readonly (string | Uint8Array)[]
  readonly pipes: Pipes
  readonly cgroup: Cgroup | undefined
  /** Kills every process inside, given the program. */
  readonly kill: (child: ChildProcess) => void
}

/** Programs inside could forge any amount. */
const maxStatus = 65_536

/** The first descriptor that `feeds` are read from. */
export const firstFeed = gateFile + 1

export interface Cell {
  readonly pid: number
  readonly cgroup: Cgroup | undefined
  readonly stdin: Writable
  readonly stdout: Pipe['near']
  readonly stderr: Pipe['near']
  /** Resolves when every process inside is gone. */
  readonly ended: Promise<number>
  isOver(): boolean
  /** Resolves when all its resources are released; callers need not wait for it. */
  readonly removed: Promise<void>
  /** How far it got. A cell that ends before `ready` explains why on standard error. */
  progress(): 'made' | 'ready' | 'no folder'
  /** What the refusing proxy was asked for; complete once the cell has ended. */
  refusedRequests(): string[]
  /** Resolves when it is ready for its command. */
  readonly ready: Promise<void>
  release(command: Command): void
  /** Like `release`, for a command whose input stays open. */
  releaseOpen(command: Command): void
  /** Kills every process inside. */
  kill(): void
}

/** Throws if the process cannot be started. */
export function createCell({ program, args, env, feeds, pipes, cgroup, kill: killChild }: CellParts): Cell {
  const stdout = pipes.open()
  const stderr = pipes.open()
  const start = (): ChildProcess =>
    spawn(program, [...args], {
      env,
      cwd: '/',
      // Its own process group: signals from our terminal are not meant for it.
      detached: true,
      stdio: ['pipe', stdout.far, stderr.far, 'pipe', 'pipe', ...feeds.map(() => 'pipe' as const)],
    })
  const { child, inside } = cgroup?.start(start) ?? { child: start(), inside: Promise.resolve() }
  for (const stream of [stdout, stderr]) stream.handedOver()
  const [stdin, , , channel, gateEnd, ...feedEnds] = child.stdio as unknown as Duplex[]
  // A command that ends without reading all its input is not an error.
  for (const end of [stdin!, channel!, gateEnd!, ...feedEnds]) end.on('error', () => {})

  let status = ''
  let first: number[] = []
  let onReady = (): void => {}
  const ready = new Promise<void>((resolve) => (onReady = resolve))
  gateEnd!.setEncoding('utf8').on('data', (text: string) => {
    if (status === '') first = childrenOf(child.pid ?? 0)
    if (status.length < maxStatus) status += text
    onReady()
  })
  const lines = (): string[] => status.split('\n').slice(0, -1)

  const exited = new Promise<number>((resolve) => {
    const finish = (code: number): void => {
      for (const end of [stdin!, channel!]) end.destroy()
      resolve(code)
    }
    child.once('error', () => finish(127))
    child.once('exit', (code, signal) => finish(code ?? 128 + (signal === 'SIGKILL' ? 9 : 15)))
  })
  const untilEnded = async (): Promise<number> => {
    const code = await exited
    await Promise.all([drained(stdout.near), drained(stderr.near), drained(gateEnd!), ...first.map(gone)])
    gateEnd!.destroy()
    return code
  }
  const ended = untilEnded()
  const untilRemoved = async (): Promise<void> => {
    await ended
    for (const stream of [stdout, stderr]) stream.release()
    await cgroup?.remove()
  }

  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null
  const kill = (): void => {
    if (!isOver()) killChild(child)
  }
  // Until it is fed it is a single idle process, so everything it starts belongs to the cgroup.
  inside.then(() => feedEnds.forEach((end, index) => end.end(feeds[index])), kill)

  const handOver = (command: Command, isInputOpen: boolean): void => {
    const message = gateMessage(command, isInputOpen)
    // The sandbox ends with contextd only once it is ready: an earlier message could start the command after that end.
    void ready.then(() => gateEnd!.end(message))
    if (!isInputOpen) stdin!.end(command.stdin)
    if (command.onChannel === undefined) channel!.destroy()
    else command.onChannel(channel!)
  }

  return {
    pid: child.pid ?? 0,
    cgroup,
    stdin: stdin!,
    stdout: stdout.near,
    stderr: stderr.near,
    ended,
    isOver,
    removed: untilRemoved(),
    progress: () => (status === '' ? 'made' : lines()[1] === 'no folder' ? 'no folder' : 'ready'),
    refusedRequests: () => lines().flatMap((line) => /^refused (.+)/.exec(line)?.[1] ?? []),
    ready,
    release: (command) => handOver(command, false),
    releaseOpen: (command) => handOver(command, true),
    kill,
  }
}

/** Resolves when the output that the last writer left in the buffer has been read. */
function drained(near: Readable): Promise<void> {
  if (near.readableEnded || near.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    near.once('end', resolve)
    near.once('close', resolve)
    // Otherwise nothing is read if nobody listens.
    near.resume()
  })
}
