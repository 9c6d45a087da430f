/** One JSON object per line on stderr: stdout belongs to the protocol. */

import { mapStrings, type Json, type JsonObject } from '@contextd/shared/json/value'
import { terminalText } from '@contextd/shared/text/visible-text'

export type LogSeverity = 'debug' | 'info' | 'warn' | 'error'
const order: readonly LogSeverity[] = ['debug', 'info', 'warn', 'error']

export type Log = (
  severity: LogSeverity,
  message: string,
  fields?: { [key: string]: Json | undefined },
) => void

export interface LogOptions {
  readonly level: LogSeverity
  /** Applied to every text, so that our own log leaks nothing. */
  readonly scrub: (text: string, key?: string) => string
  readonly write?: (line: string) => void
}

export function createLog({ level, scrub, write = writeToStderr() }: LogOptions): Log {
  return (severity, message, fields = {}) => {
    if (order.indexOf(severity) < order.indexOf(level)) return
    const present = Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined)
    // Texts are scrubbed before quoting, because JSON escapes change what a secret looks like.
    const scrubbed = mapStrings({ message, ...Object.fromEntries(present) }, scrub) as JsonObject
    write(`${JSON.stringify({ time: new Date().toISOString(), level: severity, ...scrubbed })}\n`)
  }
}

/** The parent process may have closed its end; that must not end this process. */
function writeToStderr(): (line: string) => void {
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {})
  return (line) => void process.stderr.write(process.stderr.isTTY ? terminalText(line) : line)
}
