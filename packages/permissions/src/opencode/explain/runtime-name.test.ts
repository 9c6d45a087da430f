import { expect, it } from 'vitest'

import { openCodeSetup } from '../../../test/opencode-setup.ts'
import { openCodeNames } from './runtime-name.ts'

const files = { 'project/opencode.json': { mcp: { 'my.db': { type: 'local', command: ['db'] } } } }

it.each([
  ['bash(ls)', 'bash(ls)'],
  ['write(a.txt)', 'write(a.txt)'],
  ['Bash(ls)', 'bash(ls)'],
  ['my.db:run-query', 'my_db_run-query'],
  ['my_db_query', 'my_db_query'],
  ['mcp__my_db__query', 'my_db_query'],
])('%s is %s', (asked, name) => {
  expect(openCodeNames(openCodeSetup(files), asked).names.map((one) => one.name)).toEqual([name])
})

it.each([
  ['bahs', ['bash']],
  ['other:query', []],
  ['mcp__other__query', []],
])('%s is unknown, with the suggestions %j', (asked, suggestions) => {
  expect(openCodeNames(openCodeSetup(files), asked)).toEqual({ names: [], suggestions })
})

it('accepts any name if the user has custom tools', () => {
  const setup = openCodeSetup({ 'project/.opencode/tool/mine.ts': '' })
  expect(openCodeNames(setup, 'mine').names).toMatchObject([{ name: 'mine' }])
})
