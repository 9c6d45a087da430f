import { mapStrings, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { Log } from '../platform/log.ts'

/** Scrubs messages for a log that replaces ours, so that it receives no more than ours would write. */
export function scrubbedLog(log: Log, scrub: (text: string, key?: string) => string): Log {
  return (severity, message, fields = {}) => {
    const given = Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined)
    log(severity, scrub(message), mapStrings(Object.fromEntries(given), scrub) as JsonObject)
  }
}
