import { expect, test } from 'vitest'

import type { Json } from '@contextd/shared/json/value'
import { hookFaults } from './hook-shape.ts'

const one = (hook: Json): Json => [{ hooks: [hook] }]

test.each<[string, Json, string[]]>([
  ['nothing', {}, []],
  ['a guard drops the file', { PermissionRequest: one({ type: 'http' }) }, ['file']],
  ['another hook drops itself', { Stop: one({ type: 'http' }) }, ['hook']],
  ['an event that is no list drops itself', { Stop: 'x' }, ['event']],
  ['a text as hooks', 'x', ['event']],
  [
    'each one separately',
    { Stop: [5, { hooks: 5 }, { hooks: ['x', { type: 5 }] }] },
    ['hook', 'hook', 'hook', 'hook'],
  ],
  ['no seconds at all', { PreToolUse: one({ type: 'command', command: 'x', timeout: 0 }) }, ['file']],
  [
    'a condition that is not a string',
    { PreToolUse: one({ type: 'command', command: 'x', if: true }) },
    ['file'],
  ],
  [
    'every type with its fields',
    {
      PreToolUse: [
        {
          matcher: 'Bash',
          hooks: [
            { type: 'command', command: 'x', args: [], timeout: 5, onFailure: 'block' },
            { type: 'http', url: 'http://127.0.0.1:1/', onFailure: 'continue' },
            { type: 'prompt', prompt: 'x' },
            { type: 'agent', prompt: 'x' },
            { type: 'mcp_tool', server: 'a', tool: 'b' },
          ],
        },
      ],
    },
    [],
  ],
])('%s', (_case, hooks, drops) => {
  expect(hookFaults({ hooks }).map((fault) => fault.drops)).toEqual(drops)
})
