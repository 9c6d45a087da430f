import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'

import { temporaryStore } from '../../../test/support/audit.ts'
import { aCall } from '../../../test/support/calls.ts'
import { issuesIn, runTool } from '../../../test/support/run-tool.ts'
import type { Call } from '../../core/call.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { ToolHost } from '../../core/ports.ts'
import type { Answer } from '../../core/result.ts'
import { refuseUnfit } from '../../memory/bank/memory-fields.ts'
import type { NewMemory } from '../../memory/bank/memory.ts'
import { createBranches } from '../../memory/branches/branches.ts'
import { branchTools } from './branch-tools.ts'

function setUp(refuse?: ContextdError) {
  const branches = createBranches({
    store: temporaryStore(),
    tenant: 'local',
    project: '/project',
    clock: () => 1_700_000_000_000,
    newId: () => 'one',
    limits: { budget: 8192, depth: 3, open: 10, minutes: 30 },
  })
  const kept: NewMemory[] = []
  const [branch, back] = branchTools({
    branches,
    count: (text) => text.length,
    async remember(memory) {
      if (refuse !== undefined && kept.length === 1) throw refuse
      kept.push(memory)
      return `mem_${kept.length}`
    },
  })
  const call: Call = aCall({ principal: { agent: 'main', level: 'default' } })
  const host = {
    call,
    archive: (text: string) => text.replaceAll('of the scanner', '[PRIVATE]'),
    recall: (text: string) => text,
  } as ToolHost
  const dataOf = (result: unknown): JsonObject => ((result as Answer).structured as { data: JsonObject }).data
  return {
    branches,
    kept,
    call,
    branch: branch!,
    back: back!,
    open: async () => dataOf(await runTool(branch!, { description: 'look', prompt: 'Look around.' }, host)),
    end: async (args: JsonObject) => dataOf(await runTool(back!, args, host)),
    run: (args: JsonObject) => runTool(back!, args, host),
  }
}

test('they cost a model little in every session', () => {
  const { branch, back } = setUp()
  const tokens = [branch, back].map(({ definition: { name, description, inputSchema } }) =>
    countTokens(JSON.stringify({ name, description, inputSchema })),
  )
  expect(tokens.map((many) => many <= 85)).toEqual([true, true])
})

test('branch says what to do with it', async () => {
  const opened = await setUp().open()
  expect(opened).toMatchObject({ branch: 'br_one', budget: 8192, ends_at: '2023-11-14T22:43:20Z' })
  expect(opened.next).toContain('branch_id br_one')
})

test.each([
  ['branch', { description: '', prompt: 'x' }, 'description'],
  ['branch', { description: ' \n', prompt: 'x' }, 'description'],
  ['branch', { description: 'x'.repeat(501), prompt: 'x' }, 'description'],
  ['branch', { description: 'x', prompt: 'x'.repeat(10_001) }, 'prompt'],
  ['branch', { description: 'x', prompt: 'a\0b' }, 'prompt'],
  ['branch', { description: 'x', prompt: 'x', budget: 1.5 }, 'budget'],
  ['return', {}, 'message'],
  ['return', { message: 'x'.repeat(50_001) }, 'message'],
  ['return', { message: 'x', outcome: 'maybe' }, 'outcome'],
  ['return', { message: 'x', files: [1] }, 'files'],
  ['return', { message: 'x', insights: Array(51).fill('x') }, 'insights'],
  ['return', { message: 'x', open_questions: { a: 'x' } }, 'open_questions'],
] as const)('%s with bad input names the field (%#)', (name, args, field) => {
  const tool = name === 'branch' ? setUp().branch : setUp().back
  expect(issuesIn(tool, args as unknown as JsonObject).map((issue) => issue.field)).toEqual([field])
})

test('return answers the report as it is kept, and less than it kept out', async () => {
  const { branches, open, end, call } = setUp()
  await open()
  branches.charge(call, 'br_one', { returned: 1000, produced: 9000 })
  const report = { message: 'Found the names of the scanner.', files: 'a.ts', open_questions: ['Why?'] }
  const data = await end(report)
  expect(data).toMatchObject({
    branch: 'br_one',
    message: 'Found the names [PRIVATE].',
    files: ['a.ts'],
    open_questions: ['Why?'],
    used: 1000,
  })
  const { kept_out, ...rest } = data
  expect(kept_out).toBe(8000 - JSON.stringify(rest).length)
  expect(branches.find('br_one')?.message).toBe(
    'Found the names [PRIVATE].\nFiles:\n- a.ts\nOpen questions:\n- Why?',
  )
})

test('a subagent is told to end with it', async () => {
  const { branches, open, end, call } = setUp()
  await open()
  const other = { ...call, claims: { attested: { agent: 'helper', instance: 'a1' } } }
  branches.enter(other)
  expect(await end({ message: 'Done.' })).toMatchObject({ next: expect.stringContaining('last words') })
})

describe('extract', () => {
  const insights = ['First line is the title.\nThe rest is not.', 'x'.repeat(200), 'third', 'fourth']

  test('makes at most three memories of the insights, with where they came from', async () => {
    const { open, end, kept } = setUp()
    await open()
    const data = await end({ message: 'Done.', insights, outcome: 'failure', extract: true })
    expect(data).toMatchObject({
      memories: ['mem_1', 'mem_2', 'mem_3'],
      not_kept: expect.stringMatching(/^1 more/),
    })
    expect(kept[0]).toEqual({
      title: 'First line is the title.',
      description: 'Learned in the subtask: look',
      content: insights[0],
      outcome: 'failure',
      task: 'Look around.',
      sources: ['br_one'],
    })
    expect(kept[1]?.title).toHaveLength(80)
  })

  test('wants to know how the task ended, and ends nothing before it does', async () => {
    const { branches, open, run, kept } = setUp()
    await open()
    expect(await run({ message: 'Done.', insights, extract: true })).toMatchObject({
      structured: { error: { code: 'INVALID_ARGUMENTS', fields: [{ field: 'outcome' }] } },
    })
    expect(branches.openIn('session-1')).toHaveLength(1)
    expect(kept).toEqual([])
  })

  test('that is refused does not hold up the return, and is told', async () => {
    const refused = new ContextdError('MEMORY_SCOPE_REFUSED', {
      agent: 'main',
      access: 'write',
      scope: 'project',
    })
    const { branches, open, end } = setUp(refused)
    await open()
    const data = await end({ message: 'Done.', insights, outcome: 'success', extract: true })
    expect(data).toMatchObject({ memories: ['mem_1'], not_kept: expect.stringContaining('may not write') })
    expect(branches.find('br_one')?.state).toBe('returned')
  })
})

test('what is extracted can be kept, however long the prompt and whatever its title would end in', async () => {
  const { branch, call, end, kept } = setUp()
  const host = { call, archive: (text: string) => text, recall: (text: string) => text } as ToolHost
  await runTool(branch, { description: 'look', prompt: 'Look around. '.repeat(700) }, host)
  await end({ message: 'Done.', outcome: 'success', extract: true, insights: [`${'x'.repeat(78)}😀 and on`] })
  expect(() => kept.forEach(refuseUnfit)).not.toThrow()
  expect(kept.map(({ title }) => title)).toEqual([`${'x'.repeat(78)}…`])
})
