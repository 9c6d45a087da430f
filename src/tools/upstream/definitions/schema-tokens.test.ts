import { expect, it } from 'vitest'

import { definitionTokens, withinTokens } from './schema-tokens.ts'

const count = (text: string): number => text.length
const tool = (name: string, description: string) => ({ name, description, inputSchema: { type: 'object' } })
const small = tool('a', '')
const cost = definitionTokens(small, count)

it('includes tools in order up to the first that does not fit', () => {
  const large = tool('b', 'x'.repeat(500))
  const tools = [small, small, large, small]
  expect(withinTokens(tools, 3 * cost, count)).toEqual({ tools: [small, small], tokens: 2 * cost })
  expect(withinTokens(tools, 10_000, count).tools).toEqual(tools)
})

it('includes tools that fit exactly, and none for zero tokens', () => {
  expect(withinTokens([small], cost, count).tools).toEqual([small])
  expect(withinTokens([small], cost - 1, count)).toEqual({ tools: [], tokens: 0 })
})
