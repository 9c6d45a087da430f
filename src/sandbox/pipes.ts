/**
 * Real pipes for the output of a sandbox. Node's own are sockets, and programs that open `/dev/stderr` fail on those.
 */

import { execFileSync } from 'node:child_process'
import { closeSync, constants, existsSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'

import { O_PATH } from './open-flags.ts'

export interface Pipe {
  /** Our end, as a stream. */
  readonly near: Socket
  /** The child's end; closed with `handedOver` once the child has it. */
  readonly far: number
  handedOver(): void
  /** Discards it: a pipe is used once. */
  release(): void
}

export interface Pipes {
  /** For reading the child's output. */
  open(): Pipe
  close(): void
}

/** Created in batches, because each batch costs a process. */
const batch = 24

/** `folder` is needed only briefly: the pipes are unlinked before use, and leave nothing behind. */
export function createPipes(folder: string): Pipes {
  sweep(folder)
  const free: number[] = []
  const all: number[] = []

  const makeMore = (): void => {
    const place = mkdtempSync(join(folder, `pipes-${process.pid}-`))
    try {
      const names = Array.from({ length: batch }, (_, index) => join(place, String(index)))
      execFileSync('mkfifo', ['-m', '600', ...names], { env: { PATH: '/usr/bin:/bin' }, stdio: 'ignore' })
      for (const name of names) {
        // Can be reopened later, although it is unlinked.
        const file = openSync(name, O_PATH)
        free.push(file)
        all.push(file)
      }
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  }
  const take = (): number => {
    if (free.length === 0) makeMore()
    return free.pop()!
  }
  const discard = (file: number): void => {
    const at = all.indexOf(file)
    if (at === -1) return
    all.splice(at, 1)
    closeSync(file)
  }
  const reopen = (file: number, flags: number): number => openSync(`/proc/self/fd/${file}`, flags)

  const pipe = (file: number, near: Socket, far: number): Pipe => {
    near.on('error', () => {})
    let isOpen = true
    const handedOver = (): void => {
      if (isOpen) closeSync(far)
      isOpen = false
    }
    return {
      near,
      far,
      handedOver,
      release() {
        handedOver()
        near.destroy()
        // A command can change it permanently (`fchmod`) or pass it on, so each is used once.
        discard(file)
      },
    }
  }

  return {
    open() {
      const file = take()
      // Does not wait for a writer, which can only open it once there is a reader.
      const ours = reopen(file, constants.O_RDONLY | constants.O_NONBLOCK)
      const far = reopen(file, constants.O_WRONLY)
      return pipe(file, new Socket({ fd: ours, readable: true, writable: false }), far)
    },
    close() {
      for (const file of all.splice(0)) closeSync(file)
      free.length = 0
    },
  }
}

/** Removes what a process left that was killed at that point. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = /^pipes-(\d+)-/.exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      rmSync(join(folder, name), { recursive: true, force: true })
  }
}
