/** Tools of other servers listed next to our own, under names that clients accept: `<server>__<tool>`. */

import { OWN_SERVER, type Call } from '../../core/call.ts'
import type { AccessPolicy, Clock } from '../../core/ports.ts'
import type { Tool, ToolDefinition } from '../../core/tool.ts'
import { addNotes } from '../../core/trail.ts'
import { withoutInvisible, type UpstreamTool } from './definitions/definition.ts'
import { resolveCall } from './gateway-tools.ts'
import type { ListedNames } from './name-book.ts'
import type { UpstreamServer } from './server.ts'
import { fromEach, type Pinned, type Upstreams } from './upstreams.ts'
import { upstreamTool, type CallParts } from './upstream-tool.ts'

export interface ListedTools {
  list(call: Call): Promise<readonly ToolDefinition[]>
  /** By listed name. */
  find(name: string): Tool | undefined
}

export interface ListedToolsOptions extends CallParts {
  readonly upstreams: Upstreams
  readonly access: AccessPolicy
  readonly pinned: Pinned
  readonly clock: Clock
  /** The servers whose tools are listed. */
  readonly servers: () => readonly UpstreamServer[]
  readonly names: ListedNames
  /** Called when a server responds that an earlier list did not wait for. */
  readonly onArrived: (call: Call) => void
}

const rememberMs = 1000

export function createListedTools(options: ListedToolsOptions): ListedTools {
  const { upstreams, access, pinned, clock, servers, names, onArrived } = options
  /** The last listed definition by name. */
  const definitions = new Map<string, ToolDefinition>()
  const remembered = new WeakMap<UpstreamServer, { at: number; names: readonly string[] }>()
  /** Cached, because it is needed for every call of an unknown name. */
  const pinnedNames = (server: UpstreamServer): readonly string[] => {
    const known = remembered.get(server)
    if (known !== undefined && clock() - known.at < rememberMs) return known.names
    const names = pinned.tools(server).map((tool) => tool.name)
    remembered.set(server, { at: clock(), names })
    return names
  }

  const listed = (server: UpstreamServer, tool: UpstreamTool, call: Call): ToolDefinition[] => {
    if (!access.mayUse(call, { method: 'tool', server: server.name, tool: tool.name })) return []
    const name = names.add(server, tool.name)
    if (name === undefined) {
      addNotes(call.trail, [`${server.name}.${tool.name} is not listed: another tool has its name`])
      return []
    }
    // The output schema cannot be promised: secrets in results are masked, and long results truncated.
    const { outputSchema: _, ...rest } = tool
    const definition = { ...rest, name }
    definitions.set(name, definition)
    return [definition]
  }

  /** Targets the server in the name, so that the rules decide the same whether it exists or not. */
  const unlisted = (name: string): Tool | undefined => {
    const [, server = OWN_SERVER, tool = ''] = /^(.+?)__(.+)$/s.exec(name) ?? []
    if (servers().length === 0 || server === OWN_SERVER) return undefined
    return {
      ...upstreamTool(server, name, options),
      resolveTarget: (call) => resolveCall(call, { server, tool }, clock),
    }
  }

  return {
    async list(call) {
      const visible = new Set(upstreams.visible(call))
      const found = await fromEach(
        servers().filter((server) => visible.has(server)),
        async (server) => {
          const { tools } = await upstreams.tools(server, call)
          return [...tools.values()].flatMap((tool) => listed(server, tool, call))
        },
        {
          onFailure: ({ name }, why) =>
            addNotes(call.trail, [`the current tools of ${name} are not listed: ${why}`]),
          // For a known server the pinned tools can be listed instead.
          timeoutMs: (server) => (pinned.tools(server).length > 0 ? 500 : 2500),
          meanwhile: (server) =>
            pinned.tools(server).flatMap((tool) => listed(server, withoutInvisible(tool), call)),
          late: upstreams.late(call),
          onArrived: () => onArrived(call),
        },
      )
      // A name that two tools claim is listed for neither.
      return found
        .filter(({ name }) => names.lookup(name) !== undefined)
        .sort((a, b) => (a.name < b.name ? -1 : 1))
    },
    find(name) {
      const target =
        names.lookup(name) ??
        // A client may remember the name from an earlier run.
        names.guess(name, servers(), pinnedNames)
      const server = target && upstreams.find(target.server)
      if (server === undefined || !servers().includes(server)) return unlisted(name)
      const tool = upstreamTool(server.name, target!.name, options)
      return {
        ...tool,
        definition: definitions.get(name) ?? { ...tool.definition, name },
        resolveTarget: (call) =>
          resolveCall(call, { server: server.name, tool: target!.name, timeoutMs: server.timeoutMs }, clock),
      }
    },
  }
}
