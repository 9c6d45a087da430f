import { expect, it } from 'vitest'

import { inventedTools } from './tool-index.samples.ts'
import { describeWithin, toolSummary, toolsText } from './tool-summary.ts'

const count = (text: string): number => Math.ceil(text.length / 3)
const described = (description: string, inputSchema: object = { type: 'object' }) =>
  toolSummary({ server: 's', definition: { name: 't', description, inputSchema: { ...inputSchema } } })

it('gives the first sentence and the arguments', async () => {
  const schema = { properties: { head: {}, path: {}, tail: {} }, required: ['path'] }
  expect(await described('Reads a file, e.g. a.txt.\n\nOnly text. More.', schema)).toEqual({
    server: 's',
    tool: 't',
    description: 'Reads a file, e.g. a.txt.',
    args: 'path, head?, tail?',
  })
})

it.each([
  ['', ''],
  ['No full stop', 'No full stop'],
  ['读取文件。返回内容。', '读取文件。'],
  ['Version 1.2 of it. More', 'Version 1.2 of it.'],
  [`${'word '.repeat(50)}.`, `${'word '.repeat(24).trim()}…`],
  ['x'.repeat(500), `${'x'.repeat(60)}…`],
])('cuts %j', async (text, shown) => {
  expect((await described(text)).description).toBe(shown)
})

it('stays within the token limit and uses it', async () => {
  const summaries = await describeWithin(500, inventedTools, count)
  expect(summaries.length).toBeGreaterThan(5)
  expect(count(JSON.stringify(summaries))).toBeLessThanOrEqual(500)
  const shown = inventedTools.slice(0, summaries.length)
  expect(summaries).toEqual(await Promise.all(shown.map((tool) => toolSummary(tool))))
  expect(await describeWithin(3, inventedTools, count)).toEqual([])
})

it('limits the number of arguments shown', async () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`argument${n}`, {}]))
  const { args } = await described('', { properties: { ...many, ['x'.repeat(500)]: {} } })
  expect(args).toMatch(/^argument0\?, .{0,120}, …$/)
})

it('the text of full definitions has their schemas as JSON', () => {
  const inputSchema = { type: 'object', properties: { q: { type: 'string' } } }
  expect(
    toolsText({
      tools: [{ name: 'find', description: 'Finds "it".', inputSchema }],
      server: 'files',
      total_available: 3,
      returned: 1,
      tokens_used: null,
      not_shown: ['move', 'read'],
      warnings: ['find: asks for secrets'],
    }),
  ).toBe(
    `1 of 3 tools of files\nfind: Finds "it".\n{"inputSchema":${JSON.stringify(inputSchema)}}\nnot shown: move, read\nwarnings: find: asks for secrets`,
  )
  expect(toolsText({ tools: [], server: 'files', total_available: 0 })).toBe('0 of 0 tools of files')
})
