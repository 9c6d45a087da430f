/** A program that speaks over its standard input and output, with everything it starts. */

import type { Readable, Writable } from 'node:stream'

import { settledWithin } from '../../../platform/settled-within.ts'

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
export function endsSoon(exited: Promise<unknown>): Promise<boolean> {
  return settledWithin(exited, patienceMs)
}
