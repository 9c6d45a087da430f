/** A program that speaks over its standard input and output, with everything it starts. */

import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

export interface ServerProcess {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves with how it ended. What it wrote last may still be on its way. */
  readonly exited: Promise<string>
  /** Asks it to end, then makes it. Resolves when nothing of it is left. */
  stop(): Promise<void>
}

/** Between the end of its input, the first signal and the last. */
const patienceMs = 2000

/** Whether it ends while we are still patient. */
export async function endsSoon(exited: Promise<unknown>): Promise<boolean> {
  const done = new AbortController()
  const waited = sleep(patienceMs, false, { signal: done.signal }).catch(() => false)
  const hasEnded = await Promise.race([exited.then(() => true), waited])
  done.abort()
  return hasEnded
}
