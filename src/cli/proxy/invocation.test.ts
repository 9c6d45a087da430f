import { expect, it } from 'vitest'

import { readInvocation } from './invocation.ts'

const place = { cwd: '/work', home: '/home/me' }

it.each([
  [
    '/repo/.claude/tools/safe_bash/safe_bash',
    ['--command', 'ls'],
    {
      tool: 'safe_bash',
      argv: ['--command', 'ls'],
      folder: '/repo/.claude/tools/safe_bash',
      workspace: '/repo',
    },
  ],
  [
    '/home/me/.claude/tools/safe_read/safe_read',
    [],
    { tool: 'safe_read', argv: [], folder: '/home/me/.claude/tools/safe_read', workspace: '/work' },
  ],
  ['/home/me/bin/notes', [], { tool: 'notes', argv: [], folder: '/home/me/bin', workspace: '/work' }],
  [
    '/usr/bin/contextd-proxy',
    ['safe_read', '--path', 'a'],
    { tool: 'safe_read', argv: ['--path', 'a'], workspace: '/work' },
  ],
  ['/usr/bin/contextd-proxy', ['--help'], { tool: undefined, argv: ['--help'], workspace: '/work' }],
  ['/lib/bin/contextd-proxy.js', [], { tool: undefined, argv: [], workspace: '/work' }],
])('%s %j', (program, argv, meant) => {
  expect(readInvocation(program, argv, place)).toEqual(meant)
})
