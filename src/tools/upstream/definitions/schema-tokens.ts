/** As many definitions as fit, for callers that say what they can take. */

import type { CountTokens } from '../../../core/ports.ts'
import type { ToolDefinition } from '../../../core/tool.ts'

export interface WithinBudget<T> {
  readonly tools: readonly T[]
  readonly tokens: number
}

/** In order, up to the first that does not fit any more: what is left out is then always the end of the list. */
export function withinTokens<T extends ToolDefinition>(
  tools: readonly T[],
  most: number,
  count: CountTokens,
): WithinBudget<T> {
  const taken: T[] = []
  let tokens = 0
  for (const tool of tools) {
    const cost = definitionTokens(tool, count)
    if (tokens + cost > most) break
    tokens += cost
    taken.push(tool)
  }
  return { tools: taken, tokens }
}

/** What the agent reads of it to call it. */
export function definitionTokens(
  { name, description, inputSchema }: ToolDefinition,
  count: CountTokens,
): number {
  return count(JSON.stringify({ name, description, inputSchema }))
}
