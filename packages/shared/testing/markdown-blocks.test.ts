import { expect, test } from 'vitest'

import { codeBlocks, commandsOf, matchesOutput } from './markdown-blocks.ts'

const page = [
  '# Page',
  '```json a/b.json',
  '{}',
  '```',
  '```console',
  '$ one',
  'out',
  '$ two',
  '```',
  '```sh',
  'x',
  '```',
].join('\n')

test('blocks with language, path and line', () => {
  expect(codeBlocks(page)).toEqual([
    { language: 'json', path: 'a/b.json', text: '{}\n', line: 2 },
    { language: 'console', text: '$ one\nout\n$ two\n', line: 5 },
    { language: 'sh', text: 'x\n', line: 10 },
  ])
})

test('commands and their expected output', () => {
  expect(codeBlocks(page).flatMap(commandsOf)).toEqual([
    { command: 'one', output: 'out\n' },
    { command: 'two', output: '' },
    { command: 'x\n' },
  ])
})

test('an ellipsis matches anything, everything else must be present', () => {
  expect(matchesOutput('pid … runs\n', 'pid 12 runs\n')).toBe(true)
  expect(matchesOutput('a\n…\nz\n', 'a\nb\nc\nz\n')).toBe(true)
  expect(matchesOutput('pid … runs\n', 'pid 12 stops\n')).toBe(false)
  expect(matchesOutput('a.b\n', 'axb\n')).toBe(false)
  expect(matchesOutput('a\n', 'a\nb\n')).toBe(false)
})
