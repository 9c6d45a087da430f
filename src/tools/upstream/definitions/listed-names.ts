/** Names under which clients see tools and prompts of other servers. */

import { createHash } from 'node:crypto'

/** Clients accept 64 characters, of which their longest prefix (`mcp__plugin_contextd_contextd__`) uses 31. */
const maxLength = 33
const fits = /^[A-Za-z0-9_-]{1,33}$/
const hashLength = 8
/** Length of the readable start, before `_` and the hash. */
const startLength = maxLength - 1 - hashLength
const minToolLength = 12

/** A tool or prompt, by its name on the server. */
export interface NamedEntry {
  readonly server: string
  readonly tool: string
  /** Listed as `<server>__<tool>`, otherwise under its own name. */
  readonly prefix: boolean
}

/** The name depends only on the entry, so it is stable. */
export function listedName(entry: NamedEntry): string {
  const { server, tool, prefix } = entry
  const whole = wholeName(entry)
  if (fits.test(whole)) return whole
  const hash = createHash('sha256').update(`${server}\0${tool}`).digest('hex').slice(0, hashLength)
  return `${readableStart(plain(server), plain(tool), prefix)}_${hash}`
}

/** The unshortened name. */
export function wholeName({ server, tool, prefix }: NamedEntry): string {
  return prefix ? `${server}__${tool}` : tool
}

/** As much of server and tool as fits; the tool has priority. */
function readableStart(server: string, tool: string, prefix: boolean): string {
  if (!prefix) return tool.slice(0, startLength)
  const room = startLength - 2
  const ofTool = tool.slice(0, Math.max(minToolLength, room - server.length))
  return `${server.slice(0, room - ofTool.length)}__${ofTool}`
}

function plain(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]+/g, '_')
}
