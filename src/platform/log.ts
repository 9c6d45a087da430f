/** One JSON object a line on stderr: stdout belongs to the protocol. */

import type { Json } from '../core/json.ts'

export type Severity = 'debug' | 'info' | 'warn' | 'error'
const order: readonly Severity[] = ['debug', 'info', 'warn', 'error']

export type Log = (severity: Severity, message: string, fields?: { [key: string]: Json | undefined }) => void

export interface LogOptions {
  readonly level: Severity
  /** Everything that is written passes through this first, so that our own log leaks nothing. */
  readonly scrub: (line: string) => string
  readonly write?: (line: string) => void
}

export function createLog({ level, scrub, write = (line) => process.stderr.write(line) }: LogOptions): Log {
  return (severity, message, fields = {}) => {
    if (order.indexOf(severity) < order.indexOf(level)) return
    const line = JSON.stringify({ time: new Date().toISOString(), level: severity, message, ...fields })
    write(`${scrub(line)}\n`)
  }
}
