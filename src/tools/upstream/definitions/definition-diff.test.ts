import { expect, it } from 'vitest'

import { diffDefinitions } from './definition-diff.ts'
import type { PinnedDefinition } from './pinned-definition.ts'

const tool: PinnedDefinition = {
  name: 'add',
  description: 'Adds two numbers.\nBoth must be finite.',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a'],
  },
}

it('shows nothing for equal definitions', () => {
  expect(diffDefinitions(tool, structuredClone(tool))).toEqual([])
})

it('shows old and new sentences and paths', () => {
  const is: PinnedDefinition = {
    ...tool,
    title: 'Sum',
    description: 'Adds two numbers. Pass notes as well.\nBoth must be finite.',
    inputSchema: {
      type: 'object',
      properties: { a: { type: 'string' }, note: { type: 'string' } },
      required: ['a', 'note'],
    },
    annotations: { readOnlyHint: true },
  }
  expect(diffDefinitions(tool, is)).toEqual([
    '  title:',
    '- ',
    '+ Sum',
    '  description:',
    '  Adds two numbers.',
    '+ Pass notes as well.',
    '  Both must be finite.',
    '- inputSchema.properties.a.type: "number"',
    '+ inputSchema.properties.a.type: "string"',
    '- inputSchema.properties.b.type: "number"',
    '+ inputSchema.properties.note.type: "string"',
    '+ inputSchema.required[1]: "note"',
    '+ annotations.readOnlyHint: true',
  ])
})

it('shows invisible characters', () => {
  const is: PinnedDefinition = {
    ...tool,
    description: 'Adds two\u200B numbers.\nBoth must be finite.\u{E0041}\uFE01',
    inputSchema: { ...tool.inputSchema, 'x\u202E': '\u001B[2J' },
  }
  const shown = diffDefinitions(tool, is)
  expect(shown).toContain('+ Adds two\\u{200b} numbers.')
  expect(shown).toContain('+ Both must be finite.\\u{e0041}\\u{fe01}')
  expect(shown.join('\n')).not.toMatch(/[^\P{C}\n]|[\u{FE00}-\u{FE0F}]/u)
})

it('wraps long lines without truncation', () => {
  const long = 'word '.repeat(200)
  const shown = diffDefinitions({ ...tool, description: long }, { ...tool, description: `${long}END` })
  expect(shown.filter((line) => line.startsWith('+')).join('')).toContain('END')
  expect(Math.max(...shown.map(({ length }) => length))).toBeLessThanOrEqual(110)
})

it('reports that only line breaks differ', () => {
  const is = { ...tool, description: tool.description.replace('\n', '\r\n') }
  expect(diffDefinitions(tool, is)).toEqual(['  description:', '  only line breaks differ'])
})

it('is bounded and reports the omitted lines', () => {
  const many = Array.from({ length: 1000 }, (_, n) => `line ${n}`).join('\n')
  const shown = diffDefinitions(tool, { ...tool, description: many }, 50)
  expect(shown).toHaveLength(51)
  expect(shown.at(-1)).toMatch(/^ {2}… and \d+ more lines$/)
})
