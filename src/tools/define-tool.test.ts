import { expect, test } from 'vitest'
import * as z from 'zod'

import { issuesIn, runTool } from '../../test/support/run-tool.ts'
import { answer } from '../core/result.ts'
import { defineTool } from './define-tool.ts'

const tool = defineTool({
  name: 'probe',
  description: 'Probes.',
  input: z.object({
    path: z.string().min(1),
    depth: z.int().min(0).max(9).default(1),
    mode: z.enum(['fast', 'deep']).optional(),
    env: z.object({ lines: z.array(z.string().regex(/^[A-Z]+$/)).max(2) }).optional(),
  }),
  needs: ['fs:read'],
  maxTokens: 300,
  annotations: { readOnlyHint: true },
  run: async ({ path, depth }) => answer(`${path} ${depth}`),
})

test('the definition is what a model needs and nothing else', () => {
  expect(tool.definition).toEqual({
    name: 'probe',
    description: 'Probes.',
    annotations: { readOnlyHint: true },
    _meta: { 'anthropic/maxResultSizeChars': 500_000 },
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1 },
        depth: { type: 'integer', default: 1 },
        mode: { type: 'string', enum: ['fast', 'deep'] },
        env: {
          type: 'object',
          properties: {
            lines: { type: 'array', maxItems: 2, items: { type: 'string', pattern: '^[A-Z]+$' } },
          },
          required: ['lines'],
        },
      },
      required: ['path'],
    },
  })
  expect(tool).toMatchObject({ server: 'contextd', needs: ['fs:read'], maxTokens: 300 })
})

test('what a record may hold of the arguments is the tool’s to say', () => {
  expect(tool).not.toHaveProperty('forRecord')
  const forRecord = () => ({ path: '(hidden)' })
  const input = z.object({ path: z.string() })
  const shy = defineTool({ name: 'shy', description: '', input, forRecord, run: async () => answer('') })
  expect(shy.forRecord?.({ path: 'secret' })).toEqual({ path: '(hidden)' })
})

test('integers without bounds are not bounded by what JavaScript can count', () => {
  const input = z.object({ n: z.int() })
  const { definition } = defineTool({ name: 'n', description: '', input, run: async () => answer('') })
  expect(definition.inputSchema.properties).toEqual({ n: { type: 'integer' } })
})

test('good arguments pass, with defaults filled in', async () => {
  expect(issuesIn(tool, { path: 'src' })).toEqual([])
  expect(await runTool(tool, { path: 'src' }, {} as never)).toEqual(answer('src 1'))
})

test.each([
  [{}, 'path', 'required, string'],
  [{ path: 1 }, 'path', 'string'],
  [{ path: '' }, 'path', 'at least 1 character'],
  [{ path: 'x', depth: 1.5 }, 'depth', 'a whole number'],
  [{ path: 'x', depth: 10 }, 'depth', 'at most 9'],
  [{ path: 'x', mode: 'slow-secret' }, 'mode', 'one of fast, deep'],
  [{ path: 'x', env: { lines: ['low-secret'] } }, 'env.lines[0]', 'text that matches /^[A-Z]+$/'],
  [{ path: 'x', env: { lines: ['A', 'B', 'C'] } }, 'env.lines', 'at most 2 items'],
  [{ path: 'x', pathh: 'y-secret' }, 'pathh', 'no such field; known are path, depth, mode, env'],
])('%j: the field and what was expected, not what came', (args, field, expected) => {
  const issues = issuesIn(tool, args)
  expect(issues).toEqual([{ field, expected }])
  expect(JSON.stringify(issues)).not.toContain('secret')
})

test.each([
  ['n'.repeat(32), 'n'.repeat(32)],
  ['n'.repeat(33), '(unknown)'],
  [`github_pat_${'9aB'.repeat(27)}x`, '(unknown)'],
])('of a name that is not ours none is shown in part: %s', (name, field) => {
  expect(issuesIn(tool, { path: 'x', [name]: 1 })).toMatchObject([{ field }])
  const input = z.object({ env: z.record(z.string(), z.string()) })
  const inner = defineTool({ name: 'env', description: '', input, run: async () => answer('') })
  expect(issuesIn(inner, { env: { [name]: 1 } })).toMatchObject([{ field: `env.${field}` }])
})

test('a message full of wrong fields gets a short answer', () => {
  const many = Object.fromEntries(
    Array.from({ length: 5000 }, (_, index) => [`${'k'.repeat(500)}${index}`, 1]),
  )
  const issues = issuesIn(tool, { path: 'x', ...many })
  expect(issues.length).toBeLessThanOrEqual(20)
  expect(JSON.stringify(issues).length).toBeLessThan(5000)
})
