import { CONTROL_SERVER, OWN_SERVER } from '../core/call.ts'
import { textsIn, type Json } from '@contextd/shared/json/value'
import type { Catalogue, PayloadSource, Tool } from '../core/tool.ts'
import type { Gateway } from '../tools/upstream/gateway.ts'

/** Tools that can be added and removed while contextd runs. */
export interface ChangingTools {
  tools(): readonly Tool[]
  find(name: string): Tool | undefined
}

/** Sorted by name, so that every client always sees the same list. */
export function createCatalogue(
  tools: readonly Tool[],
  changing: ChangingTools,
  gateway: Pick<Gateway, 'list' | 'findListed' | 'tool'>,
  payloads: () => PayloadSource | undefined,
): Catalogue {
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]))
  if (byName.size < tools.length) throw new Error('two tools have the same name')
  const sorted = (all: readonly Tool[]): Tool[] =>
    all.toSorted((a, b) => (a.definition.name < b.definition.name ? -1 : 1))
  const fixed = sorted(tools)
  const all = (): readonly Tool[] => {
    const more = changing.tools()
    return more.length === 0 ? fixed : sorted([...fixed, ...more])
  }
  return {
    tools: all,
    list: async (call) => [
      ...all()
        .filter((tool) => tool.isUseful?.(call) ?? true)
        .map(({ definition }) => definition),
      ...(await gateway.list(call)),
    ],
    find(name, server) {
      const known = byName.get(name)
      if (server === undefined) return known ?? changing.find(name) ?? gateway.findListed(name)
      if (known?.server === server) return known
      if (server === CONTROL_SERVER) return undefined
      return server === OWN_SERVER ? changing.find(name) : gateway.tool(server, name)
    },
    get payloads() {
      return payloads()
    },
  }
}

/** Adds the control operations, which no list contains. */
export function withControlTools(catalogue: Catalogue, control: readonly Tool[]): Catalogue {
  const byName = new Map(control.map((tool) => [tool.definition.name, tool]))
  return {
    tools: catalogue.tools,
    list: catalogue.list,
    find: (name, server) =>
      catalogue.find(name, server) ?? (server === CONTROL_SERVER ? byName.get(name) : undefined),
    get payloads() {
      return catalogue.payloads
    },
  }
}

/** The texts of tools that we wrote ourselves, collected on first use. */
export function ownTextsOf(tools: () => readonly Tool[]): () => ReadonlySet<string> {
  let texts: ReadonlySet<string> | undefined
  return () => (texts ??= textsIn(tools().map(({ definition }) => definition as unknown as Json)))
}
