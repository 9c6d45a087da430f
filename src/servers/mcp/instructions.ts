/**
 * The `instructions` that a client gets once, when it connects, and shows to its models: without them, agents keep
 * using their client's own shell and file tools, which are not confined. They name only tools that the caller has.
 */

import { CLIENT_INFO_META_KEY, type Implementation, type Server } from '@modelcontextprotocol/server'

import type { Runtime } from '../../compose.ts'
import { MAIN_AGENT, type Claims, type Client } from '../../core/call.ts'
import { isJsonObject } from '@contextd/shared/json/value'
import { clientOf } from './client.ts'
import type { MessageHooks } from './foreign-error.ts'
import type { McpConnection } from './request.ts'

/** For the SDK, which wants the text before the client is known. It is replaced when it is sent. */
export const instructionsPlaceholder = 'contextd: replaced when it is sent'

const fileTools = ['safe_read', 'safe_write', 'safe_edit']
const named = ['safe_bash', ...fileTools, 'find_tools', 'execute_tool']

export interface IntroductionParts {
  readonly runtime: Runtime
  readonly connection: McpConnection
  readonly server: Server
}

/** Puts the instructions into the answer to `initialize` or `server/discover`. */
export function introduce({ runtime, connection, server }: IntroductionParts): MessageHooks {
  let discoverer: Implementation | undefined
  const client = (): Client =>
    clientOf(connection.era === 'modern' ? discoverer : server.getClientVersion(), connection.door)
  return {
    received(message) {
      if (!isJsonObject(message) || message.method !== 'server/discover' || !isJsonObject(message.params))
        return
      const { _meta: meta } = message.params
      discoverer = isJsonObject(meta) ? implementationIn(meta[CLIENT_INFO_META_KEY]) : undefined
    },
    sent(message) {
      if (!isJsonObject(message) || !isJsonObject(message.result)) return message
      const { instructions, ...result } = message.result
      if (instructions !== instructionsPlaceholder) return message
      const text = instructionsFor(runtime.previewTools(callerOf(connection, client()), named))
      return { ...message, result: { ...result, ...(text !== '' && { instructions: text }) } }
    },
  }
}

/** The SDK has not checked the message yet. */
function implementationIn(info: unknown): Implementation | undefined {
  if (!isJsonObject(info)) return undefined
  const { name, version } = info
  return typeof name === 'string' && typeof version === 'string' ? { name, version } : undefined
}

/**
 * What is known when a client connects. All agents of a client that attests calls share its connection, and its main
 * thread reads the instructions.
 */
function callerOf({ claims, proofs }: McpConnection, client: Client): Claims {
  const attests = proofs?.claimsOfList(client).willAttest === true
  return attests ? { ...claims, attested: { agent: MAIN_AGENT } } : claims
}

/** Empty if there is nothing to say. */
export function instructionsFor(tools: ReadonlySet<string>): string {
  const shell = tools.has('safe_bash') ? ['shell'] : []
  const files = fileTools.filter((name) => tools.has(name))
  const ours = [...(shell.length > 0 ? ['safe_bash'] : []), ...files]
  const replaced = [...shell, ...(files.length > 0 ? ['file'] : [])].join(' and ')
  return [
    ...(ours.length === 0
      ? []
      : [
          `Use ${listed(ours)} instead of your own ${replaced} tools: they are confined to the workspace and replace secrets in their output with tokens such as [SECRET_1].`,
        ]),
    ...(tools.has('find_tools') && tools.has('execute_tool')
      ? ['Tools of other MCP servers: find_tools, then execute_tool.']
      : []),
  ].join(' ')
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
