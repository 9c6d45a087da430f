/** A server program with standard input and output, and all its descendants. */

import type { Readable, Writable } from 'node:stream'

import { settledWithin } from '../../../platform/settled-within.ts'

export interface ServerProcess {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves with how it ended. Its last output may not have arrived yet. */
  readonly exited: Promise<string>
  /** Ends it, by force if necessary. Resolves when no process is left. */
  stop(): Promise<void>
}

/** Between closing its input, SIGTERM and SIGKILL. */
const graceMs = 2000

export function endsSoon(exited: Promise<unknown>): Promise<boolean> {
  return settledWithin(exited, graceMs)
}
