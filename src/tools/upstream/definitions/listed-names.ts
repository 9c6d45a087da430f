/** The names under which clients see what other servers offer. */

import { createHash } from 'node:crypto'

/** Clients take 64 characters, of which the longest prefix they put in front (`mcp__plugin_contextd_contextd__`) uses 31. */
const longest = 33
const fits = /^[A-Za-z0-9_-]{1,33}$/
const hashLength = 8
/** What is left for a readable start, before `_` and the hash. */
const startLength = longest - 1 - hashLength
const minOfTool = 12

/** A tool or prompt, by its server's words. */
export interface NamedEntry {
  readonly server: string
  readonly tool: string
  /** Listed as `<server>__<tool>`; under its own name where not. */
  readonly prefix: boolean
}

/** The same entry always has the same name, whatever else there is. */
export function listedName(entry: NamedEntry): string {
  const { server, tool, prefix } = entry
  const whole = wholeName(entry)
  if (fits.test(whole)) return whole
  const hash = createHash('sha256').update(`${server}\0${tool}`).digest('hex').slice(0, hashLength)
  return `${readableStart(plain(server), plain(tool), prefix)}_${hash}`
}

/** The name before it is made to fit. */
export function wholeName({ server, tool, prefix }: NamedEntry): string {
  return prefix ? `${server}__${tool}` : tool
}

/** Of server and tool as much as there is room for; the tool says more. */
function readableStart(server: string, tool: string, prefix: boolean): string {
  if (!prefix) return tool.slice(0, startLength)
  const room = startLength - 2
  const ofTool = tool.slice(0, Math.max(minOfTool, room - server.length))
  return `${server.slice(0, room - ofTool.length)}__${ofTool}`
}

function plain(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]+/g, '_')
}
