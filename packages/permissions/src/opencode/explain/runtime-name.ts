/** Resolves tool names that users type, including Claude Code names, to OpenCode's names. */

import type { RuntimeNames } from '../../findings/explanation.ts'
import { nearest } from '@contextd/shared/text/nearest'
import type { OpenCodeSetup } from '../setup.ts'
import { fromClaude, governedBy, knownTools, openCodeServerPrefix } from '../tools.ts'
import { serversIn } from '../written.ts'
import { splitOpenCodeCall } from './requests.ts'

export function openCodeNames(setup: OpenCodeSetup, asked: string): RuntimeNames {
  const { tool, argument } = splitOpenCodeCall(asked)
  const servers = [...new Set(serversIn(setup))]
  const resolved =
    ownTool(tool) ?? ofServer(tool, servers) ?? ofClaude(tool, servers) ?? customTool(tool, setup)
  if (resolved === undefined) {
    const near = nearest(tool, [...knownTools, ...governedBy.keys()])
    return { names: [], suggestions: near === undefined ? [] : [near] }
  }
  const name = argument === undefined ? resolved.name : `${resolved.name}(${argument})`
  return { names: [{ name, because: resolved.because }], suggestions: [] }
}

interface Meant {
  readonly name: string
  readonly because: string
}

function ownTool(name: string): Meant | undefined {
  const governing = governedBy.get(name)
  if (governing !== undefined) return { name, because: `The rules for ${governing} apply to it.` }
  return knownTools.includes(name) ? { name, because: 'It is a built-in tool of the client.' } : undefined
}

/** `server:tool` or `server/tool`, and the full name. */
function ofServer(asked: string, servers: readonly string[]): Meant | undefined {
  const [, server = '', tool = ''] = /^(.+)[:/](.+)$/s.exec(asked) ?? []
  if (servers.includes(server)) {
    const prefix = openCodeServerPrefix(server)
    const name = `${prefix}${openCodeServerPrefix(tool).slice(0, -1)}`
    return { name, because: `Tools of the server ${server} are named ${prefix}….` }
  }
  const owner = servers.find((one) => asked.startsWith(openCodeServerPrefix(one)))
  return owner === undefined ? undefined : { name: asked, because: `It is a tool of the server ${owner}.` }
}

function ofClaude(asked: string, servers: readonly string[]): Meant | undefined {
  const name = fromClaude(asked)
  if (typeof name !== 'string') return undefined
  const because = `OpenCode calls it ${name}.`
  return knownTools.includes(name) || ofServer(name, servers) !== undefined ? { name, because } : undefined
}

function customTool(name: string, { hasOwnTools }: OpenCodeSetup): Meant | undefined {
  return hasOwnTools ? { name, because: 'It may be a custom tool or belong to a plugin.' } : undefined
}
