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

// `test/tools-page.test.ts` compares the names with the reference, in both directions.
test('every name is known, and no other', () => {
  expect(tools.filter(({ definition }) => !isBuiltin(definition.name))).toEqual([])
  expect(isBuiltin('unsafe_bash')).toBe(false)
})

/** Of what an agent sees without a rules file and without servers behind contextd. */
const maxListTokens = 1300
/** Listed where a host is granted, and in a session that has started a background command. */
const listedOnUse: ReadonlySet<string> = new Set(['http_fetch', 'safe_output', 'safe_stop'])

test('the list costs few tokens', () => {
  const shown = tools.map(({ definition: { name, description, inputSchema } }) => ({
    name,
    description,
    inputSchema,
  }))
  const each = shown.map((tool) => [tool.name, countTokens(JSON.stringify(tool))] as const)
  for (const [name, tokens] of each) expect(tokens, name).toBeLessThan(140)
  const listed = shown.filter(({ name }) => !listedOnUse.has(name))
  expect(countTokens(JSON.stringify(listed))).toBeLessThan(maxListTokens)
})
