/** `docs/reference/tools.md` matches the schema and limits of every tool. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { describe, expect, test } from 'vitest'

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { Tool } from '../src/core/tool.ts'
import { confidenceOf, priorEvidence } from '../src/memory/bank/confidence.ts'
import { memoryLimits } from '../src/memory/bank/memory-fields.ts'
import { levelTokens } from '../src/memory/checkpoints/checkpoint.ts'
import { settings } from '../src/platform/config/config-schema.ts'
import { createLoadContext, type LoadContextParts } from '../src/tools/broker/load-context.ts'
import { maxPerCaller, maxTotal } from '../src/tools/broker/misses.ts'
import { builtinNames } from '../src/tools/builtin/names.ts'
import { builtinTools, type BuiltinParts } from '../src/tools/builtin/registry.ts'
import { branchTools, type BranchToolParts } from '../src/tools/memory/branch-tools.ts'
import { checkpointTools } from '../src/tools/memory/checkpoint-tools.ts'
import { memoryTools } from '../src/tools/memory/memory-tools.ts'
import { repoSearch } from '../src/tools/memory/repo-search.ts'
import { gatewayTools, type GatewayToolParts } from '../src/tools/upstream/gateway-tools.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

// Only definitions are compared; no tool runs.
const never = async (): Promise<never> => Promise.reject(new Error('no tool runs'))
const memory = [
  ...memoryTools(never),
  ...checkpointTools(never),
  ...branchTools({} as BranchToolParts),
  repoSearch(never),
]
const context = createLoadContext({} as LoadContextParts)
const tools: readonly Tool[] = [
  ...builtinTools({ context, memory } as unknown as BuiltinParts),
  ...gatewayTools({} as GatewayToolParts),
]
const byName = new Map(tools.map((tool) => [tool.definition.name, tool]))

/** For our own hooks only; not listed to clients. */
const unlisted = 'attest'

/** The sections whose heading is the name of a tool, by that name. */
const sections = new Map(
  read('docs/reference/tools.md')
    .split(/^(?=##)/m)
    .flatMap((text) => {
      const name = /^### ([a-z_]+)\n/.exec(text)?.[1]
      return name === undefined ? [] : [[name, text] as const]
    }),
)

interface Argument {
  readonly type: string
  readonly isRequired: boolean
}

/** Rows of the table with the arguments. */
function documented(section: string): Record<string, Argument> {
  const [, table = ''] =
    /\| argument \| type \| default \| meaning \|\n\|[-|]+\|\n((?:\|.*\n)+)/.exec(section) ?? []
  const rows = [...table.matchAll(/^\| `(\w+)` \| (.+?) \| (.+?) \|/gm)]
  return Object.fromEntries(
    rows.map(([, name = '', type = '', fallback = '']) => [
      name,
      { type, isRequired: fallback === 'required' },
    ]),
  )
}

/** Arguments without a type in the schema, to save tokens: they are checked in code. */
const unspecified: Readonly<Record<string, string>> = {
  'checkpoint_save.state': 'any JSON',
  'get_server_tools.names': 'list of strings, or one string with commas',
  'return.files': 'list of strings',
  'return.insights': 'list of strings',
  'return.open_questions': 'list of strings',
}

function accepted({ definition: { name: tool, inputSchema } }: Tool): Record<string, Argument> {
  const { properties, required } = inputSchema
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name)
  return Object.fromEntries(
    Object.entries(isJsonObject(properties) ? properties : {}).map(([name, schema]) => [
      name,
      { type: unspecified[`${tool}.${name}`] ?? typeOf(schema as JsonObject), isRequired: isRequired(name) },
    ]),
  )
}

function typeOf({ type, enum: values, items, minimum, maxLength }: JsonObject): string {
  if (Array.isArray(values)) return values.map((value) => `\`${value as string}\``).join(', ')
  const bounds = [
    ...(minimum === undefined ? [] : [`min ${numeral(minimum)}`]),
    ...(maxLength === undefined ? [] : [`max ${numeral(maxLength)} characters`]),
  ]
  const plain = type === 'array' ? `list of ${typeOf(items as JsonObject)}s` : (type as string)
  return [plain, ...bounds].join(', ')
}

function numeral(value: Json | undefined): string {
  return Number(value).toLocaleString('en-US')
}

test('every tool has a section, and nothing else has one', () => {
  expect(tools.length).toBeGreaterThan(15)
  const names = [...byName.keys()]
  expect([...sections.keys()].sort()).toEqual(names.sort())
  expect(names).toEqual([...builtinNames].filter((name) => name !== unlisted).sort())
})

test('the table of every tool has the arguments of its schema, their types, and which are required', () => {
  for (const tool of tools) {
    const { name } = tool.definition
    expect(documented(sections.get(name)!), name).toEqual(accepted(tool))
  }
})

test('every tool lists its required capabilities', () => {
  for (const { definition, needs } of tools) {
    for (const capability of needs)
      expect(sections.get(definition.name), definition.name).toMatch(
        new RegExp(`Needs \`${capability}\``, 'i'),
      )
  }
})

/** A number that a source file, or one file of a folder, defines under this name. */
function constant(path: string, name: string): number {
  const files = path.endsWith('.ts') ? [path] : readdirSync(join(root, path)).map((file) => `${path}/${file}`)
  const values = files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => new RegExp(`\\bconst (?:${name}) = ([\\d_]+)$`, 'm').exec(read(file))?.[1] ?? [])
  if (values.length !== 1) throw new Error(`${path} defines ${values.length} numbers named ${name}`)
  return Number(values[0]!.replaceAll('_', ''))
}

const setting = (key: string): Json => settings().get(key)!.default as Json

describe('limits and defaults are those of the code', () => {
  const bank = 'src/memory/bank'
  test.each([
    ['safe_bash', '| `timeout_ms` | integer | # |', setting('sandbox.time_ms')],
    ['safe_bash', 'at most # characters', constant('src/tools/builtin/safe-bash.ts', 'maxCommandLength')],
    ['safe_read', 'at most # KB', constant('src/tools/builtin/safe-read.ts', 'maxBytes') / 1024],
    ['safe_read', '| `limit` | integer | # |', constant('src/tools/builtin/safe-read.ts', 'defaultLines')],
    ['safe_read', 'up to # tokens', byName.get('safe_read')?.maxTokens],
    ['load_context', 'up to # tokens', byName.get('load_context')?.maxTokens],
    ['load_context', '(# per minute', maxPerCaller],
    ['load_context', ', # for all agents', maxTotal],
    ['memory_search', '| integer | #,', constant(`${bank}/bank-search.ts`, 'usualLimit|defaultLimit')],
    ['memory_search', 'with `task` # | at most', constant(`${bank}/for-task.ts`, 'usualCount|defaultCount')],
    ['memory_search', '| at most #, with', constant(`${bank}/bank-search.ts`, 'maxHits')],
    ['memory_search', 'with `task` # |\n', constant(`${bank}/for-task.ts`, 'maxCount')],
    ['memory_search', 'in under # tokens', constant(`${bank}/for-task.ts`, 'usualTokens|defaultTokens')],
    ['memory_search', 'is under # tokens', constant('src/tools/memory/memory-work.ts', 'searchTokens')],
    ['memory_get', '1 to #', constant('src/tools/memory/memory-work.ts', 'maxConcurrent')],
    ['memory_store', 'at most # characters |\n| `description`', memoryLimits.title],
    ['memory_store', 'when not; at most # characters', memoryLimits.description],
    ['memory_store', 'verbatim; at most # characters', memoryLimits.content],
    ['memory_store', 'match; at most # characters', memoryLimits.task],
    ['memory_store', '| `tags` | list of strings | none | at most # |', memoryLimits.tags],
    ['memory_store', '| `confidence` | number | # |', confidenceOf(priorEvidence())],
    [
      'checkpoint_list',
      '# per page',
      constant('src/memory/checkpoints/checkpoints.ts', 'usualPage|defaultPageSize'),
    ],
    ['checkpoint_restore', '`summary` is under # tokens', levelTokens.summary],
    ['checkpoint_restore', '`context` under #;', levelTokens.context],
    ['branch', '| `budget` | integer | # |', setting('branch.budget')],
    ['branch', 'at most #; in a branch', constant('src/memory/branches', 'maxBranchTokens')],
    ['return', 'store the first # insights', constant('src/tools/memory/branch-tools.ts', 'maxMemories')],
    ['repo_search', 'under # tokens', byName.get('repo_search')?.maxTokens],
    [
      'repo_search',
      '| `limit` | integer | # |',
      constant('src/tools/memory/repo-search.ts', 'usualLimit|defaultLimit'),
    ],
    ['repo_search', '| at most # |', constant('src/tools/memory/repo-search.ts', 'maxMatches')],
    ['find_tools', 'within # tokens', byName.get('find_tools')?.maxTokens],
  ])('%s: %s', (name, phrase, value) => {
    expect(value).toBeTypeOf('number')
    expect(sections.get(name)).toContain(phrase.replace('#', numeral(value)))
  })

  test.each([
    ['branch', 'description', { prompt: 'p' }],
    ['branch', 'prompt', { description: 'd' }],
    ['return', 'message', {}],
    ['repo_search', 'query', {}],
  ])('%s: the length of %s', (name, argument, others) => {
    const row = sections
      .get(name)!
      .split('\n')
      .find((line) => line.startsWith(`| \`${argument}\` |`))
    const max = Number(/at most ([\d,]+) characters/.exec(row!)?.[1]?.replaceAll(',', ''))
    const isAccepted = (length: number): boolean | undefined =>
      byName.get(name)!.parse?.({ ...others, [argument]: 'x'.repeat(length) }).ok
    expect([isAccepted(max), isAccepted(max + 1)]).toEqual([true, false])
  })

  test.each(['files', 'insights', 'open_questions'])('return: how many %s', (argument) => {
    const max = Number(new RegExp(`\`${argument}\` .* at most (\\d+) \\|`).exec(sections.get('return')!)?.[1])
    const isAccepted = (count: number): boolean | undefined =>
      byName.get('return')!.parse?.({ message: 'm', [argument]: Array(count).fill('x') }).ok
    expect([isAccepted(max), isAccepted(max + 1)]).toEqual([true, false])
  })
})
