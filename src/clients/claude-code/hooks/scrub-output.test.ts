import { expect, test } from 'vitest'

import { mapTexts, withheld } from './scrub-output.ts'

const open = (text: string): string => text.replaceAll('hunter2', '[X]')

test.each([
  [
    'Bash',
    { stdout: 'hunter2', stderr: 'a hunter2', interrupted: false, isImage: false },
    { stdout: '[X]', stderr: 'a [X]', interrupted: false, isImage: false },
  ],
  [
    'Read',
    {
      type: 'text',
      file: { filePath: '/a', content: 'hunter2\n', numLines: 2, startLine: 1, totalLines: 2 },
    },
    { type: 'text', file: { filePath: '/a', content: '[X]\n', numLines: 2, startLine: 1, totalLines: 2 } },
  ],
  [
    'Read of a notebook',
    { type: 'notebook', file: { cells: [{ source: 'hunter2', outputs: [{ text: 'hunter2' }] }] } },
    { type: 'notebook', file: { cells: [{ source: '[X]', outputs: [{ text: '[X]' }] }] } },
  ],
  [
    'an MCP server',
    [
      { type: 'text', text: 'hunter2' },
      { type: 'text', text: 'fine' },
    ],
    [
      { type: 'text', text: '[X]' },
      { type: 'text', text: 'fine' },
    ],
  ],
  ['an MCP server with a structure', '{"a":"hunter2"}', '{"a":"[X]"}'],
])('preserves the shape of %s', async (_, answer, clean) => {
  expect(await mapTexts(answer, open)).toEqual(clean)
})

test('returns the same value for an answer without secrets, so that the client keeps its own', async () => {
  const answer = { stdout: 'fine', list: [{ text: 'fine' }] }
  expect(await mapTexts(answer, open)).toBe(answer)
})

test('skips images, but not what only looks like one', async () => {
  const all = (): string => '[X]'
  const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } }
  expect(await mapTexts([picture], all)).toMatchObject([{ source: { data: 'aGk=' } }])
  expect(await mapTexts({ stdout: 'data:image/png;base64,aGk=', isImage: true }, all)).toMatchObject({
    isImage: true,
  })
  expect(await mapTexts({ data: 'aGk=' }, all)).toEqual({ data: '[X]' })
  expect(await mapTexts({ mimeType: 'text/plain', data: 'not base64!' }, all)).toMatchObject({ data: '[X]' })
})

test('a withheld answer reveals no content, and preserves its shape', async () => {
  const answer = {
    type: 'text',
    file: { filePath: '/a', content: 'pw', numLines: 1 },
    other: `a longer text that may well hold hunter2 somewhere`,
  }
  expect(await withheld(answer)).toMatchObject({ type: 'text', file: { filePath: '/a', numLines: 1 } })
  expect(JSON.stringify(await withheld(answer))).not.toMatch(/"pw"|hunter2/)
  expect(await withheld('pw')).not.toContain('pw')
  expect(JSON.stringify(await withheld([{ type: 'text', text: 'pw' }]))).not.toContain('"pw"')
})
