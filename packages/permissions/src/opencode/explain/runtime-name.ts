/** Which tool of OpenCode a user means: names as people think of them, and as Claude Code has them, to its own. */

import type { RuntimeNames } from '../../findings/explanation.ts'
import { nearest } from '@contextd/shared/text/nearest'
import type { OpenCodeSetup } from '../setup.ts'
import { fromClaude, governedBy, knownTools, openCodeServerPrefix } from '../tools.ts'
import { serversIn } from '../written.ts'
import { splitOpenCodeCall } from './requests.ts'

export function openCodeNames(setup: OpenCodeSetup, asked: string): RuntimeNames {
  const { tool, argument } = splitOpenCodeCall(asked)
  const servers = [...new Set(serversIn(setup))]
  const found = ownTool(tool) ?? ofServer(tool, servers) ?? ofClaude(tool, servers) ?? unknown(tool, setup)
  if (found === undefined) {
    const near = nearest(tool, [...knownTools, ...governedBy.keys()])
    return { names: [], suggestions: near === undefined ? [] : [near] }
  }
  const name = argument === undefined ? found.name : `${found.name}(${argument})`
  return { names: [{ name, because: found.because }], suggestions: [] }
}

interface Meant {
  readonly name: string
  readonly because: string
}

function ownTool(name: string): Meant | undefined {
  const governing = governedBy.get(name)
  if (governing !== undefined) return { name, because: `It goes by the rules for ${governing}.` }
  return knownTools.includes(name) ? { name, because: 'It is a name that the client itself has.' } : undefined
}

/** `server:tool` or `server/tool`, and the whole name. */
function ofServer(asked: string, servers: readonly string[]): Meant | undefined {
  const [, server = '', tool = ''] = /^(.+)[:/](.+)$/s.exec(asked) ?? []
  if (servers.includes(server)) {
    const prefix = openCodeServerPrefix(server)
    const name = `${prefix}${openCodeServerPrefix(tool).slice(0, -1)}`
    return { name, because: `The server ${server} names its tools ${prefix}….` }
  }
  const whole = servers.find((one) => asked.startsWith(openCodeServerPrefix(one)))
  return whole === undefined ? undefined : { name: asked, because: `It is a tool of the server ${whole}.` }
}

function ofClaude(asked: string, servers: readonly string[]): Meant | undefined {
  const name = fromClaude(asked)
  if (typeof name !== 'string') return undefined
  const because = `OpenCode calls it ${name}.`
  return knownTools.includes(name) || ofServer(name, servers) !== undefined ? { name, because } : undefined
}

function unknown(name: string, { hasOwnTools }: OpenCodeSetup): Meant | undefined {
  return hasOwnTools ? { name, because: 'Tools of your own and of plugins are in no list.' } : undefined
}
