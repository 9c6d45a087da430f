import { mapStrings, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { Log } from '../platform/log.ts'

/** Whoever listens in place of our own log hears no more than it would write. */
export function scrubbedLog(log: Log, scrub: (text: string, key?: string) => string): Log {
  return (severity, message, fields = {}) => {
    const given = Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined)
    log(severity, scrub(message), mapStrings(Object.fromEntries(given), scrub) as JsonObject)
  }
}
