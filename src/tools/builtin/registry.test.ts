import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'

import { createLoadContext, type LoadContextParts } from '../broker/load-context.ts'
import { branchTools, type BranchToolParts } from '../memory/branch-tools.ts'
import { checkpointTools } from '../memory/checkpoint-tools.ts'
import { memoryTools } from '../memory/memory-tools.ts'
import { repoSearch } from '../memory/repo-search.ts'
import { builtinTools, isBuiltin, type BuiltinParts } from './registry.ts'

// Only what is listed is looked at; nothing runs.
const never = async (): Promise<never> => Promise.reject(new Error('nothing runs'))
const context = createLoadContext({} as LoadContextParts)
const memory = [
  ...memoryTools(never),
  ...checkpointTools(never),
  ...branchTools({} as BranchToolParts),
  repoSearch(never),
]
const tools = builtinTools({ context, memory } as unknown as BuiltinParts)

test('every name is known, and no other', () => {
  expect(tools.every(({ definition }) => isBuiltin(definition.name))).toBe(true)
  expect(tools.map(({ definition }) => definition.name).sort()).toEqual([
    'branch',
    'checkpoint_list',
    'checkpoint_restore',
    'checkpoint_save',
    'http_fetch',
    'load_context',
    'memory_feedback',
    'memory_get',
    'memory_search',
    'memory_store',
    'read_more',
    'repo_search',
    'return',
    'safe_bash',
    'safe_glob',
    'safe_grep',
    'safe_read',
    'safe_write',
  ])
  expect(isBuiltin('unsafe_bash')).toBe(false)
})

test('the list costs little, and leaves room for the gateway', () => {
  const shown = tools.map(({ definition: { name, description, inputSchema } }) => ({
    name,
    description,
    inputSchema,
  }))
  const each = shown.map((tool) => [tool.name, countTokens(JSON.stringify(tool))] as const)
  for (const [name, tokens] of each) expect(tokens, name).toBeLessThan(140)
  // Where http_fetch is not granted, as by the built-in rules, it is not even listed.
  const gatewayTokens = 231
  expect(countTokens(JSON.stringify(shown))).toBeLessThan(1300 + 67 - gatewayTokens)
})
