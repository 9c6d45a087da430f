/** `list_servers`: which servers the caller may use, and what for. */

import * as z from 'zod'

import type { Call } from '../../core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { firstSentence } from '@contextd/shared/text/first-sentence'
import type { AccessPolicy, CountTokens } from '../../core/ports.ts'
import { answer } from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'
import { defineTool } from '../define-tool.ts'
import type { UpstreamServer } from './server.ts'
import type { Upstreams } from './upstreams.ts'

export interface ServerListParts {
  readonly upstreams: Pick<Upstreams, 'visible' | 'pinnedNames'>
  readonly access: AccessPolicy
  readonly count: CountTokens
}

export function listServersTool(parts: ServerListParts): Tool {
  const { upstreams } = parts
  return defineTool({
    name: 'list_servers',
    description: 'Lists the MCP servers you may use.',
    input: z.object({ agent_id: z.string().optional(), include_metadata: z.boolean().optional() }),
    open: true,
    annotations: { readOnlyHint: true },
    async run({ include_metadata: withMetadata = false }, { call, scrub }) {
      const servers = upstreams.visible(call)
      const descriptions = await describeServers(servers, parts, call, scrub)
      return answer(
        servers.map((server, index) => {
          const known = { name: server.name, description: descriptions[index] ?? null }
          return withMetadata ? Object.assign(known, metadata(server)) : known
        }),
      )
    },
  })
}

/** Tokens of the names and descriptions of all servers together. */
const listTokens = 460
const descriptionLengths = [120, 60, 30]
const maxNamedTools = 5
/** Any other name could be a sentence. */
const plainName = /^[\w.-]{1,64}$/

/** As long as all of them fit; undefined if only the names do. */
async function describeServers(
  servers: readonly UpstreamServer[],
  parts: ServerListParts,
  call: Call,
  scrub: (text: string) => Promise<string>,
): Promise<readonly (string | undefined)[]> {
  // Scrubbed before they are cut: half a secret is not recognized.
  const texts = await Promise.all(servers.map((server) => scrub(describeServer(server, parts, call))))
  for (const length of descriptionLengths) {
    const cut = texts.map((text) => firstSentence(text, length))
    const list = servers.map(({ name }, index) => ({ name, description: cut[index] }))
    if (parts.count(JSON.stringify(list)) <= listTokens) return cut
  }
  return []
}

/**
 * The user's description, or the pinned tools that the caller may use. What a server says about itself is not shown:
 * nobody has approved it, it can change at every start, and agents would read it as advice.
 */
function describeServer(server: UpstreamServer, { upstreams, access }: ServerListParts, call: Call): string {
  const { name, description = '' } = server
  if (description.trim() !== '') return description
  const known = upstreams.pinnedNames(server)
  if (known.length === 0) return 'Not used yet: get_server_tools lists its tools.'
  const tools = known
    .filter((tool) => plainName.test(tool) && access.mayUse(call, { method: 'tool', server: name, tool }))
    .sort()
  if (tools.length === 0) return 'No tool that you may use.'
  const named = tools.slice(0, maxNamedTools).join(', ')
  return `Tools: ${named}${tools.length > maxNamedTools ? ` and ${tools.length - maxNamedTools} more` : ''}`
}

/** Its address without possible credentials: arguments, headers, the rest of the URL. */
function metadata({ transport }: UpstreamServer): JsonObject {
  if (transport.kind === 'stdio') return { transport: 'stdio', command: transport.command }
  const url = URL.canParse(transport.url) ? new URL(transport.url) : undefined
  return { transport: transport.kind, url: url === undefined ? null : `${url.origin}${plainPath(url)}` }
}

/** Some services give each user a personal URL that is itself the credential. */
function plainPath({ pathname }: URL): string {
  const isCredential = (step: string): boolean => step.length >= 16 && /\d/.test(step)
  return pathname
    .split('/')
    .map((step) => (isCredential(step) ? '…' : step))
    .join('/')
}
