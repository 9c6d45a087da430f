import { basename } from 'node:path'

import { OWN_SERVER } from '../../../core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'

/** Whether the entry starts contextd itself, which must not be behind its own gateway. */
export function isOurselves(name: string, { command, args, url }: JsonObject): boolean {
  if (name === OWN_SERVER) return true
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === 'string')
  const programs = words.map((word) => basename(word).replace(/(?:\.m?js|\.cmd|@.*)$/s, ''))
  if (programs.includes(OWN_SERVER) && words.includes('mcp') && words.includes('serve')) return true
  return typeof url === 'string' && /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\]):7391\/mcp\/?$/.test(url)
}
