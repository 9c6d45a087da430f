/** Limits definitions to a number of tokens. */

import type { CountTokens } from '../../../core/ports.ts'
import type { ToolDefinition } from '../../../core/tool.ts'

export interface WithinBudget<T> {
  readonly tools: readonly T[]
  readonly tokens: number
}

/** The longest prefix of the list that fits. */
export function withinTokens<T extends ToolDefinition>(
  tools: readonly T[],
  maxTokens: number,
  count: CountTokens,
): WithinBudget<T> {
  const included: T[] = []
  let tokens = 0
  for (const tool of tools) {
    const cost = definitionTokens(tool, count)
    if (tokens + cost > maxTokens) break
    tokens += cost
    included.push(tool)
  }
  return { tools: included, tokens }
}

/** Tokens of the parts that an agent needs for a call. */
export function definitionTokens(
  { name, description, inputSchema }: ToolDefinition,
  count: CountTokens,
): number {
  return count(JSON.stringify({ name, description, inputSchema }))
}
