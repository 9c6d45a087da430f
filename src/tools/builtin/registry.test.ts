import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'

import { createLoadContext, type LoadContextParts } from '../broker/load-context.ts'
import { builtinTools, isBuiltin, type BuiltinParts } from './registry.ts'

// Only what is listed is looked at; nothing runs.
const context = createLoadContext({} as LoadContextParts)
const tools = builtinTools({ context } as BuiltinParts)

test('every name is known, and no other', () => {
  expect(tools.every(({ definition }) => isBuiltin(definition.name))).toBe(true)
  expect(tools.map(({ definition }) => definition.name).sort()).toEqual([
    'http_fetch',
    'load_context',
    'read_more',
    'safe_bash',
    'safe_read',
    'safe_write',
  ])
  expect(isBuiltin('unsafe_bash')).toBe(false)
})

test('the list leaves room for the tools to come', () => {
  const shown = tools.map(({ definition: { name, description, inputSchema } }) => ({
    name,
    description,
    inputSchema,
  }))
  const each = shown.map((tool) => [tool.name, countTokens(JSON.stringify(tool))] as const)
  for (const [name, tokens] of each) expect(tokens, name).toBeLessThan(120)
  expect(countTokens(JSON.stringify(shown))).toBeLessThan(450)
})
