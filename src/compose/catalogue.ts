import type { Catalogue, PayloadSource, Tool } from '../core/tool.ts'

/** Tools that come and go while contextd runs. */
export interface ChangingTools {
  tools(): readonly Tool[]
  find(name: string): Tool | undefined
}

/** In the order of their names, so that every client sees the same list every time. */
export function createCatalogue(
  tools: readonly Tool[],
  changing: ChangingTools,
  payloads: PayloadSource | undefined,
): Catalogue {
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]))
  if (byName.size < tools.length) throw new Error('two tools have the same name')
  const sorted = (all: readonly Tool[]): Tool[] =>
    all.toSorted((a, b) => (a.definition.name < b.definition.name ? -1 : 1))
  const fixed = sorted(tools)
  return {
    tools() {
      const more = changing.tools()
      return more.length === 0 ? fixed : sorted([...fixed, ...more])
    },
    find: (name) => byName.get(name) ?? changing.find(name),
    ...(payloads !== undefined && { payloads }),
  }
}
